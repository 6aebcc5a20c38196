/** Remembers what folders hold, down to sizes and times, so that whoever touched them is found out. */
import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand, type Scratch } from './commands';

/** Path → what stands there. A git directory's files, objects apart, hold their content's hash: refs, reflogs, stash, index. */
export type Imprint = Map<string, string>;

const GIT_FILE = /(^|\/)\.git(\/|$)|\.git\/|(^|\/)(HEAD|packed-refs)$/;

/**
 * Walks `roots` without following links or opening what is no file. Folders count with their times too, so that a file
 * that was there for a moment only (a lock) leaves a mark.
 */
export function takeImprint(roots: readonly string[], options: { gitOnly?: boolean } = {}): Imprint {
  const imprint: Imprint = new Map();
  for (const root of roots) walk(root, imprint, options.gitOnly === true);
  return imprint;
}

function walk(path: string, imprint: Imprint, gitOnly: boolean): void {
  let stats: ReturnType<typeof lstatSync>;
  try {
    stats = lstatSync(path, { bigint: true });
  } catch {
    return;
  }
  const { mode, size, mtimeNs, ctimeNs } = stats as unknown as Record<'mode' | 'size' | 'mtimeNs' | 'ctimeNs', bigint>;
  let mark = `mode ${mode.toString(8)}, mtime ${mtimeNs}, ctime ${ctimeNs}`;
  if (stats.isSymbolicLink()) mark += `, to ${readlinkSync(path)}`;
  else if (stats.isFile())
    mark += `, size ${size}${GIT_FILE.test(path) && !path.includes('/objects/') ? hashOf(path) : ''}`;
  const inGit = GIT_FILE.test(path);
  if (!gitOnly || inGit) imprint.set(path, mark);
  if (!stats.isDirectory()) return;
  let names: string[] = [];
  try {
    names = readdirSync(path);
  } catch {
    return;
  }
  for (const name of names) {
    if (gitOnly && !inGit && name !== '.git') continue;
    walk(join(path, name), imprint, gitOnly);
  }
}

function hashOf(path: string): string {
  try {
    return `, sha1 ${createHash('sha1').update(readFileSync(path)).digest('hex')}`;
  } catch {
    return '';
  }
}

/** What differs between two imprints, in sentences; empty where nothing does. */
export function imprintDifferences(before: Imprint, after: Imprint): string[] {
  const differences: string[] = [];
  for (const [path, mark] of after) {
    const earlier = before.get(path);
    if (earlier === undefined) differences.push(`${path} is new`);
    else if (earlier !== mark) differences.push(`${path}: ${partsThatDiffer(earlier, mark)}`);
  }
  for (const path of before.keys()) if (!after.has(path)) differences.push(`${path} is gone`);
  return differences;
}

/** `mtime 14:02:11.181 → 14:02:12.953`: the parts of a mark that are not the same. */
function partsThatDiffer(before: string, after: string): string {
  const [old, now] = [before.split(', '), after.split(', ')];
  const parts = now.flatMap((part, at) => {
    const earlier = old[at] ?? 'nothing';
    const [name, value] = part.split(' ');
    const same = part === earlier || (name === 'ctime' && now.some((one, index) => index < at && one !== old[index]));
    return same ? [] : [`${name} ${inWords(earlier)} → ${inWords(`${name} ${value}`)}`];
  });
  return parts.length > 0 ? parts.join(', ') : `${before} → ${after}`;
}

/** The value of a part; nanoseconds as a time of day. */
function inWords(part: string): string {
  const [name, value = ''] = part.split(' ');
  if (name !== 'mtime' && name !== 'ctime') return value;
  return new Date(Number(BigInt(value) / 1_000_000n)).toISOString().slice(11, 23);
}

/** `git status --porcelain=v2` of a work tree, asked so that nothing is written and no program of the repository runs. */
export async function gitStatus(top: string, scratch: Scratch): Promise<string> {
  const quiet = ['-c', 'safe.directory=*', '-c', 'core.fsmonitor=false', '--no-optional-locks'];
  const args = ['status', '--porcelain=v2', '--branch', '--ignore-submodules=all', '-z'];
  const { stdout, stderr, status } = await runCommand('git', [...quiet, ...args], { cwd: top, env: scratch.env });
  return status === 0 ? stdout.toString('latin1') : `git status failed: ${stderr}`;
}
