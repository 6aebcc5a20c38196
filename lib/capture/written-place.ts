/** Says how a path below a record's root is written for a workspace: relative inside, `../` above, absolute elsewhere. */
import { displayPath, readPath } from '@/lib/domain/workspace';
import { type RawPath, rawFromBytes, rawFromText, writeRaw } from './raw-path';

export interface WrittenPlace {
  names(difference: { path: RawPath; outside: boolean }): { path: string; pathQuoted: boolean; displayPath: string };
  /** The other way round: where below the record's root a row's path is. */
  locate(row: { path: string; pathQuoted: boolean }): { path: RawPath; outside: boolean };
}

/** `workspace` is the workspace's own place below the record's root: empty, or `packages/a`. */
export function writtenPlace(workspace: RawPath, home: string): WrittenPlace {
  const own = workspace === '' ? [] : workspace.split('/');
  return {
    names({ path, outside }) {
      const written = writeRaw(outside ? (`/${path}` as RawPath) : relative(own, path));
      return {
        path: written.path,
        pathQuoted: written.quoted,
        displayPath: outside && !written.quoted ? displayPath(written.path, home) : written.path,
      };
    },
    locate({ path, pathQuoted }) {
      const raw = pathQuoted ? rawFromBytes(readPath({ path, quoted: true })) : rawFromText(path);
      if (raw.startsWith('/')) return { path: raw.slice(1) as RawPath, outside: true };
      const parts = [...own];
      const rest = raw.split('/');
      while (rest[0] === '..' && parts.length > 0) {
        rest.shift();
        parts.pop();
      }
      return { path: [...parts, ...rest].join('/') as RawPath, outside: false };
    },
  };
}

function relative(own: readonly string[], path: RawPath): RawPath {
  if (own.length === 0) return path;
  const parts = path.split('/');
  let shared = 0;
  // The last part is a name, never a folder that both share.
  while (shared < own.length && shared < parts.length - 1 && own[shared] === parts[shared]) shared += 1;
  return [...own.slice(shared).map(() => '..'), ...parts.slice(shared)].join('/') as RawPath;
}
