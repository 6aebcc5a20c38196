/** The user's repository as capture sees it: where it is, which of its settings decide meaning, and where HEAD stands. */
import { createHash } from 'node:crypto';
import { lstat, readFile, realpath, stat } from 'node:fs/promises';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { type Git, isGitFailure } from './git-command';

export interface Repository {
  /** Real path of the work tree. */
  top: string;
  /** The git directory of this work tree: its index, HEAD and reflog. */
  gitDir: string;
  /** The git directory shared by all work trees: objects, references, `info/`. */
  commonDir: string;
  objectFormat: 'sha1' | 'sha256';
  /** Tells this repository from another one that takes its place: device and inode of the git directory. */
  identity: string;
}

export type FoundRepository =
  | { state: 'found'; repository: Repository }
  | { state: 'none' }
  /** There is a repository, and git does not work with it: broken, bare, of a newer format. */
  | { state: 'refused'; reason: string }
  | { state: 'git_missing' };

/** Finds the repository whose work tree holds `folder` (a real path). */
export async function findRepository(git: Git, folder: string): Promise<FoundRepository> {
  if ((await git.version()) === null) return { state: 'git_missing' };
  let words: string;
  try {
    // One value a line, and the only one that may hold a line break of its own comes last.
    const answer = await git.askUser(folder, [
      'rev-parse',
      '--is-bare-repository',
      '--is-inside-work-tree',
      '--show-object-format',
      '--show-cdup',
      '--absolute-git-dir',
    ]);
    words = answer.text;
  } catch (error) {
    if (!isGitFailure(error)) throw error;
    if (error.code === 'git_missing') return { state: 'git_missing' };
    // git passes over a `.git` folder that is none, here or above; one that stands in the folder itself was meant to be one.
    const none = error.stderr.includes('not a git repository (or any');
    const refused =
      !none || (await lstat(join(folder, '.git')).catch(() => null)) !== null || (await looksBare(folder));
    return refused ? { state: 'refused', reason: error.message } : { state: 'none' };
  }
  const match = /^(true|false)\n(true|false)\n(\w+)\n((?:\.\.\/)*)\n([\s\S]*)\n$/.exec(words);
  if (words.startsWith('true\n')) return { state: 'refused', reason: 'it is a bare repository' };
  if (!match) return { state: 'refused', reason: 'git did not say where the work tree is' };
  const [, , inside, format = '', cdup = '', gitDirText = ''] = match;
  if (inside !== 'true') return { state: 'none' };
  const top = await realpath(resolve(folder, cdup === '' ? '.' : cdup));
  const gitDir = await realpath(gitDirText);
  const found = await stat(gitDir);
  return {
    state: 'found',
    repository: {
      top,
      gitDir,
      commonDir: await commonDirOf(gitDir),
      objectFormat: format === 'sha256' ? 'sha256' : 'sha1',
      identity: `${found.dev}:${found.ino}`,
    },
  };
}

/** Whether the repository found earlier is still the one in that place. */
export async function isStill(repository: Repository): Promise<boolean> {
  const found = await stat(repository.gitDir).catch(() => null);
  if (found === null || `${found.dev}:${found.ino}` !== repository.identity) return false;
  const dotGit = await stat(join(repository.top, '.git')).catch(() => null);
  if (dotGit?.isDirectory()) return `${dotGit.dev}:${dotGit.ino}` === repository.identity;
  return dotGit !== null || repository.gitDir !== join(repository.top, '.git');
}

async function commonDirOf(gitDir: string): Promise<string> {
  const text = await readFile(join(gitDir, 'commondir'), 'utf8').catch(() => null);
  return text === null ? gitDir : realpath(resolve(gitDir, text.replace(/\n$/, '')));
}

/** Whether a folder or one above it has a `.git`, whatever it is worth. */
export async function hasDotGit(folder: string): Promise<boolean> {
  for (let at = folder; ; at = dirname(at)) {
    if (await lstat(join(at, '.git')).catch(() => null)) return true;
    if (dirname(at) === at) return false;
  }
}

async function looksBare(folder: string): Promise<boolean> {
  const parts = await Promise.all(
    ['HEAD', 'objects', 'refs'].map((name) => lstat(join(folder, name)).catch(() => null)),
  );
  return parts.every((part) => part !== null);
}

/** What of the user's configuration decides what a file's content means. */
export interface MeaningSettings {
  /** Lines of the private `[core]` section, name to value. */
  core: Record<string, string>;
  /** The user's sparse checkout is on: absent files may be meant. */
  sparse: boolean;
  /** The user's index may name whole folders that a sparse checkout leaves out. */
  sparseIndex: boolean;
  /** Their stat makes this reading stale when it changes. */
  sources: string[];
}

const MEANING = ['autocrlf', 'eol', 'symlinks', 'filemode', 'precomposeunicode'];

/** Reads the settings that decide meaning, whichever file they stand in. */
export async function readMeaning(
  git: Git,
  repository: Repository,
  users: { home: string; xdgConfigHome: string | undefined },
): Promise<MeaningSettings> {
  const xdg = join(users.xdgConfigHome ?? join(users.home, '.config'), 'git');
  const sources = new Set([
    join(repository.commonDir, 'config'),
    join(repository.gitDir, 'config.worktree'),
    join(users.home, '.gitconfig'),
    join(xdg, 'config'),
    '/etc/gitconfig',
  ]);
  const answer = await git.askUser(repository.top, ['config', '--list', '-z', '--show-origin']);
  const fields = answer.text.split('\0');
  const values = new Map<string, string>();
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const origin = fields[at] as string;
    const entry = fields[at + 1] as string;
    if (origin.startsWith('file:')) sources.add(resolve(repository.top, origin.slice(5)));
    if (origin.startsWith('command line:')) continue;
    const line = entry.indexOf('\n');
    // A name without a value means true.
    values.set(line < 0 ? entry : entry.slice(0, line), line < 0 ? 'true' : entry.slice(line + 1));
  }
  const core: Record<string, string> = {};
  for (const name of MEANING) {
    const value = values.get(`core.${name}`);
    if (value !== undefined) core[name] = value;
  }
  const path = (value: string) => {
    const expanded = value.startsWith('~/') ? join(users.home, value.slice(2)) : value;
    return isAbsolute(expanded) ? expanded : join(repository.top, expanded);
  };
  core.excludesfile = path(values.get('core.excludesfile') ?? join(xdg, 'ignore'));
  core.attributesfile = path(values.get('core.attributesfile') ?? join(xdg, 'attributes'));
  core.ignorecase = String(await ignoresCase(repository));
  return {
    core,
    sparse: values.get('core.sparsecheckout') === 'true',
    sparseIndex: values.get('index.sparse') === 'true',
    sources: [...sources],
  };
}

/** Whether the disk takes `HEAD` and `head` for one name: what the disk does, not what the configuration claims. */
async function ignoresCase(repository: Repository): Promise<boolean> {
  const [upper, lower] = await Promise.all(
    ['HEAD', 'head'].map((name) => lstat(join(repository.gitDir, name)).catch(() => null)),
  );
  return upper?.ino !== undefined && upper.ino === lower?.ino;
}

/** Where HEAD stands, and how far its reflog reaches. */
export interface HeadState {
  commit: string | null;
  /** Null when detached. */
  branch: string | null;
  /** Bytes of the reflog of HEAD; null where there is none. */
  reflogBytes: number | null;
  /** Bytes of the reflog of the stash; 0 where there is none. */
  stashBytes: number;
}

const OBJECT_ID = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;

/** Reads HEAD from its files, asking git only where the branch is packed or stored otherwise. */
export async function readHead(git: Git, repository: Repository): Promise<HeadState> {
  const [text, reflog, stash] = await Promise.all([
    readFile(join(repository.gitDir, 'HEAD'), 'utf8').catch(() => ''),
    stat(join(repository.gitDir, 'logs', 'HEAD')).catch(() => null),
    stat(join(repository.commonDir, 'logs', 'refs', 'stash')).catch(() => null),
  ]);
  const reach = { reflogBytes: reflog?.isFile() ? reflog.size : null, stashBytes: stash?.isFile() ? stash.size : 0 };
  const plain = text.trim();
  if (OBJECT_ID.test(plain)) return { commit: plain, branch: null, ...reach };
  const reference = /^ref: (refs\/.+)$/.exec(plain)?.[1];
  const branch = reference?.startsWith('refs/heads/') ? reference.slice('refs/heads/'.length) : null;
  if (reference !== undefined && branch !== '.invalid') {
    const loose = await readFile(join(repository.commonDir, reference), 'utf8').catch(() => null);
    if (loose !== null && OBJECT_ID.test(loose.trim())) return { commit: loose.trim(), branch, ...reach };
    const packed = loose === null ? await packedReference(repository.commonDir, reference) : null;
    if (packed !== null) return { commit: packed, branch, ...reach };
  }
  const commit = await git.askUser(repository.top, ['rev-parse', '--verify', '-q', 'HEAD'], { exits: [0, 1] });
  const name =
    branch === '.invalid'
      ? await git.askUser(repository.top, ['symbolic-ref', '-q', '--short', 'HEAD'], { exits: [0, 1] })
      : null;
  return {
    commit: commit.exitCode === 0 ? commit.text.trim() : null,
    branch: name === null ? branch : name.text.trim() || null,
    ...reach,
  };
}

/** The last reference looked up in each `packed-refs` file, good while the file stays what it is. */
const packedReferences = new Map<string, { signature: string; reference: string; commit: string | null }>();

async function packedReference(commonDir: string, reference: string): Promise<string | null> {
  const file = join(commonDir, 'packed-refs');
  const stats = await stat(file, { bigint: true }).catch(() => null);
  if (stats === null) return null;
  const signature = `${stats.ino}:${stats.size}:${stats.mtimeNs}:${stats.ctimeNs}`;
  const known = packedReferences.get(file);
  if (known?.signature === signature && known.reference === reference) return known.commit;
  const text = await readFile(file, 'latin1').catch(() => '');
  const end = ` ${Buffer.from(reference).toString('latin1')}\n`;
  const at = text.indexOf(end);
  const id = at < 0 ? '' : text.slice(text.lastIndexOf('\n', at) + 1, at);
  const commit = OBJECT_ID.test(id) ? id : null;
  packedReferences.set(file, { signature, reference, commit });
  return commit;
}

/** The key of a work tree's private directory: one a place and repository in it. */
export function privateKey(top: string, identity: string): string {
  return createHash('sha256').update(top).update('\0').update(identity).digest('hex').slice(0, 32);
}
