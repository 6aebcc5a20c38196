/**
 * The exported form of a workspace snapshot (seed 003): a fingerprint of every file, written, read and compared without
 * loss, so that any program can tell whether a workspace drifted.
 */
import { z } from 'zod';
import { AppError } from './errors';
import { comparePaths } from './workspace';

/** A compact fingerprint of one file. */
export interface FileStat {
  /** Bytes. */
  size: number;
  /** Nanoseconds since the epoch; more than a JavaScript number holds. */
  mtimeNs: bigint;
  /** FNV-1a-64 of the first 4,096 bytes; 0 for files above the size limit. */
  headHash: bigint;
}

export interface WorkspaceSnapshot {
  /** By path relative to the workspace, in the order of paths. */
  files: ReadonlyMap<string, FileStat>;
  /** RFC 3339. */
  capturedAt: string;
}

export interface SnapshotDelta {
  added: string[];
  changed: string[];
  removed: string[];
  /** Whether anything differs. */
  isDrift: boolean;
}

/** Bytes at the beginning of a file that its hash is made of. */
export const HEAD_BYTES = 4096;

/** FNV-1a, 64 bits, of the first `HEAD_BYTES` of what it is given. */
export function headHash(bytes: Uint8Array): bigint {
  // Two halves of 32 bits: the prime is 2^40 + 0x1b3, and a number holds the product with 0x1b3 exactly.
  let high = 0xcbf29ce4;
  let low = 0x84222325;
  const end = Math.min(bytes.length, HEAD_BYTES);
  for (let at = 0; at < end; at += 1) {
    low = (low ^ (bytes[at] as number)) >>> 0;
    const product = low * 0x1b3;
    high = (Math.imul(high, 0x1b3) + Math.floor(product / 0x1_0000_0000) + (low << 8)) >>> 0;
    low = product % 0x1_0000_0000;
  }
  return (BigInt(high) << 32n) | BigInt(low);
}

/** A snapshot of files in any order, taken at `capturedAt` (ms). */
export function workspaceSnapshot(files: Iterable<{ path: string } & FileStat>, capturedAt: number): WorkspaceSnapshot {
  const sorted = [...files].sort((a, b) => comparePaths(a.path, b.path));
  return {
    files: new Map(sorted.map(({ path, size, mtimeNs, headHash: hash }) => [path, { size, mtimeNs, headHash: hash }])),
    capturedAt: new Date(capturedAt).toISOString(),
  };
}

/** The JSON of a snapshot. Numbers are written in full, as programs of other languages read them. */
export function saveSnapshot({ files, capturedAt }: WorkspaceSnapshot): string {
  const entries = [...files].map(
    ([path, { size, mtimeNs, headHash: hash }]) =>
      `    ${JSON.stringify(path)}: {"size": ${size}, "mtime_ns": ${mtimeNs}, "head_hash": ${hash}}`,
  );
  const body = entries.length === 0 ? '{}' : `{\n${entries.join(',\n')}\n  }`;
  return `{\n  "files": ${body},\n  "captured_at": ${JSON.stringify(capturedAt)}\n}\n`;
}

/** An integer of up to 64 bits, as it stood in the text. */
const wholeNumber = (least: bigint, most: bigint) =>
  z
    .union([z.number().int(), z.string().regex(/^-?\d{1,20}$/)])
    .transform((value) => BigInt(value))
    .refine((value) => value >= least && value <= most, 'is out of range');

const statSchema = z.object({
  size: wholeNumber(0n, BigInt(Number.MAX_SAFE_INTEGER)),
  mtime_ns: wholeNumber(-(2n ** 63n), 2n ** 63n - 1n),
  head_hash: wholeNumber(0n, 2n ** 64n - 1n),
});

const snapshotSchema = z.object({
  // Not a record: that would lose a file named `__proto__`.
  files: z.custom<object>((value) => typeof value === 'object' && value !== null && !Array.isArray(value)),
  captured_at: z.string().refine((text) => !Number.isNaN(Date.parse(text)), 'is no RFC 3339 time'),
});

/** Reads what `saveSnapshot` wrote, or any program that writes the same form. Throws `invalid_request`. */
export function loadSnapshot(text: string): WorkspaceSnapshot {
  let value: unknown;
  try {
    // Only of what is JSON are numbers told from texts.
    JSON.parse(text);
    value = JSON.parse(withLongNumbersQuoted(text));
  } catch {
    throw new AppError('invalid_request', 'body: is not JSON');
  }
  const { files, captured_at } = parsed(snapshotSchema, value, '');
  const stats = Object.entries(files).map(([path, stat]) => {
    const { size, mtime_ns, head_hash } = parsed(statSchema, stat, `files.${path}`);
    return [path, { size: Number(size), mtimeNs: mtime_ns, headHash: head_hash }] as const;
  });
  return { files: new Map(stats.sort(([a], [b]) => comparePaths(a, b))), capturedAt: captured_at };
}

function parsed<Schema extends z.ZodType>(schema: Schema, value: unknown, where: string): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const field = [where, ...(issue?.path ?? [])].filter((part) => part !== '').join('.');
  throw new AppError('invalid_request', `${field || 'body'}: ${issue?.message ?? 'is not valid'}`);
}

/** Quotes integers that a JavaScript number cannot hold; what stands in a text is left alone. */
function withLongNumbersQuoted(text: string): string {
  return text.replace(/"(?:[^"\\]|\\.)*"|-?\d{16,20}(?![\d.eE])/g, (token) =>
    token.startsWith('"') ? token : `"${token}"`,
  );
}

/** What differs from `before` to `after`. */
export function compareSnapshots(before: WorkspaceSnapshot, after: WorkspaceSnapshot): SnapshotDelta {
  const added: string[] = [];
  const changed: string[] = [];
  for (const [path, stat] of after.files) {
    const earlier = before.files.get(path);
    if (!earlier) added.push(path);
    else if (!sameStat(earlier, stat)) changed.push(path);
  }
  const removed = [...before.files.keys()].filter((path) => !after.files.has(path));
  return { added, changed, removed, isDrift: added.length + changed.length + removed.length > 0 };
}

function sameStat(a: FileStat, b: FileStat): boolean {
  return a.size === b.size && a.mtimeNs === b.mtimeNs && a.headHash === b.headHash;
}
