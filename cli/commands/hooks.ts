/** `tidemark hooks install|remove|status`: puts Tidemark's hooks into the settings of terminal agents. */
import { statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { createTwoFilesPatch } from 'diff';
import type { Wire } from '@/lib/domain/events';
import { HOOK_AGENT_NAMES, HOOK_AGENTS, type HookAgent, type HookIntakeState, isHookAgent } from '@/lib/domain/hooks';
import type { Call, Command } from '../command';
import { CommandFailure, EXIT } from '../exit-codes';
import { adviceAfterInstall, type Place, type Scope } from '../hooks/agent-settings';
import {
  install,
  isNothingToDo,
  type Plan,
  planToInstall,
  planToRemove,
  remove,
  type Standing,
  standingOf,
  type Target,
  targetOf,
} from '../hooks/install';
import { paintPatch } from '../patch-paint';
import { harmless } from '../screen';

const ACTIONS = ['install', 'remove', 'status'] as const;
type Action = (typeof ACTIONS)[number];

export const hooks: Command = {
  name: 'hooks',
  summary: 'record what an agent in a terminal does: every prompt becomes a run',
  usage: `install|remove|status ${HOOK_AGENTS.join('|')}|--all [--project]`,
  about: [
    "The hooks go into the agent's own settings, beside everything that is there; the change is shown first, a copy of the",
    'file is kept, and `remove` takes out exactly what was added. No settings file ever holds a token.',
    'A hook costs the agent some tens of milliseconds an event, and nothing fails when Tidemark is not running.',
  ].join('\n'),
  options: {
    all: { type: 'boolean', short: 'a', summary: 'every agent (install: every agent whose settings folder exists)' },
    project: { type: 'boolean', short: 'p', summary: 'in the settings of this folder, not in those of the user' },
    yes: { type: 'boolean', short: 'y', summary: 'do not ask' },
    'dry-run': { type: 'boolean', short: 'n', summary: 'show the change and make none' },
  },
  examples: [
    ['tidemark hooks install claude', 'for every folder'],
    ['tidemark hooks install codex --project', 'for this folder alone'],
    ['tidemark hooks install gemini --dry-run', 'what would it write?'],
    ['tidemark hooks status', 'what is installed, and when the last event came'],
    ['tidemark hooks remove --all', 'leave no trace'],
  ],
  words: { least: 1, most: 2 },
  firstWords: [...ACTIONS, ...HOOK_AGENTS],
  async run(call) {
    const [action, agent] = call.words;
    if (!isAction(action)) throw new CommandFailure(EXIT.usage, `"${action}" is none of ${ACTIONS.join(', ')}.`);
    const place: Place = { env: process.env, home: homedir(), folder: process.cwd() };
    const agents = agentsMeant(call, action, agent);
    const scope: Scope = call.flag('project') ? 'project' : 'user';
    if (action === 'status') return showStatus(call, agents, place);
    const targets = agents.map((name) => targetOf(name, scope, call.dataDir, place));
    return action === 'install' ? installAll(call, targets) : removeAll(call, targets);
  },
};

function isAction(word: string | undefined): word is Action {
  return (ACTIONS as readonly (string | undefined)[]).includes(word);
}

function agentsMeant(call: Call, action: Action, name: string | undefined): HookAgent[] {
  if (name !== undefined && call.flag('all')) throw new CommandFailure(EXIT.usage, 'Name one agent, or say --all.');
  if (name !== undefined) {
    if (isHookAgent(name)) return [name];
    throw new CommandFailure(EXIT.usage, `"${harmless(name)}" is none of ${HOOK_AGENTS.join(', ')}.`);
  }
  if (action === 'status' || call.flag('all')) return [...HOOK_AGENTS];
  throw new CommandFailure(EXIT.usage, `Name an agent (${HOOK_AGENTS.join(', ')}), or say --all.`);
}

interface Outcome {
  target: Target;
  done: 'installed' | 'removed' | 'unchanged' | 'skipped' | 'would_change' | 'failed';
  backup: string | null;
  problem: string | null;
}

async function installAll(call: Call, targets: Target[]): Promise<number> {
  const outcomes: Outcome[] = [];
  let exitCode: number = EXIT.done;
  for (const target of targets) {
    // With --all only agents that are used here; one that is named is meant.
    if (call.flag('all') && target.scope === 'user' && !isUsed(target)) {
      outcomes.push({ target, done: 'skipped', backup: null, problem: null });
      say(call, `${HOOK_AGENT_NAMES[target.agent]}: not used by this user, left out.`);
      continue;
    }
    exitCode = await one(call, target, outcomes, exitCode, () => planToInstall(target), 'installed');
  }
  return finish(call, outcomes, exitCode);
}

async function removeAll(call: Call, targets: Target[]): Promise<number> {
  const outcomes: Outcome[] = [];
  let exitCode: number = EXIT.done;
  for (const target of targets) {
    exitCode = await one(call, target, outcomes, exitCode, () => planToRemove(target), 'removed');
  }
  return finish(call, outcomes, exitCode);
}

/** Plans, shows, asks and does one file. One that fails does not keep the others from being done. */
async function one(
  call: Call,
  target: Target,
  outcomes: Outcome[],
  exitCode: number,
  planned: () => Plan,
  done: 'installed' | 'removed',
): Promise<number> {
  const name = HOOK_AGENT_NAMES[target.agent];
  try {
    const plan = planned();
    if (isNothingToDo(plan)) {
      if (done === 'installed') install(plan, Date.now());
      else remove(plan, Date.now());
      outcomes.push({ target, done: 'unchanged', backup: null, problem: null });
      say(
        call,
        done === 'installed'
          ? `${name}: installed already in ${target.file}`
          : `${name}: no hooks of Tidemark in ${target.file}`,
      );
      return exitCode;
    }
    show(call, plan);
    if (call.flag('dry-run')) {
      outcomes.push({ target, done: 'would_change', backup: null, problem: null });
      return exitCode;
    }
    if (!(await agreed(call, target.file))) {
      outcomes.push({ target, done: 'skipped', backup: null, problem: null });
      say(call, `${name}: nothing was changed.`);
      return exitCode;
    }
    const { backup } = done === 'installed' ? install(plan, Date.now()) : remove(plan, Date.now());
    outcomes.push({ target, done, backup, problem: null });
    say(call, `${name}: hooks ${done}${backup === null ? '' : `; a copy of the file is ${backup}`}`);
    if (done === 'installed') for (const line of adviceAfterInstall(target.agent, target.scope)) say(call, `  ${line}`);
    return exitCode;
  } catch (error) {
    if (!(error instanceof CommandFailure) || call.words.length > 1) throw error;
    outcomes.push({ target, done: 'failed', backup: null, problem: error.message });
    call.screen.note(`${name}: ${error.message}${error.advice ? ` ${error.advice}` : ''}`);
    return exitCode === EXIT.done ? error.exitCode : exitCode;
  }
}

/** Whether the agent has a folder of its own. */
function isUsed(target: Target): boolean {
  const folder = target.agent === 'opencode' ? join(target.file, '..', '..') : join(target.file, '..');
  try {
    return statSync(folder).isDirectory();
  } catch {
    return false;
  }
}

function say(call: Call, text: string): void {
  if (!call.json) call.screen.out(text);
}

/** The change as a diff, before it is made. */
function show(call: Call, { target, read, after }: Plan): void {
  if (call.json) return;
  const name = harmless(target.file);
  const patch = createTwoFilesPatch(name, after === null ? '/dev/null' : name, read.text ?? '', after ?? '', '', '', {
    context: 2,
  });
  const lines = patch
    .split('\n')
    .filter((line) => !line.startsWith('====') && !line.startsWith('Index: ') && !line.startsWith('\\ No newline'));
  for (const line of lines) if (line !== '') call.screen.out(paintPatch(line.replace(/\t$/, ''), call.screen.paintOut));
}

/** Asks where somebody can answer; a script that called us meant it. */
async function agreed(call: Call, file: string): Promise<boolean> {
  if (call.flag('yes') || call.json || !call.screen.canAsk) return true;
  const question = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await question.question(`Write this to ${harmless(file)}? [Y/n] `);
    return /^(y(es)?)?$/i.test(answer.trim());
  } finally {
    question.close();
  }
}

function finish(call: Call, outcomes: Outcome[], exitCode: number): number {
  if (call.json) {
    call.screen.out(
      JSON.stringify({
        hooks: outcomes.map(({ target, done, backup, problem }) => ({
          agent: target.agent,
          scope: target.scope,
          file: target.file,
          done,
          backup,
          problem,
        })),
      }),
    );
  }
  return exitCode;
}

/** What the server says of its intake, where one runs. */
async function intakeStates(call: Call): Promise<Wire<HookIntakeState>[] | null> {
  try {
    return (await call.door().json<{ hooks: Wire<HookIntakeState>[] }>('GET', '/api/hooks')).hooks;
  } catch (error) {
    if (error instanceof CommandFailure) return null;
    throw error;
  }
}

async function showStatus(call: Call, agents: HookAgent[], place: Place): Promise<number> {
  const states = await intakeStates(call);
  const rows = agents.flatMap((agent) => {
    const state = states?.find((candidate) => candidate.agent === agent);
    const lastEventAt = Math.max(state?.last_event_at ?? 0, seenAt(call.dataDir, agent)) || null;
    return (['user', 'project'] as const).map((scope) => {
      const target = targetOf(agent, scope, call.dataDir, place);
      return { target, standing: standingOf(target), lastEventAt, intakeProblem: state?.problem ?? null };
    });
  });
  if (call.json) {
    call.screen.out(
      JSON.stringify({
        server_running: states !== null,
        hooks: rows.map(({ target, standing, lastEventAt, intakeProblem }) => ({
          agent: target.agent,
          scope: target.scope,
          file: target.file,
          installed: standing.installed,
          last_event_at: standing.installed === 'no' ? null : eventSince(standing, lastEventAt),
          problem: standing.problem ?? intakeProblem,
        })),
      }),
    );
    return EXIT.done;
  }
  const { screen } = call;
  for (const { target, standing, lastEventAt, intakeProblem } of rows) {
    // What is not in the project's settings is not worth a line.
    if (target.scope === 'project' && standing.installed === 'no' && standing.problem === null) continue;
    const where = target.scope === 'project' ? ' (this folder)' : '';
    screen.out(`${`${HOOK_AGENT_NAMES[target.agent]}${where}`.padEnd(14)}  ${inWords(target, standing, lastEventAt)}`);
    const problem = standing.problem ?? (standing.installed === 'no' ? null : intakeProblem);
    if (problem !== null) screen.out(screen.paintOut('yellow', `  ${harmless(problem)}`));
  }
  if (states === null) screen.out('Tidemark is not running: nothing is recorded now. Start it with `tidemark start`.');
  return EXIT.done;
}

/** The last event that the present installation can have sent. */
function eventSince({ installedAt }: Standing, lastEventAt: number | null): number | null {
  return lastEventAt !== null && lastEventAt >= (installedAt ?? 0) ? lastEventAt : null;
}

function inWords(target: Target, standing: Standing, lastEventAt: number | null): string {
  if (standing.installed === 'no') return 'not installed';
  if (!standing.scriptThere) return `installed, but its script is gone: tidemark hooks install ${target.agent}`;
  if (standing.installed === 'partly') return `installed in part: tidemark hooks install ${target.agent}`;
  const at = eventSince(standing, lastEventAt);
  if (at !== null) return `installed, last event ${ago(Date.now() - at)}`;
  return target.agent === 'codex'
    ? 'installed, no event yet (trust the hooks in Codex: /hooks)'
    : 'installed, no event yet';
}

function ago(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 1) return 'just now';
  if (minutes < 60) return `${minutes} min ago`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ago` : `${Math.floor(hours / 24)} days ago`;
}

/** When the server last took an event of an agent, as it noted in the data folder; 0 where it never did. */
function seenAt(dataDir: string, agent: HookAgent): number {
  try {
    return statSync(join(dataDir, 'hooks', 'seen', agent)).mtimeMs;
  } catch {
    return 0;
  }
}
