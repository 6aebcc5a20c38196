/**
 * The words of a script. One step a line (or separated by ` ;; `); a line that is no step is said back. Paths are
 * relative to the workspace, `\n` is a line end.
 *   say TEXT · think TEXT · stream N MS TEXT (N chunks) · stamps N MS (when each was said) · plan · title TEXT · usage · commands · mode ID
 *   read PATH · write PATH TEXT · edit PATH OLD => NEW · append PATH TEXT · delete PATH · move FROM TO · run COMMAND
 *   ask (the next call asks for permission first) · leave (the next call is never closed) · sub (the next call is a subagent's)
 *   sleep MS · hang · late MS|FILE STEP (a step after the prompt has ended: then, or when the file is there)
 *   crash [CODE] · throw · auth · refuse · exhaust · closestdout · orphan FILE · careless FILE · stubborn · shrug (a command that is called completed because it was cancelled)
 *   garbage · unknown · badcontent · utf8 · flood N · floodtools N · floodcall N · big MB · bigtool MB · outside PATH · ask-after-cancel
 */
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import * as acp from '@agentclientprotocol/sdk';
import { FRAMES } from './scripted-frames.mjs';

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

async function appeared(file) {
  while (!fs.existsSync(file)) await sleep(20);
}

async function cancelled(turn) {
  while (!turn.signal.aborted) await sleep(10);
}

/** The first word and the rest. */
function split(text) {
  const [first = '', ...rest] = text.split(' ');
  return [first, rest.join(' ')];
}

/** Step → what it does with its words, and with its words as they stand. What it resolves with, if anything, ends the prompt. */
const STEPS = {
  say: (turn, text) => turn.say(text),
  think: (turn, text) => turn.say(text, 'agent_thought_chunk'),

  async stream(turn, text) {
    const [count, rest] = split(text);
    const [ms, words] = split(rest);
    for (let at = 0; at < Number(count) && !turn.signal.aborted; at += 1) {
      await turn.say(`${words}${at} `);
      if (Number(ms) > 0) await sleep(Number(ms));
    }
  },

  /** Words that tell when they were said, for whoever measures when they are seen. */
  async stamps(turn, text) {
    const [count, ms] = text.split(' ').map(Number);
    for (let at = 0; at < count && !turn.signal.aborted; at += 1) {
      await turn.say(`t${performance.timeOrigin + performance.now()} `);
      await sleep(ms);
    }
  },

  plan: (turn) =>
    turn.tell({
      sessionUpdate: 'plan',
      entries: [
        { content: 'Look around', status: 'completed', priority: 'high' },
        { content: 'Edit the file', status: 'in_progress', priority: 'medium' },
        { content: 'Check the result', status: 'pending', priority: 'low' },
      ],
    }),

  title: (turn, title) => turn.tell({ sessionUpdate: 'session_info_update', title }),

  usage: (turn) =>
    turn.tell({
      sessionUpdate: 'usage_update',
      used: 1200,
      size: 200000,
      cost: { amount: 0.02, currency: 'USD' },
    }),

  commands: (turn) =>
    turn.tell({
      sessionUpdate: 'available_commands_update',
      availableCommands: [
        { name: 'review', description: 'Review the current diff', input: { hint: '[path]' } },
        { name: 'compact', description: 'Make the context smaller', input: null },
      ],
    }),

  mode(turn, mode) {
    turn.session.mode = mode;
    return turn.tell({ sessionUpdate: 'current_mode_update', currentModeId: mode });
  },

  read(turn, name) {
    const file = turn.resolve(name);
    return turn.call(
      {
        title: `Read ${name}`,
        kind: 'read',
        tool: 'Read',
        input: { file_path: file },
        locations: [{ path: file, line: 1 }],
      },
      async () => ({ rawOutput: await turn.readFile(file) }),
    );
  },

  write(turn, text) {
    const [name, content] = split(text);
    return turn.change(name, 'Write', { content }, null, content);
  },

  append(turn, text) {
    const [name, more] = split(text);
    const before = fs.readFileSync(turn.resolve(name), 'utf8');
    return turn.change(name, 'Write', { content: '' }, before, before + more);
  },

  edit(turn, text) {
    const [name, change] = split(text);
    const [before = '', after = ''] = change.split(' => ');
    return turn.change(name, 'Edit', { old_string: before, new_string: after }, before, after);
  },

  delete(turn, name) {
    const file = turn.resolve(name);
    return turn.call(
      {
        title: `Delete ${name}`,
        kind: 'delete',
        tool: 'delete_file',
        input: { path: file },
        locations: [{ path: file }],
      },
      async () => fs.rmSync(file),
    );
  },

  move(turn, names) {
    const [source, destination] = names.split(' ').map((name) => turn.resolve(name));
    return turn.call(
      {
        title: `Move ${names.replace(' ', ' to ')}`,
        kind: 'move',
        tool: 'move_file',
        input: { source, destination },
        locations: [{ path: source }, { path: destination }],
      },
      async () => fs.renameSync(source, destination),
    );
  },

  outside: (turn, file) =>
    turn.call(
      {
        title: `Edit ${file}`,
        kind: 'edit',
        tool: 'Write',
        input: { file_path: file, content: 'outside' },
        locations: [{ path: file }],
      },
      async () => {
        await turn.writeFile(file, 'outside');
      },
    ),

  run: (turn, _, command) => turn.run(command),

  ask(turn) {
    turn.asks = true;
  },
  leave(turn) {
    turn.leaves = true;
  },
  sub(turn) {
    turn.sub = true;
  },

  sleep: (_, ms) => sleep(Number(ms)),
  hang: cancelled,

  late(turn, _, text) {
    const [when, step] = split(text);
    const wait = /^\d+$/.test(when) ? sleep(Number(when)) : appeared(when);
    void wait.then(() => playStep(turn.afterwards(), step));
  },

  crash(_, code) {
    console.error('panic: the script said so');
    process.exit(Number(code || 7));
  },
  throw() {
    throw new Error('agent handler threw');
  },
  auth() {
    throw new acp.RequestError(-32000, 'Authentication required', { reason: 'the session has expired' });
  },
  refuse: () => ({ stopReason: 'refusal' }),
  exhaust: () => ({ stopReason: 'max_tokens' }),

  async closestdout() {
    fs.closeSync(1);
    await sleep(60_000);
  },

  async orphan(_, file) {
    spawn('/bin/sh', ['-c', `trap "" TERM HUP; echo $$ > ${file}; sleep 600`], { stdio: 'inherit' });
    await appeared(file);
  },

  /** Says that it was cancelled and lets its command run on, in a group of its own. */
  async careless(turn, file) {
    spawn('/bin/sh', ['-c', `echo $$ > ${file}; sleep 600`], { detached: true, stdio: 'ignore' });
    await cancelled(turn);
  },

  shrug: (turn) =>
    turn.call({ title: 'sleep 600', kind: 'execute', tool: 'Bash', input: { command: 'sleep 600' } }, () =>
      cancelled(turn),
    ),

  async stubborn(turn) {
    turn.session.isStubborn = true;
    await sleep(600_000);
  },

  async 'ask-after-cancel'(turn) {
    await cancelled(turn);
    await turn.say((await turn.allowed('call_late')) ? 'allowed' : 'denied');
  },
};

/** Plays one step. A result ends the prompt with it. */
export async function playStep(turn, line) {
  const [word, asItStands] = split(line);
  const text = asItStands.replaceAll('\\n', '\n');
  if (Object.hasOwn(FRAMES, word)) FRAMES[word](turn.sessionId, Number(text));
  else if (Object.hasOwn(STEPS, word)) {
    const result = await STEPS[word](turn, text, asItStands);
    return result?.stopReason ? result : undefined;
  } else if (line.trim() !== '') await turn.say(line);
}
