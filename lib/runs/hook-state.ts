/**
 * The state machine of one conversation of a terminal agent: events in, what to record out. Pure: it reads no clock, no
 * store and no disk, and keeps no more than it must to tell repeats, late events and the end of a run (AGENT-FACTS §0.10–0.14).
 */
import { createHash } from 'node:crypto';
import type { RunId, ToolCallId } from '@/lib/domain/ids';
import type { Background, HookCall, HookEvent } from './hook-event';

/** Milliseconds within which an equal event without an identity is the same one, delivered twice. */
const REPEAT_MS = 2_000;
/** Milliseconds a run stays open after its agent stopped while a subagent works in the background, since the last event. */
const SUBAGENT_MS = 25 * 60_000;
/** The same for any other task: a development server never ends. */
const TASK_MS = 2 * 60_000;
/** Turns, calls and identities that are remembered. */
const MAX_TURNS = 50;
const MAX_CALLS = 1_000;

interface OpenCall {
  id: ToolCallId;
  tool: string;
  inputDigest: string;
  /** The agent gave the id itself. */
  named: boolean;
}

interface OpenRun {
  id: RunId;
  turns: string[];
  /** The last thing a person said in it. */
  prompt: string;
  startedAt: number;
  calls: OpenCall[];
  /** Calls that were given an id by us. */
  numbered: number;
  /** It began without a text that may still come. */
  awaitsPrompt: boolean;
  /** What keeps it open after its agent stopped. */
  background: Background;
  /** What the agent said when it stopped; told already. */
  answer: string | null;
  lastEventAt: number;
}

export interface HookState {
  run: OpenRun | null;
  /** Prompts whose runs have ended: what still comes of them is late. */
  endedTurns: string[];
  lastPrompt: string;
  /** Calls of runs, open or ended, by the agent's id. */
  knownCalls: string[];
  /** Events that were taken, to tell repeats. */
  taken: string[];
  /** The last event without an identity, to tell its repeat. */
  lastDigest: { digest: string; at: number } | null;
}

export const NEW_STATE: HookState = {
  run: null,
  endedTurns: [],
  lastPrompt: '',
  knownCalls: [],
  taken: [],
  lastDigest: null,
};

export type HookCommand =
  | { type: 'start_run'; runId: RunId; prompt: string }
  | { type: 'start_tool'; runId: RunId; toolCallId: ToolCallId; call: HookCall }
  | {
      type: 'complete_tool';
      runId: RunId;
      toolCallId: ToolCallId;
      status: 'completed' | 'failed';
      output: string | null;
    }
  | { type: 'say'; runId: RunId; role: 'user' | 'assistant'; text: string }
  | {
      type: 'complete_run';
      runId: RunId;
      status: 'completed' | 'failed' | 'cancelled';
      reason: string;
      /** The last answer, where it was not told yet. */
      message: string | null;
      error: string | null;
    };

/** What the machine cannot know by itself. */
export interface HookFacts {
  now: number;
  /**
   * How it stands with the run that the state holds open: `live`; ended without us by a silence that was too long
   * (`expired`), or by a person (`closed`: cancelled, or its session deleted).
   */
  openRun: 'live' | 'expired' | 'closed';
  mintRunId(): RunId;
}

export interface HookStep {
  state: HookState;
  commands: HookCommand[];
}

/** Takes one event. */
export function takeHookEvent(before: HookState, event: HookEvent, facts: HookFacts): HookStep {
  const state = forgetEnded(before, facts);
  if (isRepeat(state, event, facts.now)) return { state, commands: [] };
  const noted = { ...noteTaken(state, event, facts.now), run: state.run && { ...state.run, lastEventAt: facts.now } };
  switch (event.type) {
    case 'session_started':
      return { state: noted, commands: [] };
    case 'prompt':
      return takePrompt(noted, event, facts);
    case 'tool_started':
      return startTool(noted, event, facts);
    case 'tool_ended':
      return endTool(noted, event);
    case 'stopped':
      return takeStop(noted, event);
    case 'session_ended':
      return endSession(noted, event.reason);
  }
}

/** Ends a run whose agent stopped and whose background work has been silent for too long. */
export function takeSilence(state: HookState, now: number): HookStep {
  const { run } = state;
  if (!run || run.background === 'none') return { state, commands: [] };
  const limit = run.background === 'subagent' ? SUBAGENT_MS : TASK_MS;
  if (now - run.lastEventAt < limit) return { state, commands: [] };
  return closeRun(state, run, { status: 'completed', reason: 'end_turn', message: null, error: null });
}

/** The state after its run could not be begun: what still comes of that prompt starts no other. */
export function withoutRun(state: HookState): HookState {
  const { run } = state;
  return run
    ? { ...state, run: null, endedTurns: bounded([...state.endedTurns, ...run.turns, CLOSED], MAX_TURNS) }
    : state;
}

/** A run that ended without us is not ours to go on with. */
function forgetEnded(state: HookState, { openRun }: HookFacts): HookState {
  const { run } = state;
  if (!run || openRun === 'live') return state;
  // After a silence the agent may still go on, and gets a new run; what a person closed stays closed until a new prompt.
  return openRun === 'closed' ? withoutRun(state) : { ...state, run: null };
}

/** Stands among the ended turns while a person's cancelling is in force: calls of the cancelled prompt start no run. */
const CLOSED = '\u0000closed';

function isRepeat(state: HookState, event: HookEvent, now: number): boolean {
  if (event.identity !== null) return state.taken.includes(event.identity);
  if (event.type !== 'prompt' && event.type !== 'tool_started' && event.type !== 'tool_ended') return false;
  if (event.type === 'prompt' && event.turn !== null) return false;
  const { lastDigest } = state;
  return lastDigest !== null && lastDigest.digest === digestOf(event) && now - lastDigest.at < REPEAT_MS;
}

function noteTaken(state: HookState, event: HookEvent, now: number): HookState {
  if (event.identity !== null) return { ...state, taken: bounded([...state.taken, event.identity], MAX_CALLS) };
  return { ...state, lastDigest: { digest: digestOf(event), at: now } };
}

function digestOf(event: HookEvent): string {
  return createHash('sha1').update(JSON.stringify(event)).digest('base64');
}

type EventOf<Type extends HookEvent['type']> = Extract<HookEvent, { type: Type }>;

function takePrompt(state: HookState, event: EventOf<'prompt'>, facts: HookFacts): HookStep {
  const isEmpty = event.text.trim() === '';
  // Agents also say so after each call of a tool, and for their subagents.
  if (event.subagent !== null || (isEmpty && !event.mayBeEmpty)) return { state, commands: [] };
  const { run } = state;
  if (event.turn !== null) {
    if (state.endedTurns.includes(event.turn)) return { state, commands: [] };
    if (run?.turns.includes(event.turn)) {
      if (isEmpty || event.synthetic || event.text === run.prompt) return { state, commands: [] };
      // A person said more while the agent works.
      return {
        state: { ...state, run: { ...run, prompt: event.text } },
        commands: [{ type: 'say', runId: run.id, role: 'user', text: event.text }],
      };
    }
  }
  if (run?.awaitsPrompt && !isEmpty) {
    return {
      state: { ...state, run: { ...run, prompt: event.text, awaitsPrompt: false }, lastPrompt: event.text },
      commands: [{ type: 'say', runId: run.id, role: 'user', text: event.text }],
    };
  }
  if (event.synthetic && run) {
    const turns = event.turn === null ? run.turns : [...run.turns, event.turn];
    return { state: { ...state, run: { ...run, turns, background: 'none' } }, commands: [] };
  }
  const ended = run ? closeRun(state, run, unstopped(run, 'next prompt')) : { state, commands: [] };
  const step = openRun(ended, event.text, event.turn, facts);
  return { ...step, state: { ...step.state, run: step.state.run && { ...step.state.run, awaitsPrompt: isEmpty } } };
}

function openRun(
  { state, commands }: HookStep,
  prompt: string,
  turn: string | null,
  { now, mintRunId }: HookFacts,
): HookStep {
  const run: OpenRun = {
    id: mintRunId(),
    turns: turn === null ? [] : [turn],
    prompt,
    startedAt: now,
    calls: [],
    numbered: 0,
    awaitsPrompt: false,
    background: 'none',
    answer: null,
    lastEventAt: now,
  };
  const endedTurns = state.endedTurns.filter((ended) => ended !== CLOSED);
  return {
    state: { ...state, run, endedTurns, lastPrompt: prompt },
    commands: [...commands, { type: 'start_run', runId: run.id, prompt }],
  };
}

function startTool(state: HookState, event: EventOf<'tool_started'>, facts: HookFacts): HookStep {
  const { call, turn } = event;
  if (call.id !== null && state.knownCalls.includes(call.id)) return { state, commands: [] };
  if (state.run) {
    // A subagent of an earlier prompt still writes: not this run's work.
    if (turn !== null && state.endedTurns.includes(turn)) return { state, commands: [] };
    return addCall({ state, commands: [] }, state.run, call, turn);
  }
  const isLate = turn !== null && state.endedTurns.includes(turn);
  if (event.subagent !== null || state.endedTurns.includes(CLOSED)) return { state, commands: [] };
  // Tidemark came late, or was restarted; or somebody's hook made an agent go on after it had stopped.
  const step = openRun({ state, commands: [] }, isLate ? `(continued) ${state.lastPrompt}` : '', turn, facts);
  return step.state.run ? addCall(step, step.state.run, call, turn) : step;
}

function addCall({ state, commands }: HookStep, run: OpenRun, call: HookCall, turn: string | null): HookStep {
  const numbered = call.id === null ? run.numbered + 1 : run.numbered;
  const id = (call.id ?? `call-${numbered}`) as ToolCallId;
  const opened = { id, tool: call.tool, inputDigest: call.inputDigest, named: call.id !== null };
  const turns = turn === null || run.turns.includes(turn) ? run.turns : [...run.turns, turn];
  return {
    state: {
      ...state,
      run: { ...run, turns, numbered, calls: [...run.calls, opened] },
      endedTurns: state.endedTurns.filter((ended) => ended !== turn),
      knownCalls: call.id === null ? state.knownCalls : bounded([...state.knownCalls, call.id], MAX_CALLS),
    },
    commands: [...commands, { type: 'start_tool', runId: run.id, toolCallId: id, call }],
  };
}

function endTool(state: HookState, event: EventOf<'tool_ended'>): HookStep {
  const { call, status, output, turn } = event;
  const { run } = state;
  if (!run || (turn !== null && state.endedTurns.includes(turn))) return { state, commands: [] };
  const open = findCall(run, call);
  if (open) return completed({ state, commands: [] }, run, open, status, output);
  if (call.id !== null && state.knownCalls.includes(call.id)) return { state, commands: [] };
  // Its beginning was lost, or comes later.
  const begun = addCall({ state, commands: [] }, run, call, turn);
  const added = begun.state.run?.calls.at(-1);
  return begun.state.run && added ? completed(begun, begun.state.run, added, status, output) : begun;
}

/** By id; without one, the oldest with the same tool and input, then the oldest of the same tool. */
function findCall(run: OpenRun, call: HookCall): OpenCall | undefined {
  if (call.id !== null) return run.calls.find(({ id, named }) => named && id === call.id);
  const unnamed = run.calls.filter(({ named, tool }) => !named && tool === call.tool);
  return unnamed.find(({ inputDigest }) => inputDigest === call.inputDigest) ?? unnamed[0];
}

function completed(
  { state, commands }: HookStep,
  run: OpenRun,
  open: OpenCall,
  status: 'completed' | 'failed',
  output: string | null,
): HookStep {
  return {
    state: { ...state, run: { ...run, calls: run.calls.filter((call) => call !== open) } },
    commands: [...commands, { type: 'complete_tool', runId: run.id, toolCallId: open.id, status, output }],
  };
}

function takeStop(state: HookState, event: EventOf<'stopped'>): HookStep {
  const { run } = state;
  if (!run || event.subagent !== null) return { state, commands: [] };
  if (event.turn !== null && state.endedTurns.includes(event.turn)) return { state, commands: [] };
  const answer = event.answer?.trim() ? event.answer : null;
  const news = answer !== null && answer !== run.answer ? answer : null;
  if (event.background !== 'none') {
    return {
      state: { ...state, run: { ...run, background: event.background, answer: answer ?? run.answer } },
      commands: news === null ? [] : [{ type: 'say', runId: run.id, role: 'assistant', text: news }],
    };
  }
  return closeRun(state, run, { status: event.outcome, reason: event.reason, message: news, error: event.error });
}

function endSession(state: HookState, reason: string): HookStep {
  const { run } = state;
  return run ? closeRun(state, run, unstopped(run, `session ended: ${reason}`)) : { state, commands: [] };
}

/** How a run ends whose agent did not say that it stopped, or said so while a task went on. */
function unstopped(run: OpenRun, reason: string): RunClosing {
  return run.background === 'none'
    ? { status: 'cancelled', reason, message: null, error: null }
    : { status: 'completed', reason: 'end_turn', message: null, error: null };
}

type RunClosing = Omit<Extract<HookCommand, { type: 'complete_run' }>, 'type' | 'runId'>;

function closeRun(state: HookState, run: OpenRun, closing: RunClosing): HookStep {
  return {
    state: { ...state, run: null, endedTurns: bounded([...state.endedTurns, ...run.turns], MAX_TURNS) },
    commands: [{ type: 'complete_run', runId: run.id, ...closing }],
  };
}

/** The newest `limit` of a list. */
function bounded(list: string[], limit: number): string[] {
  return list.length > limit ? list.slice(list.length - limit) : list;
}
