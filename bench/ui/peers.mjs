/** Builds the peers' pages and serves them with the patches they are given, on this computer alone. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const HERE = dirname(fileURLToPath(import.meta.url));

function install() {
  if (existsSync(join(HERE, 'node_modules', '@pierre', 'diffs'))) return;
  const { status } = spawnSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: HERE, stdio: 'inherit' });
  if (status !== 0) throw new Error('The peers could not be installed');
}

/** `patches` by name. Answers the server's address and a way to stop it. */
export async function servePeers(patches) {
  install();
  const { outputFiles } = await build({
    entryPoints: {
      pierre: join(HERE, 'pierre.jsx'),
      table: join(HERE, 'table.jsx'),
      'pierre-worker': join(HERE, 'node_modules', '@pierre', 'diffs', 'dist', 'worker', 'worker.js'),
    },
    bundle: true,
    splitting: true,
    format: 'esm',
    minify: true,
    write: false,
    outdir: '/',
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"' },
    logLevel: 'error',
  });
  const files = new Map(outputFiles.map(({ path, contents }) => [path, contents]));
  const page = readFileSync(join(HERE, 'page.html'), 'utf8');
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url, 'http://localhost');
    const patch = patches.get(pathname.slice('/patches/'.length));
    if (pathname.startsWith('/patches/') && patch !== undefined) response.end(patch);
    else if (files.has(pathname)) {
      response.setHeader('content-type', 'text/javascript');
      response.end(files.get(pathname));
    } else if (pathname === '/pierre' || pathname === '/table') {
      response.setHeader('content-type', 'text/html');
      response.end(page.replace('SCRIPT', pathname.slice(1)));
    } else {
      response.statusCode = 404;
      response.end();
    }
  });
  await new Promise((ready) => server.listen(0, '127.0.0.1', ready));
  return { url: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
}
