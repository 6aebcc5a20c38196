/** A real folder that a situation is built in: files, commands in it, and how closely it is watched. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { mustRun, type Scratch } from './commands';

/** How a folder is watched and what is asked of its records; what a situation says otherwise it says here. */
export interface Watch {
  /** What is compared around capture: everything, git directories alone (large folders), or nothing. */
  imprint: 'all' | 'git' | 'nothing';
  /** More folders that capture must leave alone: the main checkout of a linked worktree, an origin. */
  alsoUntouched: string[];
  /** Whether `git status` is asked around capture: not where the repository's programs would answer us. */
  status: boolean;
  /** Whether the patch is applied to a copy of the start state. */
  apply: boolean;
  /** Whether the folder holds still once the run has ended, so that the record can be compared with it. */
  isStill: boolean;
  /** Whether bytes on disk are bytes in the record: not under text conversion and filters. */
  sameBytes: boolean;
  /** Whether `git fsck` is asked at the end. */
  fsck: boolean;
}

export class Place {
  readonly watch: Watch = {
    imprint: 'all',
    alsoUntouched: [],
    status: true,
    apply: true,
    isStill: true,
    sameBytes: true,
    fsck: true,
  };

  /** `path` is the workspace; `top` the folder that patches are applied at: the repository's, else the workspace. */
  constructor(
    readonly path: string,
    readonly top: string,
    readonly isGit: boolean,
    private readonly scratch: Scratch,
  ) {}

  /** The workspace within `top`. */
  get within(): string {
    return relative(this.top, this.path) || '.';
  }

  /** The same folder as the workspace of another place: a subfolder of the repository. */
  inside(folder: string): Place {
    return new Place(join(this.path, folder), this.top, this.isGit, this.scratch);
  }

  at(name: string): string {
    return join(this.path, name);
  }

  /** Runs a shell script in the folder; the first command that fails ends it. */
  sh(script: string): Promise<string> {
    return mustRun('/bin/sh', ['-ec', script], { cwd: this.path, env: this.scratch.env });
  }

  git(...args: string[]): Promise<string> {
    return mustRun('git', args, { cwd: this.path, env: this.scratch.env });
  }

  /** Writes a file, making its folders. */
  write(name: string, content: string | Uint8Array): void {
    mkdirSync(dirname(this.at(name)), { recursive: true });
    writeFileSync(this.at(name), content);
  }

  read(name: string): Buffer {
    return readFileSync(this.at(name));
  }

  /** Says how it is watched, where that is not the usual. */
  watched(watch: Partial<Watch>): this {
    Object.assign(this.watch, watch);
    return this;
  }
}

/** `count` numbered lines, so that no two files of different words are alike. */
export function lines(count: number, word = 'line'): string {
  return Array.from({ length: count }, (_, at) => `${word} ${at + 1}\n`).join('');
}
