/** Random things that happen in a folder: what people, agents and git do to files. */
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';

const PATHS = [
  'a',
  'b',
  'c.txt',
  'd',
  'd/x',
  'd/y',
  'd/e/z',
  'n ame',
  '.env',
  'd/.env',
  'x.log',
  'd/y.log',
  'dist/o.js',
  'dist/deep/p.js',
  'é.txt',
  '-dash',
  ':(top)',
  '*.txt',
];
const RULES = ['*.log', 'dist/', '.env', 'd/', '!d/x', '/a', '*.txt', '!c.txt', 'n ame', 'd/*'];

export type Act =
  | { do: 'write' | 'append'; path: string; text: string }
  | { do: 'truncate' | 'delete' | 'touch' | 'sameSize' | 'folder'; path: string }
  | { do: 'rename'; path: string; to: string }
  | { do: 'chmod'; path: string; on: boolean }
  | { do: 'link'; path: string; to: string }
  | { do: 'rules'; at: string; rules: string[] }
  | { do: 'git'; args: string[] };

const path = fc.constantFrom(...PATHS);
const lines = fc
  .array(fc.constantFrom('one', 'two', 'three', '-- four', '++ five', '', '\tsix'), { maxLength: 12 })
  .chain((list) =>
    fc.constantFrom(
      list.map((line) => `${line}\n`).join(''),
      list.join('\n'),
      `${list.join('\r\n')}\r\n`,
      `${list.join('\n')}\0`,
    ),
  );

const GIT = [
  ['add', '-A'],
  ['add', 'a'],
  ['add', '-f', 'dist'],
  ['add', '-N', '.'],
  ['commit', '-qm', 'c', '--allow-empty'],
  ['commit', '-qam', 'c'],
  ['commit', '-q', '--amend', '--allow-empty', '-m', 'am'],
  ['checkout', '-q', 'main'],
  ['checkout', '-qB', 'other'],
  ['checkout', '-q', 'other'],
  ['checkout', '-qf', 'other'],
  ['checkout', '-q', '--', '.'],
  ['stash', '-q'],
  ['stash', '-qu'],
  ['stash', 'pop', '-q'],
  ['reset', '-q', '--hard'],
  ['reset', '-q'],
  ['reset', '-q', '--soft', 'HEAD~1'],
  ['reset', '-q', '--hard', 'HEAD~1'],
  ['rm', '-rqf', '--cached', 'd'],
  ['rm', '-qf', '--cached', '.env'],
  ['merge', '-q', 'other'],
  ['clean', '-fdq'],
  ['mv', '-k', 'a', 'b'],
  ['update-index', '--assume-unchanged', 'a'],
  ['update-index', '--skip-worktree', 'b'],
  ['gc', '-q', '--prune=now'],
  ['rebase', '-q', 'other'],
  ['rebase', '--abort'],
  ['merge', '--abort'],
  ['update-index', '--split-index'],
  ['config', 'core.splitIndex', 'true'],
];

export const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('write' as const), path, text: lines }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('append' as const), path, text: lines }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constantFrom('truncate' as const, 'touch' as const, 'folder' as const), path }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('delete' as const, 'sameSize' as const), path }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('rename' as const), path, to: path }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('chmod' as const), path, on: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('link' as const), path, to: path }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('rules' as const),
      at: fc.constantFrom('.gitignore', 'd/.gitignore', '.git/info/exclude'),
      rules: fc.uniqueArray(fc.constantFrom(...RULES), { maxLength: 3 }),
    }),
  },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('git' as const), args: fc.constantFrom(...GIT) }) },
);

/** The acts that need no git. */
export const plainAct: fc.Arbitrary<Act> = act.filter(
  (one) => one.do !== 'git' && !(one.do === 'rules' && one.at !== '.gitignore'),
);

/** Lets one thing happen. What cannot be done (a rename of nothing, a merge that conflicts) does not, as in life. */
export function perform(root: string, one: Act): void {
  try {
    attempt(root, one);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const ofGit = 'status' in (error as object);
    if (
      !ofGit &&
      !['ENOENT', 'EISDIR', 'ENOTDIR', 'EEXIST', 'ENOTEMPTY', 'EINVAL', 'ELOOP', 'EPERM'].includes(code ?? '')
    )
      throw error;
  }
}

function attempt(root: string, one: Act): void {
  switch (one.do) {
    case 'git':
      execFileSync('git', one.args, { cwd: root, stdio: 'ignore', env: { ...process.env, ...IDENTITY } });
      return;
    case 'rules':
      makeRoom(root, one.at);
      writeFileSync(join(root, one.at), one.rules.map((rule) => `${rule}\n`).join(''));
      return;
    default:
      change(root, one);
  }
}

function change(root: string, one: Exclude<Act, { do: 'git' } | { do: 'rules' }>): void {
  const at = join(root, one.path);
  switch (one.do) {
    case 'write':
      makeRoom(root, one.path);
      // Half of all editors write a new file in the old one's place.
      if (one.text.length % 2 === 0) {
        writeFileSync(`${at}.tmp`, one.text);
        renameSync(`${at}.tmp`, at);
      } else {
        writeFileSync(at, one.text);
      }
      return;
    case 'append':
      if (lstatSync(at).isFile()) appendFileSync(at, one.text);
      return;
    case 'truncate':
      if (lstatSync(at).isFile()) truncateSync(at, 1);
      return;
    case 'delete':
      rmSync(at, { recursive: true });
      return;
    case 'touch':
      if (lstatSync(at).isFile()) utimesSync(at, new Date(), new Date());
      return;
    case 'sameSize': {
      const stats = lstatSync(at);
      if (!stats.isFile()) return;
      const bytes = readFileSync(at);
      if (bytes.length > 0) bytes[0] = bytes[0] === 0x51 ? 0x52 : 0x51;
      writeFileSync(at, bytes);
      utimesSync(at, stats.atime, stats.mtime);
      return;
    }
    case 'folder':
      makeRoom(root, `${one.path}/none`);
      return;
    case 'rename':
      if (lstatSync(at)) {
        makeRoom(root, one.to);
        renameSync(at, join(root, one.to));
      }
      return;
    case 'chmod':
      if (lstatSync(at).isFile()) chmodSync(at, one.on ? 0o755 : 0o644);
      return;
    case 'link':
      makeRoom(root, one.path);
      symlinkSync(one.to, at);
  }
}

/** Makes the folders that a path needs, and takes away the file or link that stands in their place or in its own. */
function makeRoom(root: string, wanted: string): void {
  const parts = wanted.split('/');
  for (let length = 1; length < parts.length; length += 1) {
    const stats = lstatSync(join(root, ...parts.slice(0, length)), { throwIfNoEntry: false });
    if (stats && !stats.isDirectory()) rmSync(join(root, ...parts.slice(0, length)));
  }
  mkdirSync(dirname(join(root, wanted)), { recursive: true });
  const own = lstatSync(join(root, wanted), { throwIfNoEntry: false });
  if (own && !own.isFile()) rmSync(join(root, wanted), { recursive: true });
}

const IDENTITY = {
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_EDITOR: 'true',
  GIT_AUTHOR_NAME: 'T',
  GIT_AUTHOR_EMAIL: 't@example.org',
  GIT_COMMITTER_NAME: 'T',
  GIT_COMMITTER_EMAIL: 't@example.org',
};
