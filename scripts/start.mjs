/** `npm start`: installs what is missing, builds what is stale, serves. */
import { join } from 'node:path';
import { ensureBuilt, ensureInstalled, ROOT, requireNode } from './prepare.mjs';

requireNode();
process.chdir(ROOT);
const isDev = process.argv.includes('--dev');
await ensureInstalled();
await ensureBuilt();
process.env.NODE_ENV = isDev ? 'development' : 'production';
process.env.NEXT_TELEMETRY_DISABLED = '1';
await import(join(ROOT, 'dist', 'serve.mjs'));
