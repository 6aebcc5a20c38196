/** Writes down what is said and done in a run: streamed text, tool calls, plans; stores it and tells the listeners. */
import type { ToolCallUpdate } from '@/lib/agents/agent';
import { isToolOpen, type Json, type MessageRole, type PlanEntry, type ToolCall } from '@/lib/domain/conversation';
import { type MessageId, mintId, type SessionId } from '@/lib/domain/ids';
import { insertMessage, saveMessageText, savePlan } from '@/lib/store/run-store';
import { briefToolCall, insertToolCall, saveToolCall } from '@/lib/store/tool-store';
import type { House } from './house';
import type { LiveCall, LiveMessage, LiveRun } from './live-run';
import { tell } from './tell';

/** Characters of one streamed message that are kept; past it the rest is left out with a note. */
const MAX_MESSAGE_CHARS = 2_000_000;
/** Milliseconds after which what streams is stored: all that a crash of ours can cost of it. */
const SAVE_EVERY_MS = 1_000;

/** Adds a whole message to a run. */
export function addMessage(house: House, live: LiveRun, role: MessageRole, text: string): void {
  endSpeech(house, live);
  const message = { id: mintId<MessageId>('msg'), runId: live.run.id, role, text, createdAt: Date.now() };
  const at = insertMessage(house.store, live.session.id, message);
  tell(house, live, { event: 'message.created', message, at });
}

/** Adds streamed text: to the message that is being spoken where role and key fit, else to a new one. */
export function addText(house: House, live: LiveRun, role: MessageRole, key: string | null, text: string): void {
  if (text === '') return;
  const speaking = live.speaking;
  const fits = speaking?.message.role === role && (key === null || speaking.key === null || speaking.key === key);
  if (!speaking || !fits) {
    endSpeech(house, live);
    const message = { id: mintId<MessageId>('msg'), runId: live.run.id, role, text, createdAt: Date.now() };
    const at = insertMessage(house.store, live.session.id, message);
    live.speaking = { message, key, unsaved: false, savedAt: Date.now() };
    tell(house, live, { event: 'message.created', message, at });
    return;
  }
  const room = MAX_MESSAGE_CHARS - speaking.message.text.length;
  if (room <= 0) return;
  const delta =
    text.length <= room ? text : `${text.slice(0, room)}\n\n(the rest of this message was left out: too long)`;
  const start = speaking.message.text.length;
  speaking.message.text += delta;
  speaking.unsaved = true;
  if (Date.now() - speaking.savedAt > SAVE_EVERY_MS) saveSpeech(house, speaking);
  tell(house, live, {
    event: 'message.delta',
    messageId: speaking.message.id,
    role,
    start,
    delta,
  });
}

/** Ends the message that is being spoken: the next text begins a new one. */
export function endSpeech(house: House, live: LiveRun): void {
  if (live.speaking?.unsaved) saveSpeech(house, live.speaking);
  live.speaking = null;
}

/** Stores what streams are still holding back, so that a reader of the history misses nothing. */
export function flushSession(house: House, sessionId: SessionId): void {
  for (const live of house.live.values()) {
    if (live.session.id !== sessionId) continue;
    if (live.speaking?.unsaved) saveSpeech(house, live.speaking);
    for (const entry of live.calls.values()) if (entry.unsaved) saveCall(house, entry);
  }
}

function saveSpeech(house: House, speaking: LiveMessage): void {
  saveMessageText(house.store, speaking.message.id, speaking.message.text);
  speaking.unsaved = false;
  speaking.savedAt = Date.now();
}

function saveCall(house: House, entry: LiveCall, completion?: string): void {
  saveToolCall(house.store, entry.call, completion);
  entry.unsaved = false;
  entry.savedAt = Date.now();
}

/** Creates a call or merges what is new about it. Returns the entry and whether it is new, and whether it just ended. */
export function upsertCall(
  house: House,
  live: LiveRun,
  update: ToolCallUpdate,
  request: string | null = null,
): { entry: LiveCall; created: boolean; ended: boolean } {
  const existing = live.calls.get(update.id);
  if (!existing) {
    endSpeech(house, live);
    const call = merged(blankCall(live, update), update, house.settings.limits.outputBytes);
    const at = insertToolCall(house.store, live.session.id, call, request);
    const entry: LiveCall = {
      call,
      at,
      unsaved: false,
      savedAt: Date.now(),
      isMetaForeign: update.metaWhole !== undefined,
      paths: new Set(),
      started: Promise.resolve(),
    };
    live.calls.set(update.id, entry);
    publishCall(house, live, entry, 'tool.started');
    return { entry, created: true, ended: !isToolOpen(call.status) };
  }
  const before = existing.call;
  // A call that ended stays ended; what still comes of it (its output, its diff) is kept.
  const { status, ...rest } = update;
  const wasOpen = isToolOpen(before.status);
  existing.call = merged(before, wasOpen ? update : rest, house.settings.limits.outputBytes);
  existing.unsaved = true;
  existing.isMetaForeign ||= update.metaWhole !== undefined;
  if (Date.now() - existing.savedAt > SAVE_EVERY_MS) saveCall(house, existing);
  const ended = wasOpen && !isToolOpen(existing.call.status);
  if (!ended) publishCall(house, live, existing, 'tool.updated', before);
  return { entry: existing, created: false, ended };
}

/** Stores and announces the end of a call; called once its card is complete. */
export function announceCallEnd(house: House, live: LiveRun, entry: LiveCall, completion?: string): void {
  saveCall(house, entry, completion);
  publishCall(house, live, entry, 'tool.completed');
}

function publishCall(
  house: House,
  live: LiveRun,
  entry: LiveCall,
  event: 'tool.started' | 'tool.updated' | 'tool.completed',
  before?: ToolCall,
): void {
  const start = before?.output?.length ?? 0;
  const added = before && entry.call.output?.startsWith(before.output ?? '') ? entry.call.output.slice(start) : '';
  tell(house, live, {
    event,
    toolCall: briefToolCall(entry.call),
    at: entry.at,
    ...(added === '' ? {} : { outputDelta: { start, text: added } }),
  });
}

function blankCall(live: LiveRun, update: ToolCallUpdate): ToolCall {
  return {
    id: update.id,
    runId: live.run.id,
    title: update.title ?? update.tool ?? 'Tool call',
    tool: null,
    kind: 'other',
    status: 'in_progress',
    locations: [],
    input: null,
    output: null,
    outputBytes: 0,
    outputTruncated: false,
    meta: null,
    brief: false,
    startedAt: Date.now(),
    finishedAt: null,
  };
}

function merged(call: ToolCall, update: ToolCallUpdate, outputLimit: number): ToolCall {
  const next: ToolCall = {
    ...call,
    title: update.title ?? call.title,
    tool: update.tool ?? call.tool,
    kind: update.kind ?? call.kind,
    status: update.status ?? call.status,
    locations: update.locations ?? call.locations,
    input: update.input ?? call.input,
    meta: update.metaWhole ?? (update.meta ? mergedMeta(call.meta, update.meta) : call.meta),
  };
  if (update.output !== undefined) Object.assign(next, boundedOutput(update.output, outputLimit));
  if (update.outputAppend !== undefined) Object.assign(next, appendedOutput(next, update.outputAppend, outputLimit));
  if (update.outputDropped !== undefined) next.outputBytes += update.outputDropped;
  next.outputTruncated = next.outputBytes > Buffer.byteLength(next.output ?? '');
  if (!isToolOpen(next.status) && next.finishedAt === null) next.finishedAt = Date.now();
  return next;
}

function boundedOutput(text: string, limit: number): Pick<ToolCall, 'output' | 'outputBytes'> {
  return { output: cutToBytes(text, limit), outputBytes: Buffer.byteLength(text) };
}

function appendedOutput(call: ToolCall, text: string, limit: number): Pick<ToolCall, 'output' | 'outputBytes'> {
  const held = call.output ?? '';
  // Once something was left out, nothing more is added: what is kept stays the true beginning.
  const room = call.outputBytes > Buffer.byteLength(held) ? 0 : limit - Buffer.byteLength(held);
  return { output: held + cutToBytes(text, room), outputBytes: call.outputBytes + Buffer.byteLength(text) };
}

/** The longest beginning of `text` that fits into `limit` bytes, cut between characters. */
function cutToBytes(text: string, limit: number): string {
  if (limit <= 0) return '';
  const bytes = Buffer.from(text);
  if (bytes.length <= limit) return text;
  let end = limit;
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return bytes.toString('utf8', 0, end);
}

/** `meta` with more fields; what is no object gives way. */
export function mergedMeta(meta: Json, more: { [key: string]: Json }): Json {
  return typeof meta === 'object' && meta !== null && !Array.isArray(meta) ? { ...meta, ...more } : more;
}

/** Stores and tells the agent's plan. */
export function setPlan(house: House, live: LiveRun, entries: PlanEntry[]): void {
  savePlan(house.store, live.run.id, entries);
  tell(house, live, { event: 'plan.updated', entries });
}
