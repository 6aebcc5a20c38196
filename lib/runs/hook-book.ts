/** What is kept in memory of the conversations that terminal agents tell about. */

import type { Session } from '@/lib/domain/conversation';
import type { HookIntakeState, IntakeAgent } from '@/lib/domain/hooks';
import { type HookState, NEW_STATE } from './hook-state';

/** One conversation of one agent. */
export interface HookTalk {
  agent: IntakeAgent;
  /** The agent's own id of it. */
  conversation: string;
  state: HookState;
  /** Where the agent was last heard from, absolute. */
  cwd: string | null;
  /** The session of the run that is open, or was open last. */
  session: Session | null;
  /** Events are taken one after the other. */
  tail: Promise<unknown>;
  heardAt: number;
}

/** Plain data, shared by every module graph of the process. */
export interface HookBook {
  /** By agent and conversation. */
  talks: Map<string, HookTalk>;
  /** A subagent's conversation → the one that it belongs to, where a subagent has one of its own. */
  parents: Map<string, string>;
  intake: Map<IntakeAgent, HookIntakeState>;
}

/** Conversations kept at most; the one that was silent longest goes first. */
const MAX_TALKS = 1_000;
const MAX_PARENTS = 10_000;

export function openHookBook(): HookBook {
  return { talks: new Map(), parents: new Map(), intake: new Map() };
}

/** A conversation, new where it was not heard of. */
export function talkOf(book: HookBook, agent: IntakeAgent, conversation: string, now: number): HookTalk {
  const key = `${agent} ${conversation}`;
  const known = book.talks.get(key);
  const talk = known ?? {
    agent,
    conversation,
    state: NEW_STATE,
    cwd: null,
    session: null,
    tail: Promise.resolve(),
    heardAt: now,
  };
  talk.heardAt = now;
  // Last in the order of insertion is last heard.
  book.talks.delete(key);
  book.talks.set(key, talk);
  if (book.talks.size > MAX_TALKS) {
    const idle = [...book.talks].find(([, other]) => other.state.run === null);
    if (idle) book.talks.delete(idle[0]);
  }
  return talk;
}

/** Remembers whose a subagent's conversation is. */
export function rememberParent(book: HookBook, agent: IntakeAgent, child: string, parent: string): void {
  book.parents.set(`${agent} ${child}`, rootOf(book, agent, parent) ?? parent);
  if (book.parents.size > MAX_PARENTS) book.parents.delete(book.parents.keys().next().value as string);
}

/** The conversation that a subagent's belongs to, or null where it is none. */
export function rootOf(book: HookBook, agent: IntakeAgent, conversation: string): string | null {
  return book.parents.get(`${agent} ${conversation}`) ?? null;
}

/** What the intake of an agent is like; new where nothing came yet. */
export function intakeOf(book: HookBook, agent: IntakeAgent): HookIntakeState {
  const known = book.intake.get(agent);
  if (known) return known;
  const fresh: HookIntakeState = { agent, events: 0, lastEventAt: null, problem: null };
  book.intake.set(agent, fresh);
  return fresh;
}
