/** Turns what an agent says over ACP into our words: pure, in order, and calm about whatever an agent makes up. */
import { z } from 'zod';
import {
  type AgentCommand,
  type AgentUsage,
  isToolOpen,
  type Json,
  type PermissionOption,
  type PlanEntry,
  TOOL_KINDS,
  type ToolKind,
  type ToolLocation,
  type ToolStatus,
} from '@/lib/domain/conversation';
import { kindOfTool, pathsChangedBy } from '@/lib/domain/file-tools';
import type { ToolCallId } from '@/lib/domain/ids';
import { type Choice, configChoices } from './acp-choices';
import {
  boundedInput,
  exitCode,
  isRecord,
  keptRawOutput,
  type Snippet,
  textOfBlock,
  textOfRawOutput,
  toolContent,
} from './acp-content';
import { contextUsage, usageInMeta } from './acp-usage';
import type { AgentUpdate, PermissionQuestion, ToolCallUpdate } from './agent';

/** Characters of an id that are kept as they are; the house allows 256. */
const MAX_ID_CHARS = 256;
const MAX_TITLE_CHARS = 2_000;
const MAX_LOCATIONS = 1_000;
const MAX_PLAN_ENTRIES = 500;
const MAX_COMMANDS = 500;

/** What an update says about the session itself. */
export interface StateChange {
  choices?: Choice[];
  mode?: string;
  commands?: AgentCommand[];
  usage?: Partial<AgentUsage>;
}

export interface Translation {
  updates: AgentUpdate[];
  state: StateChange;
}

/** How a permission was answered: an option's kind, or null for cancelled. */
export type PermissionAnswer = PermissionOption['kind'] | null;

export interface Translator {
  /** What one `session/update` means; `raw` is its `update`, untouched by the SDK. */
  update(raw: unknown): Translation;
  /** What a `session/request_permission` asks, and what it tells of its call; null where it cannot be understood. */
  permission(raw: unknown): { question: PermissionQuestion; updates: AgentUpdate[] } | null;
  /** Remembers an answer: a call that was refused is `rejected`, whatever the agent calls it. */
  answered(id: ToolCallId, answer: PermissionAnswer): void;
  /** The person stopped the prompt: a command that was going on did not complete, even where the agent says so afterwards. */
  stopped(): void;
  /** Ends the calls that the agent left open, and forgets this prompt's calls. */
  end(outcome: 'completed' | 'failed' | 'cancelled'): AgentUpdate[];
}

/** What is remembered of a call while its prompt goes on. */
interface Seen {
  status: ToolStatus;
  kind: ToolKind;
  tool: string | null;
  title: string;
  hasInput: boolean;
  hasLocations: boolean;
  /** Output came piece by piece; what the last update repeats of it is not added. */
  isStreamed: boolean;
  refused: boolean;
  /** It was a command that was going on when the prompt was stopped. */
  isStopped: boolean;
  snippets: Snippet[];
}

const toolSchema = z.looseObject({ toolCallId: z.string().min(1) });

export function createTranslator(): Translator {
  const calls = new Map<ToolCallId, Seen>();

  /** The one place where a call is created or changed, from all three messages that may speak of it. */
  function upsert(raw: unknown): ToolCallUpdate | null {
    const parsed = toolSchema.safeParse(raw);
    if (!parsed.success) return null;
    const { toolCallId, title, kind, status, locations, content, rawInput, rawOutput, _meta: meta, name } = parsed.data;
    const id = shortId(toolCallId);
    const known = calls.get(id);
    const seen: Seen = known ?? {
      status: 'pending',
      kind: 'other',
      tool: null,
      title: '',
      hasInput: false,
      hasLocations: false,
      isStreamed: false,
      refused: false,
      isStopped: false,
      snippets: [],
    };
    calls.set(id, seen);
    const call: ToolCallUpdate = { id };

    seen.tool ??= toolName({ toolCallId, title, name, meta, isFirst: !known });
    if (seen.tool !== null) call.tool = seen.tool;
    if (typeof title === 'string' && title.trim() !== '') {
      seen.title = title.slice(0, MAX_TITLE_CHARS);
      call.title = seen.title;
    }
    const newKind = kindOf(kind, seen);
    if (!known || newKind !== seen.kind) call.kind = newKind;
    seen.kind = newKind;
    const newStatus = statusOf(status, seen);
    if (newStatus !== null) seen.status = newStatus;
    if (!known || newStatus !== null) call.status = seen.status;

    if (isRecord(rawInput) ? Object.keys(rawInput).length > 0 : rawInput !== undefined && rawInput !== null) {
      call.input = boundedInput(rawInput);
      seen.hasInput = true;
    }
    const found = toolContent(content);
    if (found && found.snippets.length > 0) {
      seen.snippets = withKnownPaths(found.snippets, seen.snippets);
      call.meta = { ...call.meta, snippets: seen.snippets };
    }
    // For a command, opencode tells the folder that it runs in.
    const places = seen.kind === 'execute' ? [] : placesOf(locations);
    if (places.length > 0) {
      call.locations = places;
      seen.hasLocations = true;
    } else if (!seen.hasLocations && seen.snippets.length > 0) {
      call.locations = uniquePaths(seen.snippets.map((snippet) => snippet.path));
    }
    if (call.input !== undefined) {
      // What the bounded input may have lost: the paths that the whole one names.
      const changed = pathsChangedBy({ tool: seen.tool, kind: seen.kind, input: rawInput as Json, locations: [] });
      const before = call.locations ?? (seen.hasLocations ? null : []);
      if (before !== null && changed.length > 0) call.locations = merged(before, changed);
    }

    describeOutput(call, seen, { text: found?.text ?? null, rawOutput, meta });
    // Gemini calls a command completed that it ended because it was asked to.
    if (seen.isStopped && call.status === 'completed' && call.meta?.exit_code !== 0) {
      seen.status = 'cancelled';
      call.status = seen.status;
    }
    const parent = isRecord(meta) && isRecord(meta.claudeCode) ? meta.claudeCode.parentToolUseId : undefined;
    if (typeof parent === 'string') call.meta = { ...call.meta, parent_tool_call_id: shortId(parent) };
    return call;
  }

  return {
    update(raw) {
      const none: Translation = { updates: [], state: {} };
      if (!isRecord(raw)) return none;
      switch (raw.sessionUpdate) {
        case 'agent_message_chunk':
        case 'agent_thought_chunk': {
          const role = raw.sessionUpdate === 'agent_message_chunk' ? 'assistant' : 'thought';
          const text = textOfBlock(raw.content);
          const messageKey = typeof raw.messageId === 'string' ? raw.messageId : null;
          // Agents open and close messages with empty chunks.
          return {
            updates: text === '' ? [] : [{ type: 'text', role, messageKey, text }],
            state: usageInMeta(raw._meta),
          };
        }
        case 'tool_call':
        case 'tool_call_update': {
          const call = upsert(raw);
          return { updates: call ? [{ type: 'tool', call }] : [], state: {} };
        }
        case 'plan':
          return { updates: [{ type: 'plan', entries: planEntries(raw.entries) }], state: {} };
        case 'available_commands_update':
          return { updates: [], state: { commands: commandsOf(raw.availableCommands) } };
        case 'current_mode_update':
          return { updates: [], state: typeof raw.currentModeId === 'string' ? { mode: raw.currentModeId } : {} };
        case 'config_option_update':
          return { updates: [], state: { choices: configChoices(raw.configOptions) } };
        case 'session_info_update':
          return typeof raw.title === 'string' && raw.title.trim() !== ''
            ? { updates: [{ type: 'title', title: raw.title.trim().slice(0, 200) }], state: {} }
            : none;
        case 'usage_update':
          return { updates: [], state: { usage: contextUsage(raw) } };
        case 'compaction_summary_chunk':
        case 'notice': {
          const text = typeof raw.message === 'string' ? raw.message : textOfBlock(raw.content);
          return { updates: text === '' ? [] : [{ type: 'text', role: 'thought', messageKey: null, text }], state: {} };
        }
        default:
          // `user_message_chunk` repeats what we sent; what a later protocol adds is not ours to guess.
          return none;
      }
    },

    permission(raw) {
      if (!isRecord(raw) || !Array.isArray(raw.options)) return null;
      const options = raw.options.filter(isRecord).flatMap((option): PermissionOption[] => {
        const { optionId, name, kind } = option;
        if (typeof optionId !== 'string') return [];
        return [{ optionId, name: typeof name === 'string' ? name : optionId, kind: optionKind(kind, optionId) }];
      });
      const call = upsert(raw.toolCall);
      if (options.length === 0 || !call) return null;
      const title = calls.get(call.id)?.title || call.tool || '';
      return { question: { call, title, options }, updates: [{ type: 'tool', call }] };
    },

    answered(id, answer) {
      const seen = calls.get(id);
      if (seen) seen.refused = answer === null || answer.startsWith('reject');
    },

    stopped() {
      for (const seen of calls.values()) seen.isStopped = seen.kind === 'execute' && isToolOpen(seen.status);
    },

    end(outcome) {
      const updates: AgentUpdate[] = [];
      for (const [id, seen] of calls) {
        if (!isToolOpen(seen.status)) continue;
        const status = seen.refused && outcome !== 'cancelled' ? 'rejected' : closingStatus(seen, outcome);
        updates.push({ type: 'tool', call: { id, status } });
      }
      calls.clear();
      return updates;
    },
  };
}

/** What becomes of a call that the agent never closed. One that never began did not complete. */
function closingStatus(seen: Seen, outcome: 'completed' | 'failed' | 'cancelled'): ToolStatus {
  if (outcome !== 'completed') return outcome;
  return seen.status === 'in_progress' ? 'completed' : 'cancelled';
}

function describeOutput(
  call: ToolCallUpdate,
  seen: Seen,
  told: { text: string | null; rawOutput: unknown; meta: unknown },
): void {
  const delta =
    isRecord(told.meta) && isRecord(told.meta.terminal_output_delta) ? told.meta.terminal_output_delta.data : null;
  if (typeof delta === 'string' && delta !== '') {
    call.outputAppend = delta;
    seen.isStreamed = true;
  } else if (!seen.isStreamed) {
    const text = textOfRawOutput(told.rawOutput) ?? told.text;
    // Before a call runs, its text says what it is for.
    if (text !== null && seen.status === 'pending')
      call.meta = { ...call.meta, description: text.slice(0, MAX_TITLE_CHARS) };
    else if (text !== null) call.output = text;
  }
  const code = exitCode({
    rawOutput: told.rawOutput,
    meta: told.meta,
    text: seen.kind === 'execute' ? told.text : null,
  });
  if (code !== null) call.meta = { ...call.meta, exit_code: code };
  const raw = keptRawOutput(told.rawOutput);
  if (raw !== undefined) call.meta = { ...call.meta, raw_output: raw };
}

/** The tool's own name, from wherever this agent hides it (AGENT-FACTS §2). */
function toolName(told: {
  toolCallId: string;
  title: unknown;
  name: unknown;
  meta: unknown;
  isFirst: boolean;
}): string | null {
  const { meta } = told;
  const inMeta = isRecord(meta) ? (isRecord(meta.claudeCode) ? meta.claudeCode.toolName : meta.toolName) : undefined;
  if (typeof inMeta === 'string' && inMeta !== '') return inMeta.slice(0, 200);
  if (typeof told.name === 'string' && told.name !== '') return told.name.slice(0, 200);
  // Gemini: `write_file__fc_yb5vmqjjlm`.
  const prefix = /^([a-z_]+?)__/.exec(told.toolCallId)?.[1];
  if (prefix !== undefined && kindOfTool(prefix) !== 'other') return prefix;
  // opencode: the first title of a call is the name of its tool.
  if (told.isFirst && typeof told.title === 'string' && kindOfTool(told.title) !== 'other') return told.title;
  return null;
}

/** What the agent says, else what its tool's name says; once known it is not lost to a vaguer word. */
function kindOf(told: unknown, seen: Seen): ToolKind {
  if (told !== 'other' && (TOOL_KINDS as readonly unknown[]).includes(told)) return told as ToolKind;
  return seen.kind === 'other' && seen.tool !== null ? kindOfTool(seen.tool) : seen.kind;
}

function statusOf(status: unknown, seen: Seen): ToolStatus | null {
  if (status === 'failed' && seen.refused) return 'rejected';
  // opencode says "pending" again where it asks for permission.
  if (status === 'pending' && seen.status !== 'pending') return null;
  return status === 'pending' || status === 'in_progress' || status === 'completed' || status === 'failed'
    ? status
    : null;
}

function placesOf(raw: unknown): ToolLocation[] {
  if (!Array.isArray(raw)) return [];
  return raw
    .filter(isRecord)
    .slice(0, MAX_LOCATIONS)
    .flatMap(({ path, line }) =>
      typeof path === 'string' && path !== ''
        ? [{ path, ...(typeof line === 'number' && line > 0 ? { line: Math.floor(line) } : {}) }]
        : [],
    );
}

/** Qwen's last word names a file by its base name alone; the path that was told first stays. */
function withKnownPaths(fresh: Snippet[], known: Snippet[]): Snippet[] {
  return fresh.map((snippet) => {
    if (snippet.path.startsWith('/')) return snippet;
    const same = known.filter((other) => other.path.startsWith('/') && other.path.endsWith(`/${snippet.path}`));
    return same.length === 1 ? { ...snippet, path: (same[0] as Snippet).path } : snippet;
  });
}

function uniquePaths(paths: string[]): ToolLocation[] {
  return [...new Set(paths)].map((path) => ({ path }));
}

function merged(places: ToolLocation[], paths: string[]): ToolLocation[] {
  const known = new Set(places.map((place) => place.path));
  return [...places, ...paths.filter((path) => !known.has(path)).map((path) => ({ path }))].slice(0, MAX_LOCATIONS);
}

function planEntries(raw: unknown): PlanEntry[] {
  if (!Array.isArray(raw)) return [];
  return raw
    .filter(isRecord)
    .slice(0, MAX_PLAN_ENTRIES)
    .map((entry) => ({
      content: typeof entry.content === 'string' ? entry.content.slice(0, MAX_TITLE_CHARS) : '',
      status: entry.status === 'in_progress' || entry.status === 'completed' ? entry.status : 'pending',
      priority: entry.priority === 'high' || entry.priority === 'low' ? entry.priority : 'medium',
    }));
}

function commandsOf(raw: unknown): AgentCommand[] {
  if (!Array.isArray(raw)) return [];
  return raw
    .filter(isRecord)
    .slice(0, MAX_COMMANDS)
    .flatMap(({ name, description, input }) =>
      typeof name === 'string' && name !== ''
        ? [
            {
              name,
              description: typeof description === 'string' ? description.slice(0, MAX_TITLE_CHARS) : '',
              hint: isRecord(input) && typeof input.hint === 'string' ? input.hint : null,
            },
          ]
        : [],
    );
}

function optionKind(kind: unknown, optionId: string): PermissionOption['kind'] {
  if (kind === 'allow_once' || kind === 'allow_always' || kind === 'reject_once' || kind === 'reject_always')
    return kind;
  // Where an agent makes up a kind, what is not plainly a permission is none.
  return /^(allow|approve|proceed|yes)/i.test(optionId) ? 'allow_once' : 'reject_once';
}

/** An id that the house can keep: a longer one is cut, with a checksum of the whole so that two never meet. */
function shortId(id: string): ToolCallId {
  if (id.length <= MAX_ID_CHARS) return id as ToolCallId;
  let hash = 0xcbf29ce484222325n;
  for (let at = 0; at < id.length; at += 1) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(id.charCodeAt(at))) * 0x100000001b3n);
  }
  return `${id.slice(0, MAX_ID_CHARS - 17)}~${hash.toString(16).padStart(16, '0')}` as ToolCallId;
}
