/** Reads what stands inside ACP messages, as agents really send it: text, snippets of edits, exit codes. Unknown things are left out. */
import { z } from 'zod';
import type { Json } from '@/lib/domain/conversation';

/** Characters of one string of a tool's input that are kept; a card shows it, nobody works from it. */
const MAX_INPUT_STRING_CHARS = 32_000;
/** Bytes of a whole input as JSON; past it only its shape is told. */
const MAX_INPUT_BYTES = 512 * 1024;
/** Characters of one side of a call-time snippet. */
const MAX_SNIPPET_CHARS = 64_000;
/** Snippets kept of one call. */
const MAX_SNIPPETS = 200;
/** Bytes of a raw output that is kept as the agent gave it. */
const MAX_RAW_OUTPUT_BYTES = 64 * 1024;

/** A call-time snippet: what the agent said it would do. Hunks of an applied edit supersede it. Keys as they are stored. */
export interface Snippet {
  [key: string]: Json;
  path: string;
  old_text: string | null;
  new_text: string;
  /** A side was longer than what is kept. */
  cut: boolean;
}

const IN_WORDS = /^Exit code:? (\d{1,3})$/im;

const blockSchema = z.looseObject({ type: z.string() });
const textSchema = z.string();

/** The Markdown text of one content block; empty for what cannot be told in text. */
export function textOfBlock(raw: unknown): string {
  const block = blockSchema.safeParse(raw);
  if (!block.success) return '';
  const { type, text, uri, name, mimeType, resource } = block.data;
  switch (type) {
    case 'text':
      return textSchema.safeParse(text).data ?? '';
    case 'image':
    case 'audio':
      return `*(${type}${typeof mimeType === 'string' ? `, ${mimeType}` : ''})*`;
    case 'resource_link':
      return typeof uri === 'string' ? `[${typeof name === 'string' ? name : uri}](${uri})` : '';
    case 'resource': {
      const embedded = z.looseObject({ uri: z.string(), text: z.string().optional() }).safeParse(resource);
      if (!embedded.success) return '';
      return embedded.data.text ?? `*(resource, ${embedded.data.uri})*`;
    }
    default:
      return '';
  }
}

/** What a tool call's `content` holds. Terminals that the client never made are left out. */
export function toolContent(raw: unknown): { text: string | null; snippets: Snippet[] } | null {
  if (!Array.isArray(raw)) return null;
  const texts: string[] = [];
  const snippets: Snippet[] = [];
  for (const item of raw) {
    if (!isRecord(item)) continue;
    if (item.type === 'content') {
      const text = textOfBlock(item.content);
      if (text !== '') texts.push(text);
    } else if (item.type === 'diff' && typeof item.path === 'string' && snippets.length < MAX_SNIPPETS) {
      const oldText = typeof item.oldText === 'string' ? item.oldText : null;
      const newText = typeof item.newText === 'string' ? item.newText : '';
      snippets.push({
        path: item.path,
        old_text: oldText === null ? null : oldText.slice(0, MAX_SNIPPET_CHARS),
        new_text: newText.slice(0, MAX_SNIPPET_CHARS),
        cut: (oldText?.length ?? 0) > MAX_SNIPPET_CHARS || newText.length > MAX_SNIPPET_CHARS,
      });
    }
  }
  return { text: texts.length > 0 ? texts.join('\n') : null, snippets };
}

/**
 * The readable text of a `rawOutput`, or null where it has none of its own. Agents put the plain output here, and
 * the same wrapped in a code fence into `content`.
 */
export function textOfRawOutput(raw: unknown): string | null {
  if (typeof raw === 'string') return raw;
  if (!isRecord(raw)) return null;
  if (typeof raw.output === 'string') return raw.output;
  // An MCP result as codex-acp hands it on.
  const result = isRecord(raw.result) ? raw.result : raw;
  if (!Array.isArray(result.content)) return null;
  const texts = result.content.map(textOfBlock).filter((text) => text !== '');
  return texts.length > 0 ? texts.join('\n') : null;
}

/** A `rawOutput` that is an object, as it is, where it is small enough to be kept. */
export function keptRawOutput(raw: unknown): Json | undefined {
  if (typeof raw !== 'object' || raw === null) return undefined;
  const text = JSON.stringify(raw);
  return text === undefined || text.length > MAX_RAW_OUTPUT_BYTES ? undefined : (raw as Json);
}

/**
 * The exit code of a command, which no agent tells in the same place, and which its status does not follow.
 * `text` is what the call printed where it is a command, else null.
 */
export function exitCode(told: { rawOutput: unknown; meta: unknown; text: string | null }): number | null {
  const meta = isRecord(told.meta) ? told.meta : {};
  const raw = isRecord(told.rawOutput) ? told.rawOutput : {};
  const codes = [
    isRecord(meta.terminal_exit) ? meta.terminal_exit.exit_code : undefined,
    raw.exit_code,
    isRecord(raw.metadata) ? raw.metadata.exit : undefined,
  ];
  const code = codes.find((candidate) => typeof candidate === 'number');
  if (typeof code === 'number') return code;
  // Claude begins with it, Qwen ends with it.
  const { text } = told;
  const words = text === null ? null : (IN_WORDS.exec(text.slice(0, 500)) ?? IN_WORDS.exec(text.slice(-500)));
  return words ? Number(words[1]) : null;
}

/** A tool's input, bounded: long strings are cut with a note, and one that is still too large is told by its shape. */
export function boundedInput(raw: unknown): Json {
  const cut = cutStrings(raw as Json, 0);
  const bytes = JSON.stringify(cut)?.length ?? 0;
  if (bytes <= MAX_INPUT_BYTES) return cut;
  const names = isRecord(cut) ? Object.keys(cut).slice(0, 20) : [];
  return { left_out: `${bytes} bytes of input`, fields: names };
}

function cutStrings(value: Json, depth: number): Json {
  if (typeof value === 'string') {
    if (value.length <= MAX_INPUT_STRING_CHARS) return value;
    return `${value.slice(0, MAX_INPUT_STRING_CHARS)}… (${value.length - MAX_INPUT_STRING_CHARS} more characters)`;
  }
  if (typeof value !== 'object' || value === null) return value ?? null;
  // Deeper than any tool's input; a value nested without end must not end us.
  if (depth > 50) return '…';
  if (Array.isArray(value)) return value.map((item) => cutStrings(item, depth + 1));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, cutStrings(item, depth + 1)]));
}

export function isRecord(value: unknown): value is { [key: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
