/** A run in the forms in which others take it: JSON, Markdown for a pull request, one HTML file. */
import 'server-only';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { changeTitle } from '@/lib/domain/change-words';
import { toWire } from '@/lib/domain/events';
import { exportMarkdown, type RunExport } from '@/lib/domain/run-export';
import { download } from './downloads';
import { exportedPictures, runExport } from './run-exports';
import type { SharedRun } from './shared-run';

export async function jsonDownload(shared: SharedRun): Promise<Response> {
  const text = JSON.stringify(toWire(await runExport(shared)), null, 2);
  return download(`${text}\n`, 'application/json; charset=utf-8', 'run.json');
}

export async function markdownDownload(shared: SharedRun): Promise<Response> {
  return download(exportMarkdown(await runExport(shared)), 'text/markdown; charset=utf-8', 'run.md');
}

export async function htmlDownload(shared: SharedRun): Promise<Response> {
  const run = await runExport(shared);
  const html = htmlOf(run, await exportedPictures(shared));
  return download(html, 'text/html; charset=utf-8', 'run.html');
}

/** The bundle that every exported file carries, made by the build. */
function bundled(name: 'offline.js' | 'offline.css'): string {
  return readFileSync(join(process.cwd(), 'dist', name), 'utf8');
}

/** Nothing in the data can end the element it stands in. */
function asData(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c');
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (mark) => `&#${mark.charCodeAt(0)};`);
}

const POLICY =
  "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; worker-src blob:; base-uri 'none'; form-action 'none'";

function htmlOf(run: RunExport, pictures: Record<string, string>): string {
  const title = `${run.change ? changeTitle(run.change) : 'No files changed'} in ${run.run.workspace}`;
  // A script or style sheet must not hold the end of its own element.
  const script = bundled('offline.js')
    .replace(/<\/(script)/gi, '<\\/$1')
    .replaceAll('<!--', '<\\!--');
  const style = bundled('offline.css').replace(/<\/(style)/gi, '<\\/$1');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<title>${escaped(title)}</title>
<style>${style}</style>
</head>
<body>
<div id="root"><noscript>This page needs JavaScript to show the run it carries.</noscript></div>
<script type="application/json" id="tidemark-run">${asData({ run: toWire(run), pictures })}</script>
<script>${script}</script>
</body>
</html>
`;
}
