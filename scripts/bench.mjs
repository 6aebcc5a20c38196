/** `npm run bench -- <name> [options]`: bundles `bench/<name>.ts` into one file that plain Node runs, and runs it. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { ROOT } from './prepare.mjs';

const [name = 'capture', ...options] = process.argv.slice(2);
const entry = join(ROOT, 'bench', `${name}.ts`);
if (!/^[a-z-]+$/.test(name) || !existsSync(entry)) {
  console.error(`There is no bench named ${JSON.stringify(name)}.`);
  process.exit(64);
}
const outfile = join(ROOT, 'dist', `bench-${name}.mjs`);
await build({
  absWorkingDir: ROOT,
  entryPoints: [entry],
  outfile,
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  packages: 'external',
  legalComments: 'none',
  logLevel: 'warning',
});
process.argv = [process.argv[0], outfile, ...options];
await import(outfile);
