/** Files that an agent reads and writes through us (`fs/read_text_file`, `fs/write_text_file`): opt-in, confined to the workspace. */
import { lstat, mkdir, readFile, realpath, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { RequestError } from '@agentclientprotocol/sdk';
import { z } from 'zod';

/** JSON-RPC's "invalid params", which agents show to their model. */
const INVALID_PARAMS = -32602;

const readSchema = z.looseObject({
  path: z.string().min(1),
  line: z.number().int().min(0).nullish(),
  limit: z.number().int().min(0).nullish(),
});
const writeSchema = z.looseObject({ path: z.string().min(1), content: z.string() });

export interface AcpFilesOptions {
  /** Real path. */
  workspace: string;
  /** Bytes of one file that are read or written. */
  fileBytes: number;
  /** Resolves when the file may change: what it held before has been copied. */
  beforeWrite(path: string): Promise<void>;
}

export interface AcpFiles {
  read(params: unknown): Promise<{ content: string }>;
  write(params: unknown): Promise<Record<string, never>>;
}

/** Throws `RequestError` for what lies outside the workspace, is no text file or is too large. */
export function createAcpFiles({ workspace, fileBytes, beforeWrite }: AcpFilesOptions): AcpFiles {
  return {
    async read(params) {
      const { path, line, limit } = parse(readSchema, params);
      const target = await confined(workspace, path);
      const found = await stat(target).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return null;
        throw refused(`${path}: ${error.code ?? 'cannot be read'}`);
      });
      // Gemini reads a file that it is about to create, and takes any error for a failure.
      if (found === null) return { content: '' };
      if (!found.isFile()) throw refused(`${path} is not a file`);
      if (found.size > fileBytes) throw refused(`${path} is larger than ${fileBytes} bytes`);
      const text = decoded(await readFile(target));
      if (text === null) throw refused(`${path} is not a text file`);
      return { content: lines(text, line ?? null, limit ?? null) };
    },

    async write(params) {
      const { path, content } = parse(writeSchema, params);
      if (Buffer.byteLength(content) > fileBytes) throw refused(`${path} would be larger than ${fileBytes} bytes`);
      const target = await confined(workspace, path);
      const found = await lstat(target).catch(() => null);
      if (found && !found.isFile()) throw refused(`${path} is not a file`);
      await beforeWrite(target);
      await mkdir(dirname(target), { recursive: true });
      await writeFile(target, content);
      return {};
    },
  };
}

/** The real place of a path, or an error where it is outside: `..`, an absolute path, or a link that leads out. */
async function confined(workspace: string, path: string): Promise<string> {
  if (path.includes('\0')) throw refused('The path holds a null character');
  const wanted = resolve(workspace, path);
  let existing = wanted;
  let missing = '';
  for (;;) {
    try {
      const real = join(await realpath(existing), missing);
      if (real !== workspace && !real.startsWith(workspace.endsWith(sep) ? workspace : workspace + sep)) {
        throw refused(`${path} is outside the workspace`);
      }
      return real;
    } catch (error) {
      if (error instanceof RequestError) throw error;
      const parent = dirname(existing);
      // A link to nowhere would be followed by the write: it is not a missing name.
      const isLink = (await lstat(existing).catch(() => null))?.isSymbolicLink() ?? false;
      if (isLink || parent === existing) throw refused(`${path} leads nowhere`);
      missing = join(basename(existing), missing);
      existing = parent;
    }
  }
}

function parse<Schema extends z.ZodType>(schema: Schema, params: unknown): z.output<Schema> {
  const parsed = schema.safeParse(params);
  if (parsed.success) return parsed.data;
  throw refused(parsed.error.issues[0]?.message ?? 'invalid');
}

function refused(message: string): RequestError {
  return new RequestError(INVALID_PARAMS, message);
}

function decoded(bytes: Uint8Array): string | null {
  if (bytes.includes(0)) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** Lines from `line` (counted from 1) on, at most `limit` of them, as they stand. */
function lines(text: string, line: number | null, limit: number | null): string {
  if (line === null && limit === null) return text;
  const all = text.split(/(?<=\n)/);
  const start = Math.max(0, (line ?? 1) - 1);
  return all.slice(start, limit === null ? undefined : start + limit).join('');
}
