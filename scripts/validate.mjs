/** Runs every check in turn, goes on after a failure, and ends with `N passed, N failed` alone on a line. */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureBuilt, ROOT, say } from './prepare.mjs';

const scratch = mkdtempSync(join(tmpdir(), 'tidemark-validate-'));
const report = (name) => join(scratch, `${name}.json`);

/** Each step: a command, and how many of its checks passed and failed. A step without a report is one check. */
const STEPS = [
  { name: 'format and lint', command: ['biome', 'check', '.'] },
  { name: 'floors', command: ['npm', 'run', '--silent', 'floors'] },
  { name: 'types', command: ['npm', 'run', '--silent', 'typecheck'] },
  {
    name: 'unit',
    command: ['vitest', 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${report('unit')}`],
    count: () => {
      const { numPassedTests, numFailedTests, numFailedTestSuites } = readReport('unit');
      return { passed: numPassedTests, failed: Math.max(numFailedTests, numFailedTestSuites > 0 ? 1 : 0) };
    },
  },
  { name: 'build', run: () => ensureBuilt().then(() => 0) },
  {
    name: 'conformance',
    command: ['node', 'scripts/conformance.mjs', '--quick', `--json=${report('conformance')}`],
    count: () => {
      const { right, wrong } = readReport('conformance');
      return { passed: right, failed: wrong };
    },
  },
  {
    name: 'browser',
    command: ['playwright', 'test', '--reporter=list,json'],
    env: { PLAYWRIGHT_JSON_OUTPUT_NAME: report('browser') },
    count: () => {
      const { expected, unexpected, flaky } = readReport('browser').stats;
      return { passed: expected + flaky, failed: unexpected };
    },
  },
];

const readReport = (name) => JSON.parse(readFileSync(report(name), 'utf8'));

const only = process.argv.slice(2);
let passed = 0;
let failed = 0;
for (const step of STEPS) {
  if (only.length > 0 && !only.includes(step.name)) continue;
  say(`\n── ${step.name} ──`);
  const startedAt = Date.now();
  const status = step.run ? await step.run() : await spawned(step);
  const counts = counted(step, status);
  passed += counts.passed;
  failed += counts.failed;
  say(
    `── ${step.name}: ${counts.passed} passed, ${counts.failed} failed (${Math.round((Date.now() - startedAt) / 1000)} s)`,
  );
}
rmSync(scratch, { recursive: true, force: true });
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);

/** A step that ended badly has failed at least once, whatever its report says. */
function counted(step, status) {
  let counts = { passed: status === 0 ? 1 : 0, failed: 0 };
  if (step.count) {
    try {
      counts = step.count();
    } catch {
      counts = { passed: 0, failed: 0 };
    }
  }
  if (status !== 0 && counts.failed === 0) counts.failed = 1;
  if (step.count && counts.passed + counts.failed === 0) counts.failed = 1;
  return counts;
}

function spawned({ command: [name, ...args], env }) {
  return new Promise((resolve) => {
    const bin = join(ROOT, 'node_modules', '.bin');
    const child = spawn(name, args, {
      cwd: ROOT,
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, PATH: `${bin}:${process.env.PATH}`, NEXT_TELEMETRY_DISABLED: '1', ...env },
    });
    child.on('error', (error) => {
      say(`${name} cannot be started: ${error.message}`);
      resolve(127);
    });
    child.on('exit', (code) => resolve(code ?? 1));
  });
}
