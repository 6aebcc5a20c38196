/** Bundles the conformance runner into one file that plain Node runs. */
import { join } from 'node:path';
import { build } from 'esbuild';
import { ROOT } from './prepare.mjs';

/** Writes `dist/conformance.mjs`; a moment's work, so that it never is older than its source. */
export async function bundleConformance() {
  await build({
    absWorkingDir: ROOT,
    entryPoints: ['e2e/conformance/main.ts'],
    outfile: join(ROOT, 'dist', 'conformance.mjs'),
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: 'external',
    legalComments: 'none',
    logLevel: 'warning',
  });
}
