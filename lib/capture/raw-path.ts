/** Paths of any bytes held as strings of one code unit a byte, so that they can be compared, keyed and stored as JSON. */
import { join } from 'node:path';
import { type WrittenPath, writePath } from '@/lib/domain/workspace';

/** A path whose bytes are the string's code units (Latin-1): `é` in UTF-8 is two of them. Relative ones use `/` and never start with it. */
export type RawPath = string & { readonly __brand: 'RawPath' };

export const NO_PATH = '' as RawPath;

export function rawFromBytes(bytes: Uint8Array): RawPath {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1') as RawPath;
}

export function rawFromText(text: string): RawPath {
  return Buffer.from(text, 'utf8').toString('latin1') as RawPath;
}

export function rawToBytes(path: RawPath): Buffer {
  return Buffer.from(path, 'latin1');
}

/** As the record writes it: see `writePath`. */
export function writeRaw(path: RawPath): WrittenPath {
  return writePath(rawToBytes(path));
}

/** `prefix` is empty or ends in `/`. */
export function joinRaw(prefix: string, path: string): RawPath {
  return (prefix + path) as RawPath;
}

/** The path of a file on disk as bytes, which every function of `node:fs` takes. */
export function onDisk(root: string, path: RawPath): Buffer {
  return path === '' ? Buffer.from(root) : Buffer.concat([Buffer.from(join(root, '/')), rawToBytes(path)]);
}

/** The folder that holds a path, without a final slash; empty for the root. */
export function parentOf(path: RawPath): RawPath {
  const slash = path.lastIndexOf('/');
  return (slash < 0 ? '' : path.slice(0, slash)) as RawPath;
}

export function baseOf(path: RawPath): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** Joins paths into what git reads with `-z --stdin`, in pieces, so that no huge buffer is built. */
export function* nulSeparated(paths: Iterable<RawPath>): Generator<Buffer> {
  let piece = '';
  for (const path of paths) {
    piece += `${path}\0`;
    if (piece.length > 64 * 1024) {
      yield Buffer.from(piece, 'latin1');
      piece = '';
    }
  }
  if (piece !== '') yield Buffer.from(piece, 'latin1');
}
