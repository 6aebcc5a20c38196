/** A real git repository in a temporary folder, used as a person at a prompt would use one. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

export class Repository {
  private constructor(
    /** Real path. */
    readonly path: string,
  ) {}

  /** A repository with one commit, or a plain folder; in a temporary place, or `at` one. */
  static create(files: Record<string, string | Uint8Array>, options: { git?: boolean; at?: string } = {}): Repository {
    if (options.at !== undefined) mkdirSync(options.at, { recursive: true });
    const repository = new Repository(realpathSync(options.at ?? mkdtempSync(join(tmpdir(), 'tidemark-e2e-'))));
    repository.write(files);
    if (options.git === false) return repository;
    repository.git('init', '--quiet', '--initial-branch=main');
    repository.git('config', 'user.name', 'Tester');
    repository.git('config', 'user.email', 'tester@example.org');
    repository.git('add', '--all');
    repository.git('commit', '--quiet', '--allow-empty', '--message=first');
    return repository;
  }

  write(files: Record<string, string | Uint8Array>): void {
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(this.path, path)), { recursive: true });
      writeFileSync(join(this.path, path), content);
    }
  }

  read(path: string): string {
    return readFileSync(join(this.path, path), 'utf8');
  }

  has(path: string): boolean {
    return existsSync(join(this.path, path));
  }

  git(...args: string[]): string {
    return execFileSync('git', args, {
      cwd: this.path,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        NODE_ENV: 'test',
        PATH: process.env.PATH,
        HOME: this.path,
        GIT_CONFIG_GLOBAL: '/dev/null',
        GIT_CONFIG_SYSTEM: '/dev/null',
        GIT_OPTIONAL_LOCKS: '0',
        LC_ALL: 'C',
      },
    });
  }

  /** What capture must leave alone: status, index bytes, refs, number of objects. */
  imprint(): Record<string, string> {
    return {
      status: this.git('status', '--porcelain=v2', '--branch'),
      index: createHash('sha256')
        .update(readFileSync(join(this.path, '.git', 'index')))
        .digest('hex'),
      refs: this.git('for-each-ref'),
      objects: this.git('count-objects', '-v'),
      entries: readdirSync(join(this.path, '.git')).sort().join(' '),
    };
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Lines `line 1` to `line n`. */
export function lines(count: number, word = 'line'): string {
  return Array.from({ length: count }, (_, at) => `${word} ${at + 1}\n`).join('');
}
