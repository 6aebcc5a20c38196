/** `npm run bench -- NAME [options]`: runs one benchmark; without a name, lists them. */
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const HERE = dirname(fileURLToPath(import.meta.url));
const ROOT = dirname(HERE);

/** Benchmarks begin with a sentence that says what they measure; other modules here only serve them. */
function benchmarks() {
  return readdirSync(HERE)
    .filter((name) => /\.(ts|mjs)$/.test(name) && name !== 'run.mjs')
    .map((name) => ({
      name,
      sentence: /^\/\*\* (Measures .*?)(?: \*\/)?$/m.exec(readFileSync(join(HERE, name), 'utf8'))?.[1],
    }))
    .filter(({ sentence }) => sentence !== undefined);
}

const [name, ...options] = process.argv.slice(2);
const file = ['ts', 'mjs'].map((extension) => join(HERE, `${name}.${extension}`)).find((path) => existsSync(path));
if (!name || !file) {
  for (const { name: own, sentence } of benchmarks())
    console.log(`${own.replace(/\.\w+$/, '').padEnd(16)} ${sentence}`);
  process.exit(name ? 1 : 0);
}
process.argv.splice(2, process.argv.length, ...options);
process.chdir(ROOT);
if (file.endsWith('.mjs')) await import(pathToFileURL(file).href);
else {
  const outfile = join(ROOT, 'dist', 'bench', `${name}.mjs`);
  mkdirSync(dirname(outfile), { recursive: true });
  await build({
    absWorkingDir: ROOT,
    entryPoints: [file],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: 'external',
    logLevel: 'warning',
    alias: { 'server-only': join(ROOT, 'node_modules', 'server-only', 'empty.js') },
  });
  await import(pathToFileURL(outfile).href);
}
