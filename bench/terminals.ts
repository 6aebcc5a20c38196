/** `npm run bench -- terminals`: what `tidemark run` adds to a command, and what a hook costs an agent, on this computer. */
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { prepareScratch } from '../e2e/conformance/commands';
import { Server } from '../e2e/conformance/server';

const ROUNDS = Number(process.argv[2] ?? 15);
const project = process.cwd();
const program = join(project, 'dist', 'tidemark.mjs');

const base = realpathSync(mkdtempSync(join(tmpdir(), 'tidemark-bench-')));
const scratch = prepareScratch(base, process.env.PATH ?? '');
const dataDir = join(base, 'data');
const env = { ...scratch.env, TIDEMARK_DATA_DIR: dataDir } as unknown as NodeJS.ProcessEnv;
const server = await Server.start(project, scratch, { dataDir });
try {
  await report();
} finally {
  await server.stop();
  rmSync(base, { recursive: true, force: true, maxRetries: 3 });
}

async function report(): Promise<void> {
  const node = await median(() => timed(process.execPath, ['-e', '0'], base));
  console.log(`node itself                         ${ms(node)}`);
  for (const files of [0, 1_000]) {
    const folder = repository(files);
    const bare = await median(() => timed('true', [], folder));
    const whole = await median(() => timed(process.execPath, [program, 'run', '--', 'true'], folder));
    const snapshots = 2 * (await medianBaseline(folder));
    console.log(
      `tidemark run -- true, ${String(files).padStart(5)} files       ${ms(whole)}, of which the two snapshots ${ms(snapshots)}: adds ${ms(whole - bare - snapshots)}`,
    );
  }
  const folder = repository(100);
  execFileSync(process.execPath, [program, 'hooks', 'install', 'claude'], { env, stdio: 'ignore' });
  const hook = join(dataDir, 'hooks', 'claude');
  let counter = 0;
  const post = (event: () => object) =>
    median(() => timed(hook, [], folder, JSON.stringify({ session_id: 's', cwd: folder, ...event() })));
  const tool = (name: string, input: object) => () => {
    counter += 1;
    return {
      hook_event_name: name,
      tool_name: 'file_path' in input ? 'Write' : 'Bash',
      tool_input: input,
      tool_use_id: `${counter}`,
    };
  };
  await timed(
    hook,
    [],
    folder,
    JSON.stringify({ session_id: 's', cwd: folder, hook_event_name: 'UserPromptSubmit', prompt: 'go' }),
  );
  console.log(`hook: a call of a shell begins       ${ms(await post(tool('PreToolUse', { command: 'ls' })))}`);
  console.log(`hook: a call ends                    ${ms(await post(tool('PostToolUse', { command: 'ls' })))}`);
  console.log(`hook: a file tool begins             ${ms(await post(tool('PreToolUse', { file_path: 'a.txt' })))}`);
  const prompt = await post(() => {
    counter += 1;
    return { hook_event_name: 'UserPromptSubmit', prompt: `go ${counter}`, prompt_id: `${counter}` };
  });
  console.log(`hook: a prompt, with its baseline    ${ms(prompt)}`);
  await server.stop();
  console.log(`hook: while Tidemark is away         ${ms(await post(tool('PostToolUse', { command: 'ls' })))}`);
}

function repository(files: number): string {
  const folder = join(base, `work-${files}`);
  mkdirSync(folder);
  for (let at = 0; at < files; at += 1) writeFileSync(join(folder, `${at}.txt`), `${at}\n`);
  for (const args of [
    ['init', '-q'],
    ['add', '-A'],
    ['commit', '-q', '--allow-empty', '-m', 'start'],
  ]) {
    execFileSync('git', args, { cwd: folder, env });
  }
  return folder;
}

/** Milliseconds from the start of a program to its end. */
function timed(command: string, args: string[], cwd: string, input = ''): Promise<number> {
  const begun = performance.now();
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env, stdio: ['pipe', 'ignore', 'ignore'] });
    child.once('error', reject);
    child.once('exit', () => resolve(performance.now() - begun));
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
  });
}

async function median(measure: () => Promise<number>): Promise<number> {
  const all: number[] = [];
  // The first one warms up.
  for (let round = 0; round <= ROUNDS; round += 1) all.push(await measure());
  return middle(all.slice(1));
}

async function medianBaseline(folder: string): Promise<number> {
  const token = readFileSync(join(dataDir, 'token'), 'utf8').trim();
  const answer = await fetch(`${server.client.url}/api/runs?workspace=${encodeURIComponent(folder)}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const { runs } = (await answer.json()) as { runs: { baseline_ms: number }[] };
  return middle(runs.map(({ baseline_ms }) => baseline_ms));
}

function middle(all: number[]): number {
  return all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)] ?? 0;
}

function ms(time: number): string {
  return `${time.toFixed(1).padStart(7)} ms`;
}
