/** Bundles the page that an exported run carries with it: one script and one style sheet, no server, no network. */
import { join } from 'node:path';
import { build } from 'esbuild';
import { ROOT } from './prepare.mjs';

const shared = {
  absWorkingDir: ROOT,
  bundle: true,
  minify: true,
  format: 'iife',
  target: 'es2022',
  jsx: 'automatic',
  define: { 'process.env.NODE_ENV': '"production"' },
  logLevel: 'warning',
  legalComments: 'none',
  // The package's "browser" build needs a document and dies in a worker.
  alias: {
    'decode-named-character-reference': join(ROOT, 'node_modules', 'decode-named-character-reference', 'index.js'),
  },
};

/** A page from disk has no address from which a worker could be started: its source travels in the script. */
function inlineWorker(source) {
  return {
    name: 'inline-worker',
    setup(bundle) {
      bundle.onLoad({ filter: /start-colour-worker\.ts$/ }, () => ({
        contents: `export function startColourWorker() {
          return new Worker(URL.createObjectURL(new Blob([${JSON.stringify(source)}], { type: 'text/javascript' })));
        }`,
        loader: 'ts',
      }));
      // Buttons may be links elsewhere; here none is, and the router behind links has no place.
      bundle.onLoad({ filter: /components\/ui\/link\.tsx$/ }, () => ({
        contents: 'export function Link() { return null; }',
        loader: 'js',
      }));
    },
  };
}

/** Writes `offline.js` and `offline.css` into `folder`. */
export async function bundleOffline(folder) {
  const { outputFiles } = await build({
    ...shared,
    entryPoints: ['components/diff/colour-worker.ts'],
    write: false,
  });
  await build({
    ...shared,
    stdin: { contents: "import './app/globals.css'; import './components/share/offline.tsx';", resolveDir: ROOT },
    outfile: `${folder}/offline.js`,
    plugins: [inlineWorker(outputFiles[0].text)],
  });
}
