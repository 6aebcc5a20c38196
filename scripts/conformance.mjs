/** `npm run conformance`: installs what is missing, builds what is stale, checks the claim row by row. */
import { join } from 'node:path';
import { ensureBuilt, ensureInstalled, ROOT, requireNode } from './prepare.mjs';

requireNode();
await ensureInstalled();
await ensureBuilt();
const { bundleConformance } = await import('./bundle-conformance.mjs');
await bundleConformance();
await import(join(ROOT, 'dist', 'conformance.mjs'));
