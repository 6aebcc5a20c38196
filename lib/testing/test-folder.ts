/** A folder that tests act on as a person would: real files, real git, a real shell. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { tempFolder } from './temp-workspace';

export interface TestFolder {
  path: string;
  /** Absolute path of a name inside. */
  at(name: string): string;
  write(name: string, content: string | Uint8Array): void;
  /** Runs git in the folder and returns what it printed, without its last line end. */
  git(...args: string[]): string;
  /** Runs a shell script in the folder. */
  sh(script: string): string;
}

export function testFolder(path = tempFolder('folder')): TestFolder {
  mkdirSync(path, { recursive: true });
  const at = (name: string) => join(path, name);
  const env = {
    NODE_ENV: 'test' as const,
    PATH: process.env.PATH,
    HOME: dirname(path),
    LC_ALL: 'C.UTF-8',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_AUTHOR_NAME: 'Tester',
    GIT_AUTHOR_EMAIL: 'tester@example.org',
    GIT_COMMITTER_NAME: 'Tester',
    GIT_COMMITTER_EMAIL: 'tester@example.org',
    GIT_ALLOW_PROTOCOL: 'file',
  };
  const run = (program: string, args: string[]) =>
    execFileSync(program, args, {
      cwd: path,
      env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      maxBuffer: 1 << 28,
    });
  return {
    path,
    at,
    write(name, content) {
      mkdirSync(dirname(at(name)), { recursive: true });
      writeFileSync(at(name), content);
    },
    git: (...args) => run('git', args).replace(/\n$/, ''),
    sh: (script) => run('sh', ['-ec', script]),
  };
}

/** A repository on branch `main` with one commit that holds `files`. */
export function testRepository(files: Record<string, string | Uint8Array>, path?: string): TestFolder {
  const folder = testFolder(path);
  folder.git('init', '-q', '-b', 'main');
  for (const [name, content] of Object.entries(files)) folder.write(name, content);
  folder.git('add', '-A');
  folder.git('commit', '-q', '--allow-empty', '-m', 'start');
  return folder;
}
