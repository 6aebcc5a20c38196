/** Installs what is missing and builds what is stale. Plain Node: it runs before anything is installed. */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The project's folder. */
export const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));

const LEAST_NODE = [20, 9];
/** What a build is made of. */
const SOURCES = [
  'app',
  'components',
  'lib',
  'cli',
  'drizzle',
  'instrumentation.ts',
  'proxy.ts',
  'next.config.ts',
  'package-lock.json',
  'tsconfig.json',
  'scripts',
];
const NOT_BUILT = /\.(test|spec)\.tsx?$|(^|\/)fixtures(\/|$)/;

/** Tells what is being done, on standard error: standard output holds the one line that says Tidemark is ready. */
export function say(text) {
  process.stderr.write(`${text}\n`);
}

/** Runs a program in the project's folder. Resolves with its exit status. */
export function run(command, args, options = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: ROOT, stdio: ['ignore', 2, 2], ...options });
    child.on('error', (error) => {
      say(`${command} cannot be started: ${error.message}`);
      resolve(127);
    });
    child.on('exit', (code) => resolve(code ?? 1));
  });
}

/** Ends the process where this Node is too old. */
export function requireNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > LEAST_NODE[0] || (major === LEAST_NODE[0] && minor >= LEAST_NODE[1])) return;
  say(`Tidemark needs Node ${LEAST_NODE.join('.')} or later; this is ${process.versions.node}.`);
  process.exit(1);
}

/** Installs the packages of the lock file, unless they are there. */
export async function ensureInstalled() {
  const stamp = join(ROOT, 'node_modules', '.tidemark-installed');
  const wanted = hashOf([join(ROOT, 'package-lock.json')]);
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  say('Installing packages (a few minutes the first time: the database driver may be compiled) …');
  const status = await run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    env: { ...process.env, NODE_ENV: '' },
  });
  if (status !== 0) {
    say('The packages could not be installed; see above. Check the network and try again.');
    process.exit(status);
  }
  writeFileSync(stamp, wanted);
}

/** Builds the server, the pages and the command line, unless nothing changed since the last build. */
export async function ensureBuilt() {
  const stamp = join(ROOT, 'dist', '.built-from');
  const wanted = hashOf(SOURCES.map((source) => join(ROOT, source)).flatMap(filesIn));
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted && existsSync(join(ROOT, '.next', 'BUILD_ID')))
    return;
  say('Building (about a minute) …');
  const status = await run(process.execPath, [join(ROOT, 'scripts', 'build.mjs')]);
  if (status !== 0) {
    say('The build failed; see above.');
    process.exit(status);
  }
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, wanted);
}

function filesIn(path) {
  if (!existsSync(path)) return [];
  if (!statSync(path).isDirectory()) return NOT_BUILT.test(path) ? [] : [path];
  return readdirSync(path, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const inner = join(path, entry.name);
      if (NOT_BUILT.test(inner)) return [];
      return entry.isDirectory() ? filesIn(inner) : [inner];
    });
}

function hashOf(paths) {
  const hash = createHash('sha256').update(process.version);
  for (const path of paths)
    hash.update(`\0${path.slice(ROOT.length)}\0`).update(existsSync(path) ? readFileSync(path) : '');
  return hash.digest('hex');
}
