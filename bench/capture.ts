/** Measures what snapshots and records cost, each beside plain git on the same folder: JSON lines, then a table. */
import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Capture, Snapshot, WorkspaceLocation } from '@/lib/capture/capture';
import { openCapture } from '@/lib/capture/open-capture';
import { DEFAULT_LIMITS } from '@/lib/domain/limits';
import { runCommand } from '@/lib/process/run-command';
import { addSurroundings, filePath, makeRepository, type Shape } from './capture-workspaces';

const options = new Map(
  process.argv.slice(2).map((option) => option.replace(/^--/, '').split('=') as [string, string]),
);
const SIZES = (options.get('sizes') ?? '2000,20000,100000').split(',').map(Number);
const ALL_SHAPES: Shape[] = ['400 folders', 'five files a folder'];
/** `--shape=five` measures one of them. */
const SHAPES = ALL_SHAPES.filter((shape) => shape.includes(options.get('shape') ?? ''));
const RUNS = Math.max(1, Number(options.get('runs') ?? 5));

interface Measured {
  figure: string;
  files: number;
  shape: string;
  ms: number;
  baselineMs: number;
  ratio: number;
  stallMs: number;
  writtenBytes: number;
}

const results: Measured[] = [];

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] as number;
}

/** Runs `work` beside its baseline, in turn, and keeps medians of both; `prepare` is not measured. */
async function measure(
  figure: string,
  about: { files: number; shape: string; dataDir: () => string },
  baseline: () => Promise<unknown>,
  work: () => Promise<unknown>,
  prepare: () => unknown = () => {},
): Promise<void> {
  const ours: number[] = [];
  const theirs: number[] = [];
  const stalls: number[] = [];
  const written: number[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    const startBaseline = performance.now();
    await baseline();
    theirs.push(performance.now() - startBaseline);
    await prepare();
    const bytes = bytesBelow(about.dataDir());
    const delay = monitorEventLoopDelay({ resolution: 1 });
    delay.enable();
    const start = performance.now();
    await work();
    ours.push(performance.now() - start);
    delay.disable();
    // The clock of the monitor itself ticks every millisecond.
    stalls.push(Math.max(0, delay.max / 1e6 - 1));
    written.push(bytesBelow(about.dataDir()) - bytes);
  }
  const [ms, baselineMs] = [median(ours), median(theirs)];
  const ratio = median(ours.map((value, at) => value / (theirs[at] as number)));
  const result = {
    figure,
    files: about.files,
    shape: about.shape,
    ms: round(ms),
    baselineMs: round(baselineMs),
    ratio: round(ratio),
    stallMs: round(Math.max(...stalls)),
    writtenBytes: median(written),
  };
  results.push(result);
  console.log(JSON.stringify(result));
}

const round = (value: number) => Math.round(value * 100) / 100;

function bytesBelow(folder: string): number {
  let bytes = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: false })) {
    const path = join(folder, entry.name);
    bytes += entry.isDirectory() ? bytesBelow(path) : (statSync(path, { throwIfNoEntry: false })?.size ?? 0);
  }
  return bytes;
}

/** Plain git: a copy of the index that keeps its time, everything added, the tree written, objects kept apart. */
function plainGit(root: string, scratch: string): () => Promise<void> {
  const index = join(scratch, 'index');
  const objects = join(scratch, 'objects');
  const env = {
    PATH: process.env.PATH,
    HOME: scratch,
    GIT_INDEX_FILE: index,
    GIT_OBJECT_DIRECTORY: objects,
  };
  // A copy: git would move the times of those it borrows.
  cpSync(join(root, '.git', 'objects'), objects, { recursive: true });
  return async () => {
    const source = join(root, '.git', 'index');
    const { atimeMs, mtimeMs } = statSync(source);
    copyFileSync(source, index);
    utimesSync(index, atimeMs / 1000, mtimeMs / 1000);
    for (const args of [['add', '--all', '--ignore-errors'], ['write-tree']]) {
      const result = await runCommand('git', args, { cwd: root, env, timeoutMs: 600_000, maxOutputBytes: 1024 });
      if (result.exitCode !== 0) throw new Error(result.stderr.toString());
    }
  };
}

/** Everything in a folder with sizes and times: what must be the same afterwards. */
function marksBelow(root: string): Set<string> {
  const listing = spawnSync('find', ['.', '-printf', '%p %s %m %T@\\n'], { cwd: root, maxBuffer: 1 << 30 });
  return new Set(listing.stdout.toString().split('\n'));
}

async function bench(files: number, shape: Shape): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'tidemark-bench-'));
  try {
    const root = join(folder, 'work');
    makeRepository(root, files, shape);
    const baseline = plainGit(root, join(folder, 'plain'));
    await baseline();
    let dataDir = join(folder, 'data');
    let next = 0;
    const start = async (): Promise<{ capture: Capture; location: WorkspaceLocation }> => {
      next += 1;
      dataDir = join(folder, `data${next}`);
      mkdirSync(dataDir);
      const capture = openCapture({
        dataDir,
        limits: DEFAULT_LIMITS,
        privatePaths: [],
        namesOnly: false,
        includeDirs: [],
        home: homedir(),
        tempDirs: [],
      });
      return { capture, location: await capture.locate(root) };
    };
    const about = { files, shape, dataDir: () => dataDir };
    const taken: Snapshot[] = [];
    const snap = async ({ capture, location }: { capture: Capture; location: WorkspaceLocation }) => {
      const snapshot = await capture.takeSnapshot(location);
      if (snapshot.gaps.length > 0) throw new Error(JSON.stringify(snapshot.gaps));
      taken.push(snapshot);
      return snapshot;
    };
    const untouched = marksBelow(root);
    const memory = process.memoryUsage().rss;

    let opened = await start();
    await measure(
      'first snapshot, clean',
      about,
      baseline,
      () => snap(opened),
      async () => {
        opened = await start();
      },
    );
    await settled();
    await snap(opened);
    await measure('repeat, nothing changed', about, baseline, () => snap(opened));
    const touched = [...marksBelow(root)].filter((mark) => !untouched.has(mark));
    if (touched.length > 0) throw new Error(`Written in the workspace: ${touched.slice(0, 5).join(', ')}`);

    addSurroundings(root);
    await snap(opened);
    await settled();
    await snap(opened);
    await measure(
      'repeat, nothing changed, all in',
      about,
      baseline,
      () => snap(opened),
      () => touchIndex(root),
    );
    let edit = 0;
    const change = (count: number) => {
      for (let at = 0; at < count; at += 1) {
        edit += 1;
        appendFileSync(join(root, filePath(shape, files, (at * 97) % files)), `edit ${edit}\n`);
      }
    };
    await measure(
      'repeat, 10 changed, all in',
      about,
      baseline,
      () => snap(opened),
      () => change(10),
    );
    writeFileSync(join(root, 'large.txt'), Buffer.alloc(200 * 1024 * 1024, 'a large text file of short lines\n'));
    await snap(opened);
    const without = median(
      results
        .filter(
          (result) =>
            result.files === files && result.shape === shape && result.figure === 'repeat, 10 changed, all in',
        )
        .map((result) => result.ms),
    );
    await measure(
      'the same beside 200 MB untracked (ratio to without)',
      about,
      () => delay(without),
      () => snap(opened),
      () => change(10),
    );
    rmSync(join(root, 'large.txt'));
    await snap(opened);

    for (const count of [10, 1_000]) {
      const before = await snap(opened);
      change(count);
      const after = await snap(opened);
      let record = 0;
      await measure(
        `record of ${count} changed files`,
        about,
        () => diffTree(dataDir, before, after),
        async () => {
          record += 1;
          const delta = await opened.capture.compare(opened.location, before, after, {
            keepAs: `bench-${count}-${record}`,
            patches: true,
            captures: [],
          });
          if (delta.files.length < count * 0.9) throw new Error(`${delta.files.length} rows`);
        },
      );
    }
    const growth = process.memoryUsage().rss - memory;
    console.log(
      JSON.stringify({ figure: 'growth of memory', files, shape, megabytes: Math.round(growth / 1024 / 1024) }),
    );
    results.push({
      figure: `growth of memory: ${Math.round(growth / 1024 / 1024)} MB`,
      files,
      shape,
      ms: 0,
      baselineMs: 0,
      ratio: 0,
      stallMs: 0,
      writtenBytes: 0,
    });
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

const delay = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
/** Long enough for what is learned in the background, and for times of files to be past doubt. */
const settled = () => delay(4_000);

/** What a command such as `git status` leaves: another index of the same content. */
function touchIndex(root: string): void {
  const index = join(root, '.git', 'index');
  const { atimeMs, mtimeMs } = statSync(index);
  utimesSync(index, atimeMs / 1000, mtimeMs / 1000);
}

async function diffTree(dataDir: string, before: Snapshot, after: Snapshot): Promise<void> {
  const [part] = (before as unknown as { parts: { key: string; tree: string }[] }).parts;
  const [other] = (after as unknown as { parts: { tree: string }[] }).parts;
  const gitDir = join(dataDir, 'capture', 'git', part?.key as string);
  const result = await runCommand('git', ['diff-tree', '-r', '-p', part?.tree as string, other?.tree as string], {
    cwd: gitDir,
    env: {
      PATH: process.env.PATH,
      GIT_DIR: gitDir,
      HOME: gitDir,
      GIT_ALTERNATE_OBJECT_DIRECTORIES: ['borrowed', 'lent'].map((name) => join(gitDir, name)).join(':'),
    },
    timeoutMs: 600_000,
    onOutput: () => undefined,
  });
  if (result.exitCode !== 0) throw new Error(result.stderr.toString());
}

for (const files of SIZES) for (const shape of SHAPES) await bench(files, shape);
const row = (cells: (string | number)[]) => `| ${cells.join(' | ')} |`;
console.log(row(['figure', 'files', 'shape', 'ms', 'baseline ms', 'ratio', 'longest stall ms', 'bytes written']));
console.log(row(Array.from({ length: 8 }, () => '---')));
for (const result of results) {
  console.log(
    row([
      result.figure,
      result.files,
      result.shape,
      result.ms,
      result.baselineMs,
      result.ratio,
      result.stallMs,
      result.writtenBytes,
    ]),
  );
}
