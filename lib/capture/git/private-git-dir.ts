/** A git directory of our own for one work tree: it borrows the user's objects, runs nothing, and writes only here. */
import {
  copyFile,
  link,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  unlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import type { Fingerprint } from '../filesystem/fingerprint';
import type { Uncovered } from '../filesystem/walk';
import type { RawPath } from '../raw-path';
import { borrowedBy, lentTo } from './git-command';
import type { MeaningSettings, Repository } from './repository';

/** Where a work tree's private directory is, and what kind of objects it holds. */
export interface PrivateGitDir {
  key: string;
  dir: string;
  /** Root of the work tree. */
  top: string;
  objectFormat: 'sha1' | 'sha256';
}

export const objectsOf = (store: PrivateGitDir): string => join(store.dir, 'objects');
export const indexOf = (store: PrivateGitDir): string => join(store.dir, 'index');
/** What capture itself keeps beside git's files. */
export const ownFile = (store: PrivateGitDir, name: string): string => join(store.dir, 'tidemark', name);
export const zeroId = (store: Pick<PrivateGitDir, 'objectFormat'>): string =>
  '0'.repeat(store.objectFormat === 'sha256' ? 64 : 40);
export const emptyTree = (store: Pick<PrivateGitDir, 'objectFormat'>): string =>
  store.objectFormat === 'sha256'
    ? '6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321'
    : '4b825dc642cb6eb9a060e54bf8d69288fbee4904';

/** A settings value as a git configuration file holds it. */
const quoted = (value: string) =>
  `"${value.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n').replaceAll('\t', '\\t')}"`;

/**
 * Creates the directory where it is missing and brings its configuration up to date. `repository` is the user's, whose
 * objects are borrowed; null in a folder that has none. `attributes` and `excludes` are the texts of its `info/` files.
 */
export async function preparePrivateGitDir(
  store: PrivateGitDir,
  source: { repository: Repository; meaning: MeaningSettings } | null,
): Promise<void> {
  const { dir } = store;
  await Promise.all(
    [
      'objects/info',
      'objects/pack',
      'borrowed/info',
      'lent/pack',
      'refs/tidemark/snapshots',
      'refs/tidemark/kept',
      'info',
      'tidemark/snapshots',
    ].map((name) => mkdir(join(dir, name), { recursive: true, mode: 0o700 })),
  );
  const core: Record<string, string> = {
    repositoryformatversion: store.objectFormat === 'sha256' ? '1' : '0',
    bare: 'false',
    fsmonitor: 'false',
    hooksPath: '/dev/null',
    safecrlf: 'false',
    quotePath: 'false',
    logAllRefUpdates: 'false',
    untrackedCache: 'true',
    splitIndex: 'false',
    ...(source?.meaning.core ?? { autocrlf: 'false', excludesfile: '/dev/null', attributesfile: '/dev/null' }),
  };
  const config = [
    ...section('core', core),
    ...(store.objectFormat === 'sha256' ? section('extensions', { objectformat: 'sha256' }) : []),
    ...section('status', { showUntrackedFiles: 'all', renames: 'false' }),
    ...section('index', { sparse: 'false' }),
    ...section('feature', { manyFiles: 'false' }),
    ...section('gc', { auto: '0', autoDetach: 'false' }),
    ...section('maintenance', { auto: 'false' }),
    ...section('diff', { ignoreSubmodules: 'all' }),
  ].join('\n');
  await writeWhenOther(join(dir, 'config'), `${config}\n`);
  if (source === null) {
    await writeWhenOther(join(dir, 'info', 'attributes'), '* -text -filter -ident !eol !working-tree-encoding !diff\n');
  } else {
    const users = source.repository.commonDir;
    const objects = join(users, 'objects');
    const [attributes, excludes] = await Promise.all(
      ['attributes', 'exclude'].map((name) => readFile(join(users, 'info', name)).catch(() => Buffer.alloc(0))),
    );
    await Promise.all([
      writeWhenOther(join(borrowedBy(dir), 'info', 'alternates'), `${listed(objects)}\n`),
      // Content decides what is binary, and no diff driver has a say: this file wins over every other.
      writeWhenOther(
        join(dir, 'info', 'attributes'),
        Buffer.concat([attributes as Buffer, Buffer.from('\n* !diff\n')]),
      ),
      writeWhenOther(join(dir, 'info', 'exclude'), excludes as Buffer),
    ]);
  }
  await writeWhenOther(join(dir, 'tidemark', 'top'), store.top);
  // HEAD is written last: a directory without it is not a repository yet.
  if ((await stat(join(dir, 'HEAD')).catch(() => null)) === null) await setHead(store, 'ref: refs/heads/none');
}

function section(name: string, values: Record<string, string>): string[] {
  return [`[${name}]`, ...Object.entries(values).map(([key, value]) => `\t${key} = ${quoted(value)}`)];
}

/** A line of the alternates file. */
function listed(path: string): string {
  return /^["#]|\n/.test(path) ? `"${path.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n')}"` : path;
}

async function writeWhenOther(file: string, content: string | Buffer): Promise<void> {
  const wanted = Buffer.from(content as string);
  const present = await readFile(file).catch(() => null);
  if (present?.equals(wanted)) return;
  await writeAtomically(file, wanted);
}

async function writeAtomically(file: string, content: string | Uint8Array): Promise<void> {
  const temporary = `${file}.${process.pid}.new`;
  await writeFile(temporary, content, { mode: 0o600 });
  await rename(temporary, file);
}

/** Points HEAD at a commit, so that `status` compares with the last snapshot. */
export function setHead(store: PrivateGitDir, value: string): Promise<void> {
  return writeAtomically(join(store.dir, 'HEAD'), `${value}\n`);
}

/** Removes locks that a killed git left; nobody else works here while the queue is ours. */
export async function removeLocks(store: PrivateGitDir): Promise<void> {
  await Promise.all(
    ['index.lock', 'HEAD.lock', 'config.lock', 'packed-refs.lock'].map((name) => remove(join(store.dir, name))),
  );
}

/** Removes the unfinished objects and packs of a killed git. */
export async function removeUnfinished(store: PrivateGitDir): Promise<void> {
  for (const objects of [objectsOf(store), lentTo(store.dir)]) {
    for (const folder of await readdir(objects).catch(() => [] as string[])) {
      for (const name of await readdir(join(objects, folder)).catch(() => [] as string[])) {
        if (/^\.?tmp_/.test(name)) await remove(join(objects, folder, name));
      }
    }
  }
}

async function remove(file: string): Promise<void> {
  await unlink(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error;
  });
}

/** Copies an index so that git's racy-clean check still works: the copy is never newer than its source. */
export async function copyIndex(source: string, target: string): Promise<boolean> {
  const stats = await stat(source).catch(() => null);
  if (stats === null) return false;
  const temporary = `${target}.${process.pid}.new`;
  await copyFile(source, temporary);
  const seconds = Math.floor(stats.mtimeMs) / 1000;
  await utimes(temporary, seconds, seconds);
  await rename(temporary, target);
  return true;
}

/** Holds what a snapshot needs: its commit by a reference, its index by a second name. */
export async function holdSnapshot(store: PrivateGitDir, id: string, commit: string): Promise<void> {
  await writeAtomically(join(store.dir, 'refs/tidemark/snapshots', id), `${commit}\n`);
  const held = ownFile(store, `snapshots/${id}.index`);
  await link(indexOf(store), held).catch(() => {});
}

/** The snapshots that are held, by an earlier process too. */
export async function heldSnapshots(store: PrivateGitDir): Promise<string[]> {
  const names = await readdir(join(store.dir, 'refs/tidemark/snapshots')).catch(() => [] as string[]);
  return names.filter((name) => !name.endsWith('.new'));
}

export async function dropSnapshot(store: PrivateGitDir, id: string): Promise<void> {
  await Promise.all([
    remove(join(store.dir, 'refs/tidemark/snapshots', id)),
    remove(ownFile(store, `snapshots/${id}.index`)),
    remove(ownFile(store, `snapshots/${id}.json`)),
  ]);
}

/** Holds two trees by references under a name. */
export async function holdTrees(store: PrivateGitDir, name: string, trees: Record<string, string>): Promise<void> {
  const folder = join(store.dir, 'refs/tidemark/kept', name);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const [side, tree] of Object.entries(trees)) await writeAtomically(join(folder, side), `${tree}\n`);
}

export async function dropTrees(store: PrivateGitDir, name: string): Promise<void> {
  await rm(join(store.dir, 'refs/tidemark/kept', name), { recursive: true, force: true });
}

/** What a snapshot knows of files that are not in its tree. */
export interface SnapshotDetails {
  /** Files remembered by fingerprint. */
  large: Record<RawPath, Fingerprint>;
  /** In the tree, though ignored and not in the user's index. */
  ignored: RawPath[];
  /** Of those, the small ones that are watched. */
  watched: RawPath[];
  /** Ignored, standing on their own, and not watched: they were there. */
  unwatched: RawPath[];
  /** There, and could not be read. */
  unread: RawPath[];
  /** Stretches that were not looked at. */
  uncovered: Uncovered[];
}

export const NO_DETAILS: SnapshotDetails = {
  large: {},
  ignored: [],
  watched: [],
  unwatched: [],
  unread: [],
  uncovered: [],
};

export async function writeDetails(store: PrivateGitDir, id: string, details: SnapshotDetails): Promise<void> {
  await writeAtomically(ownFile(store, `snapshots/${id}.json`), JSON.stringify(details));
}

export async function readDetails(store: PrivateGitDir, id: string): Promise<SnapshotDetails> {
  const text = await readFile(ownFile(store, `snapshots/${id}.json`), 'utf8').catch(() => null);
  return text === null ? NO_DETAILS : (JSON.parse(text) as SnapshotDetails);
}

export { remove as removeFile, writeAtomically };
