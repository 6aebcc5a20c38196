/** What a terminal agent tells us, in one vocabulary for all of them. */
import type { Json } from '@/lib/domain/conversation';

/** One request to the intake. */
export interface HookRequest {
  body: unknown;
  /** The event's name and folder where the agent's plugin says them beside the body. */
  event: string | null;
  directory: string | null;
}

/** A call as its agent announces it. */
export interface HookCall {
  /** Null where the agent gives none: then a call's end is found by its tool and input. */
  id: string | null;
  tool: string;
  /** Bounded; what an agent works with, not what it read or wrote in whole. */
  input: Json;
  /** Of the whole input, so that begin and end of a call without an id find each other. */
  inputDigest: string;
  title: string;
  /** Absolute paths that it is about to change. */
  paths: string[];
  /** Replaced text and its replacement, for the card; bounded. */
  snippets: { path: string; old_text: string | null; new_text: string; cut: boolean }[];
}

/** What keeps a run open after its agent stopped: a subagent that will write, or another task such as a server. */
export type Background = 'none' | 'subagent' | 'other';

export type HookEvent = {
  /** The agent's own id of the conversation. */
  session: string;
  /** The folder the agent is in, absolute; null where the event does not say. */
  cwd: string | null;
  /** The agent's own id of the prompt this belongs to; null where it gives none. */
  turn: string | null;
  /** Set for events of a subagent. */
  subagent: string | null;
  /** Equal for two deliveries of one event, different for two events; null where that cannot be told. */
  identity: string | null;
} & (
  | {
      type: 'session_started';
      /** The conversation that a subagent's belongs to. */
      parent: string | null;
    }
  | {
      type: 'prompt';
      text: string;
      /** Made by the agent itself when a background task ended, not by a person. */
      synthetic: boolean;
      /** It begins a run although the agent does not tell its text. */
      mayBeEmpty: boolean;
    }
  | { type: 'tool_started'; call: HookCall }
  | { type: 'tool_ended'; call: HookCall; status: 'completed' | 'failed'; output: string | null }
  | {
      type: 'stopped';
      outcome: 'completed' | 'failed' | 'cancelled';
      /** The agent's own word. */
      reason: string;
      error: string | null;
      answer: string | null;
      background: Background;
    }
  | { type: 'session_ended'; reason: string }
);

/** An event without what every event has. */
export type HookEventBody = HookEvent extends infer Event
  ? Event extends HookEvent
    ? Omit<Event, 'session' | 'cwd' | 'turn' | 'subagent' | 'identity'>
    : never
  : never;
