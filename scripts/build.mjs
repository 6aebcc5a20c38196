/** Builds everything into `.next` (pages and routes) and `dist` (the server's process and the command line). */
import { join } from 'node:path';
import { build } from 'esbuild';
import { bundleCli } from './bundle-cli.mjs';
import { bundleConformance } from './bundle-conformance.mjs';
import { bundleOffline } from './bundle-offline.mjs';
import { ROOT, run } from './prepare.mjs';

const shared = {
  absWorkingDir: ROOT,
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  sourcemap: true,
  logLevel: 'warning',
  legalComments: 'none',
  alias: { 'server-only': join(ROOT, 'node_modules', 'server-only', 'empty.js') },
};

await build({
  ...shared,
  entryPoints: { serve: 'lib/server/serve.ts' },
  outdir: 'dist',
  outExtension: { '.js': '.mjs' },
  packages: 'external',
});
// The command line stands alone: it must start fast and work from any folder.
await bundleCli('dist/tidemark.mjs');
await bundleConformance();
// What an exported run carries with it.
await bundleOffline('dist');

const status = await run(process.execPath, [join(ROOT, 'node_modules', 'next', 'dist', 'bin', 'next'), 'build'], {
  env: { ...process.env, NEXT_TELEMETRY_DISABLED: '1', NODE_ENV: 'production' },
});
process.exit(status);
