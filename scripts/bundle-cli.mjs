/** Bundles the command line into one file that plain Node runs: `node scripts/bundle-cli.mjs dist/tidemark.mjs`. */
import { chmodSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Writes the bundle. `outfile` is absolute, or relative to the project. */
export async function bundleCli(outfile) {
  const target = resolve(root, outfile);
  await build({
    absWorkingDir: root,
    entryPoints: ['cli/tidemark.ts'],
    outfile: target,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    minify: true,
    // The ES module of a package where it has one: the other form of jsonc-parser cannot be bundled.
    mainFields: ['module', 'main'],
    legalComments: 'none',
    logLevel: 'warning',
  });
  chmodSync(target, 0o755);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await bundleCli(process.argv[2] ?? 'dist/tidemark.mjs');
