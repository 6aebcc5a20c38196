/** The one door to git: which program, which environment, how long, and what its failures are called. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { simpleGit } from 'simple-git';
import { type CommandResult, runCommand, streamCommand } from '@/lib/process/run-command';

/** The object directory in which a private git directory says whose objects it borrows; it holds none itself. */
export const borrowedBy = (gitDir: string): string => join(gitDir, 'borrowed');
/** The object directory with copies of those borrowed objects that commands which write must read. */
export const lentTo = (gitDir: string): string => join(gitDir, 'lent');

/** Bytes of an answer that a call keeps when it names no other bound. */
const ANSWER_BYTES = 4 * 1024 * 1024;
/** Milliseconds for which "there is no git" is believed before it is looked for again. */
const MISSING_FOR_MS = 5_000;

/** Milliseconds that git may take to say its version, at least. */
const VERSION_MS = 10_000;

export type GitFailureCode = 'git_missing' | 'git_timeout' | 'git_aborted' | 'git_failed' | 'git_unstartable';

/** git did not do what it was asked. The message is git's own last line and may name paths: it is for logs and gaps. */
export class GitFailure extends Error {
  constructor(
    readonly code: GitFailureCode,
    readonly args: readonly string[],
    readonly exitCode: number | null,
    /** All of standard error, bytes as git wrote them. */
    readonly stderr: Buffer,
  ) {
    super(`git ${args[0] ?? ''}: ${lastLine(stderr.toString()) || code}`);
    this.name = 'GitFailure';
  }
}

export function isGitFailure(value: unknown): value is GitFailure {
  return value instanceof Error && value.name === 'GitFailure';
}

/** The last telling line of git's standard error. */
function lastLine(stderr: string): string {
  const lines = stderr.split('\n').filter((line) => line.trim() !== '');
  return (lines.find((line) => line.startsWith('fatal:')) ?? lines.at(-1) ?? '').replace(/^fatal: /, '');
}

export interface GitCall {
  /** Private git directory to work in. */
  gitDir: string;
  args: readonly string[];
  /** Root of the work tree, for the commands that look at it; git starts there. */
  workTree?: string;
  /** Another index than the private directory's own. */
  indexFile?: string;
  /** Other private git directories whose objects, own and borrowed, are readable too. */
  alternates?: readonly string[];
  /**
   * The command may write objects, and so it must see none of the user's: where git finds an object that it is about to
   * write, it moves the time of that file. What it reads all the same is lent to it (`lend-objects.ts`). To read a sparse
   * index is to write: git computes the trees of what it expands.
   */
  onlyOwn?: boolean;
  /** For the one command that knows no literal pathspecs. */
  magicPathspecs?: boolean;
  input?: Uint8Array | Iterable<Uint8Array> | AsyncIterable<Uint8Array>;
  onOutput?: (chunk: Buffer) => boolean | undefined;
  /** Takes git's own account of what it did: events of trace2, a JSON object a line. */
  onTrace?: (chunk: Buffer) => void;
  maxOutputBytes?: number;
  /** Exits that are answers; 0 when missing. */
  exits?: readonly number[];
  timeoutMs?: number;
  signal?: AbortSignal | undefined;
}

export interface GitAnswer {
  exitCode: number;
  stdout: Buffer;
  stderr: Buffer;
  overflowed: boolean;
}

export interface UserAnswer {
  exitCode: number;
  text: string;
}

export interface Git {
  /** Runs git in a private directory. Throws `GitFailure` for every exit that the caller did not declare. */
  run(call: GitCall): Promise<GitAnswer>;
  /** The output of git in a private directory, as fast as it is taken. Throws `GitFailure`. */
  stream(call: Pick<GitCall, 'gitDir' | 'args' | 'signal' | 'timeoutMs'>): AsyncGenerator<Buffer, void>;
  /**
   * Asks the user's repository for a text, through simple-git and reading only: no lock, no hook, no file-system
   * monitor, whoever owns it. Throws `GitFailure` for every exit that the caller did not declare.
   */
  askUser(folder: string, args: readonly string[], options?: { exits?: readonly number[] }): Promise<UserAnswer>;
  /** git's version, or null where there is none that works. */
  version(): Promise<string | null>;
}

export interface GitSettings {
  /** Where programs are looked for: the value of `PATH`. */
  path: string;
  /** Real path of the user's home folder, where their git configuration is. */
  home: string;
  xdgConfigHome: string | undefined;
  /** An empty folder of ours: the home of every private command. */
  emptyHome: string;
  timeoutMs: number;
}

/** What reading the user's repository carries, so that it starts no program and is not refused to us. */
const READ_ONLY = ['safe.directory=*', 'core.fsmonitor=false', 'core.hooksPath=/dev/null'];

interface SimpleAnswer {
  exitCode: number | null;
  text: string;
  stderr: string;
}

async function askThroughSimpleGit(
  settings: GitSettings,
  folder: string,
  args: readonly string[],
  env: Record<string, string>,
): Promise<SimpleAnswer> {
  const answer: SimpleAnswer = { exitCode: 0, text: '', stderr: '' };
  if (!existsSync(folder)) return { exitCode: 128, text: '', stderr: 'fatal: the folder is gone' };
  const git = simpleGit({
    baseDir: folder,
    config: READ_ONLY,
    trimmed: false,
    timeout: { block: settings.timeoutMs },
    allowEnvironment: Object.keys(env).filter((name) => name.startsWith('GIT_')),
    unsafe: { allowUnsafeFsMonitor: true, allowUnsafeHooksPath: true, allowUnsafeConfigPaths: true },
    errors(error, result) {
      // How it ended is an answer too: the caller says which exits are.
      if (result.exitCode !== 0) {
        answer.exitCode = result.exitCode;
        answer.stderr = Buffer.concat(result.stdErr).toString();
      }
      return result.exitCode < 0 ? error : undefined;
    },
  }).env(env);
  try {
    answer.text = await git.raw([...args]);
  } catch (error) {
    return { exitCode: null, text: '', stderr: error instanceof Error ? error.message : String(error) };
  }
  return answer;
}

function accept(args: readonly string[], answer: SimpleAnswer, exits: readonly number[]): UserAnswer {
  const { exitCode, text, stderr } = answer;
  if (exitCode !== null && exits.includes(exitCode)) return { exitCode, text };
  const code =
    exitCode !== null
      ? 'git_failed'
      : stderr.includes('ENOENT')
        ? 'git_missing'
        : /block timeout/.test(stderr)
          ? 'git_timeout'
          : 'git_unstartable';
  throw new GitFailure(code, args, exitCode, Buffer.from(stderr));
}

export function openGit(settings: GitSettings): Git {
  const common = {
    PATH: settings.path,
    LC_ALL: 'C',
    GIT_TERMINAL_PROMPT: '0',
    GIT_NO_LAZY_FETCH: '1',
    GIT_NO_REPLACE_OBJECTS: '1',
  };
  const own = {
    ...common,
    HOME: settings.emptyHome,
    XDG_CONFIG_HOME: settings.emptyHome,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    // Identity and instant of the commits that hold a tree: the same tree is always the same commit.
    GIT_AUTHOR_NAME: 'tidemark',
    GIT_AUTHOR_EMAIL: 'tidemark',
    GIT_AUTHOR_DATE: '@0 +0000',
    GIT_COMMITTER_NAME: 'tidemark',
    GIT_COMMITTER_EMAIL: 'tidemark',
    GIT_COMMITTER_DATE: '@0 +0000',
  };
  const users = {
    ...common,
    HOME: settings.home,
    ...(settings.xdgConfigHome === undefined ? {} : { XDG_CONFIG_HOME: settings.xdgConfigHome }),
    GIT_OPTIONAL_LOCKS: '0',
  };
  let known: { version: string | null; until: number } | null = null;

  async function run(call: GitCall): Promise<GitAnswer> {
    const env = {
      ...own,
      GIT_DIR: call.gitDir,
      ...(call.workTree === undefined ? {} : { GIT_WORK_TREE: call.workTree }),
      ...(call.magicPathspecs ? {} : { GIT_LITERAL_PATHSPECS: '1' }),
      ...(call.indexFile === undefined ? {} : { GIT_INDEX_FILE: call.indexFile }),
      ...readable(call.onlyOwn ? [lentTo(call.gitDir)] : besides(call.gitDir, call.alternates)),
      ...(call.onTrace === undefined ? {} : { GIT_TRACE2_EVENT: '3', GIT_TRACE2_EVENT_NESTING: '5' }),
    };
    const result = await runCommand('git', call.args, {
      cwd: call.workTree ?? call.gitDir,
      env,
      timeoutMs: call.timeoutMs ?? settings.timeoutMs,
      signal: call.signal,
      ...(call.onTrace === undefined ? {} : { onThird: call.onTrace }),
      ...(call.input === undefined ? {} : { input: call.input }),
      ...(call.onOutput === undefined
        ? { maxOutputBytes: call.maxOutputBytes ?? ANSWER_BYTES }
        : { onOutput: call.onOutput }),
    });
    if (result.startError?.code === 'ENOENT' && !existsSync(call.workTree ?? call.gitDir)) {
      throw new GitFailure('git_failed', call.args, null, Buffer.from('fatal: the folder is gone'));
    }
    return answerOf(call.args, result, call.exits ?? [0]);
  }

  return {
    run,
    stream(call) {
      return streamCommand(
        'git',
        call.args,
        {
          cwd: call.gitDir,
          env: { ...own, GIT_DIR: call.gitDir, GIT_LITERAL_PATHSPECS: '1', ...readable(besides(call.gitDir)) },
          timeoutMs: call.timeoutMs ?? settings.timeoutMs,
          signal: call.signal,
        },
        (result) => {
          const code = result.aborted ? 'git_aborted' : result.timedOut ? 'git_timeout' : 'git_failed';
          return new GitFailure(code, call.args, result.exitCode, result.stderr);
        },
      );
    },
    async askUser(folder, args, options = {}) {
      const exits = options.exits ?? [0];
      const answer = await askThroughSimpleGit(settings, folder, args, users);
      if (answer.exitCode === 128 && answer.stderr.includes('dubious ownership')) {
        // git before 2.38 takes safe.directory from a configuration file only.
        const trusting = { ...users, HOME: trustingHome(settings), XDG_CONFIG_HOME: settings.emptyHome };
        return accept(args, await askThroughSimpleGit(settings, folder, args, trusting), exits);
      }
      return accept(args, answer, exits);
    },
    async version() {
      if (known !== null && Date.now() < known.until) return known.version;
      const result = await runCommand('git', ['version'], {
        cwd: settings.emptyHome,
        env: own,
        // Too slow to say its version is not the same as missing.
        timeoutMs: Math.max(settings.timeoutMs, VERSION_MS),
        maxOutputBytes: 1024,
      });
      const version = /git version (\d+\.\d+\S*)/.exec(result.stdout.toString())?.[1] ?? null;
      known = { version, until: version === null ? Date.now() + MISSING_FOR_MS : Number.POSITIVE_INFINITY };
      return version;
    },
  };
}

function answerOf(args: readonly string[], result: CommandResult, exits: readonly number[]): GitAnswer {
  const { stderr } = result;
  if (result.startError) {
    const code = result.startError.code === 'ENOENT' ? 'git_missing' : 'git_unstartable';
    throw new GitFailure(code, args, null, Buffer.from(result.startError.message));
  }
  if (result.aborted) throw new GitFailure('git_aborted', args, result.exitCode, stderr);
  if (result.timedOut) throw new GitFailure('git_timeout', args, result.exitCode, stderr);
  const ended = result.overflowed || result.stopped ? 0 : result.exitCode;
  if (ended === null || !exits.includes(ended)) throw new GitFailure('git_failed', args, result.exitCode, stderr);
  return { exitCode: ended, stdout: result.stdout, stderr, overflowed: result.overflowed };
}

/** The object directories that may be read beside a private directory's own. */
function besides(gitDir: string, others: readonly string[] = []): string[] {
  const all = (dir: string) => [lentTo(dir), borrowedBy(dir)];
  return [...all(gitDir), ...others.flatMap((dir) => [join(dir, 'objects'), ...all(dir)])];
}

const readable = (folders: readonly string[]): Record<string, string> => ({
  GIT_ALTERNATE_OBJECT_DIRECTORIES: folders.map(quote).join(':'),
});

/** An entry of a list that git splits at `:` and unquotes where it starts with a quote. */
function quote(path: string): string {
  return /[:"\n]/.test(path) ? `"${path.replace(/["\\]/g, '\\$&').replaceAll('\n', '\\n')}"` : path;
}

/** A home whose configuration trusts every repository and then is the user's own. */
function trustingHome(settings: GitSettings): string {
  const home = join(settings.emptyHome, 'trusting');
  const xdg = join(settings.xdgConfigHome ?? join(settings.home, '.config'), 'git', 'config');
  const include = (path: string) => `\tpath = "${path.replace(/["\\]/g, '\\$&')}"\n`;
  mkdirSync(home, { recursive: true, mode: 0o700 });
  writeFileSync(
    join(home, '.gitconfig'),
    `[include]\n${include(xdg)}${include(join(settings.home, '.gitconfig'))}[safe]\n\tdirectory = *\n`,
  );
  return home;
}
