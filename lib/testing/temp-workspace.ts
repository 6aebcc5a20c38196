/** Real folders and real git repositories for tests, removed when the test ends. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';

/** An empty folder, by its real path. */
export function tempFolder(name = 'folder'): string {
  const path = realpathSync(mkdtempSync(join(tmpdir(), `tidemark-test-${name}-`)));
  onTestFinished(() => rmSync(path, { recursive: true, force: true, maxRetries: 3 }));
  return path;
}

/** Runs git as a user would, with no configuration but its own. Returns what it printed. */
export function git(folder: string, ...args: string[]): string {
  return execFileSync('git', args, {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      NODE_ENV: 'test',
      PATH: process.env.PATH,
      HOME: folder,
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_CONFIG_SYSTEM: '/dev/null',
      GIT_AUTHOR_NAME: 'Tester',
      GIT_AUTHOR_EMAIL: 'tester@example.org',
      GIT_COMMITTER_NAME: 'Tester',
      GIT_COMMITTER_EMAIL: 'tester@example.org',
      GIT_TERMINAL_PROMPT: '0',
      LC_ALL: 'C',
    },
  });
}

/** Writes files, making their folders. */
export function writeFiles(folder: string, files: Record<string, string | Uint8Array>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
}

/** A repository on branch `main` with one commit that holds the given files. */
export function tempRepository(files: Record<string, string | Uint8Array> = {}): string {
  const path = tempFolder('repository');
  git(path, 'init', '--quiet', '--initial-branch=main');
  git(path, 'config', 'user.name', 'Tester');
  git(path, 'config', 'user.email', 'tester@example.org');
  writeFiles(path, files);
  git(path, 'add', '--all');
  git(path, 'commit', '--quiet', '--allow-empty', '--message=first');
  return path;
}
