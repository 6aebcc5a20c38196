/** The tools `edit` and `write`: they change a file and answer with the diff of what is on the disk afterwards. */

import { appliedHunks, type FileSide } from '@/lib/domain/applied-hunks';
import { counted } from '@/lib/domain/change-words';
import type { Json } from '@/lib/domain/conversation';
import { type DiffBounds, diffBlock, isReturned } from './applied-diff';
import type { FileDoor, FileState } from './file-door';
import { type ToolAnswer, ToolFailure } from './tool-answer';

export interface EditInput {
  path: string;
  old_string: string;
  new_string: string;
  replace_all?: boolean | undefined;
}

export interface WriteInput {
  path: string;
  content: string;
}

export interface EditTools {
  files: FileDoor;
  bounds: DiffBounds;
  /** Paths, relative to the workspace, whose content is neither stored nor shown. */
  isPrivate(name: string): boolean;
}

/** Replaces one text in a file, or every one. */
export async function edit({ files, ...rest }: EditTools, input: EditInput): Promise<ToolAnswer> {
  if (input.old_string === '') throw new ToolFailure('old_string is empty; use `write` to create a file.');
  if (input.old_string === input.new_string) throw new ToolFailure('old_string and new_string are the same.');
  const before = await files.read(input.path);
  if (!before.exists) throw new ToolFailure(`${before.name} does not exist; use \`write\` to create it.`);
  const text = textOf(before.bytes);
  if (text === null) throw new ToolFailure(`${before.name} is not a text file.`);
  const returns = isReturned(text);
  const [from, to] = [input.old_string, input.new_string].map((part) => (returns ? withReturns(part) : part)) as [
    string,
    string,
  ];
  const sites = text.split(from).length - 1;
  if (sites === 0) {
    throw new ToolFailure(`old_string is not in ${before.name}. It must match exactly, white space included.`);
  }
  if (sites > 1 && !input.replace_all) {
    throw new ToolFailure(
      `old_string is in ${before.name} ${sites} times. Give more of its surroundings, or set replace_all.`,
    );
  }
  const after = input.replace_all ? text.split(from).join(to) : text.replace(from, () => to);
  await files.replace(before, Buffer.from(after));
  const { block, meta } = await shown(files, rest, before, text);
  return {
    text: [`Edited ${before.name} (${counted(sites, 'replacement')}).`, block].filter(Boolean).join('\n'),
    meta,
  };
}

/** Writes a whole file. */
export async function write({ files, ...rest }: EditTools, input: WriteInput): Promise<ToolAnswer> {
  const before = await files.read(input.path);
  const text = before.exists ? textOf(before.bytes) : null;
  const bytes = Buffer.from(isReturned(text) ? withReturns(input.content) : input.content);
  await files.replace(before, bytes);
  const { block, meta } = await shown(files, rest, before, text);
  // The diff only where it replaced text: all of a new file is what the model just wrote.
  const lines = [`Wrote ${counted(bytes.length, 'byte')} to ${before.name}.`, text === null ? null : block];
  return { text: lines.filter(Boolean).join('\n'), meta };
}

/** What the disk holds now, against what it held: the block for the model, the hunks for programs. */
async function shown(
  files: FileDoor,
  { bounds, isPrivate }: Omit<EditTools, 'files'>,
  before: FileState,
  text: string | null,
): Promise<{ block: string | null; meta: { [key: string]: Json } }> {
  if (isPrivate(before.name)) return { block: null, meta: {} };
  // The edit is done; what somebody did to the file since is no failure of it.
  const now = await files
    .read(before.path)
    .catch((): FileState => ({ path: before.path, name: before.name, exists: false }));
  const after = now.exists ? textOf(now.bytes) : null;
  const touched = { path: before.name, before: sideOf(before, text), after: sideOf(now, after) };
  return {
    block: text === null || after === null ? null : diffBlock(text, after, bounds),
    meta: appliedHunks([touched], { lineDiffMs: bounds.timeoutMs }) ?? { diffs: [] },
  };
}

function sideOf(file: FileState, text: string | null): FileSide {
  if (!file.exists) return { state: 'absent' };
  return text === null ? { state: 'binary', size: file.bytes.length } : { state: 'text', text };
}

/** Bytes as text; null where they are not UTF-8, or hold a NUL. A byte order mark is kept. */
function textOf(bytes: Uint8Array): string | null {
  if (bytes.includes(0)) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** A text whose lines end as those of the file do. */
function withReturns(text: string): string {
  return text.replace(/\r?\n/g, '\r\n');
}
