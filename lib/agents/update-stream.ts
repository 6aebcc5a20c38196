/** Passes on what an agent says, in order, with a flood of small pieces brought together into few. */
import type { AgentUpdate, ToolCallUpdate } from './agent';

/** Milliseconds that pieces wait for more of their kind; the first after a pause goes out at once. */
const GATHER_MS = 25;
/** Characters of text told in one update. */
const MAX_TEXT_CHARS = 128 * 1024;

export interface UpdateStream {
  push(update: AgentUpdate): void;
  /** Tells what is held back, now. */
  flush(): void;
}

/** `tell` is called synchronously, in the order of arrival, and must not throw. */
export function createUpdateStream(tell: (update: AgentUpdate) => void): UpdateStream {
  let held: AgentUpdate | null = null;
  let timer: NodeJS.Timeout | null = null;
  let toldAt = Number.NEGATIVE_INFINITY;

  function flush(): void {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    if (held === null) return;
    const update = held;
    held = null;
    toldAt = performance.now();
    tellInPieces(update);
  }

  function tellInPieces(update: AgentUpdate): void {
    if (update.type !== 'text' || update.text.length <= MAX_TEXT_CHARS) {
      tell(update);
      return;
    }
    for (let at = 0; at < update.text.length; ) {
      let end = Math.min(at + MAX_TEXT_CHARS, update.text.length);
      // Never between the two halves of a character.
      if (end < update.text.length && isHighSurrogate(update.text.charCodeAt(end - 1))) end -= 1;
      tell({ ...update, text: update.text.slice(at, end) });
      at = end;
    }
  }

  return {
    push(update) {
      const together = held === null ? null : gathered(held, update);
      if (together !== null) {
        held = together;
        return;
      }
      flush();
      if (!canWait(update)) {
        tellInPieces(update);
        return;
      }
      held = update;
      const wait = toldAt + GATHER_MS - performance.now();
      if (wait <= 0) flush();
      else timer = setTimeout(flush, wait);
    },
    flush,
  };
}

/** Text and growing output may wait a moment; a call that begins, moves on or ends may not. */
function canWait(update: AgentUpdate): boolean {
  return update.type === 'text' || (update.type === 'tool' && isOutputOnly(update.call));
}

function gathered(held: AgentUpdate, next: AgentUpdate): AgentUpdate | null {
  if (held.type === 'text' && next.type === 'text') {
    const fits = held.role === next.role && held.messageKey === next.messageKey;
    return fits ? { ...held, text: held.text + next.text } : null;
  }
  if (held.type !== 'tool' || next.type !== 'tool') return null;
  if (held.call.id !== next.call.id || !isOutputOnly(next.call)) return null;
  if (next.call.output !== undefined) return next;
  const appended = next.call.outputAppend ?? '';
  const { output, outputAppend = '', ...rest } = held.call;
  const call: ToolCallUpdate =
    output === undefined ? { ...rest, outputAppend: outputAppend + appended } : { ...rest, output: output + appended };
  return { type: 'tool', call };
}

/** Nothing but output, so that two of them make one. */
function isOutputOnly(call: ToolCallUpdate): boolean {
  const { id: _, output, outputAppend, tool: __, ...rest } = call;
  if (output === undefined && outputAppend === undefined) return false;
  return Object.values(rest).every((value) => value === undefined);
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}
