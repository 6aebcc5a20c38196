/** Applies a change's whole patch with the real git to a copy of the start state, and takes it back again. */
import { posix } from 'node:path';
import type { Client } from './client';
import { runCommand, type Scratch } from './commands';
import { type Complaint, differs } from './complaint';
import { type FileFacts, factsAt, pathBytes, sameFacts } from './file-facts';
import type { WireFile, WireSummary } from './row-text';

export interface PatchCheck {
  client: Client;
  scratch: Scratch;
  summary: WireSummary;
  rows: WireFile[];
  /** The folder as it was when the run began; it is changed, and changed back. */
  start: string;
  /** The folder as the run left it. */
  end: string;
  /** The workspace within both: `.` or a path. */
  workspace: string;
}

/** What can't be in a patch: files outside, bodies that nobody kept, and binary ones where there is no git to write them. */
function isLeftOut(file: WireFile, { gaps }: WireSummary): boolean {
  const withoutGit = gaps.some((gap) => gap.reason === 'git_missing');
  return file.path.startsWith('/') || file.oversized || (file.binary && withoutGit);
}

/** Checks `…/patch`, and with `?origin=all` too where rows came with git. */
export async function checkPatch(check: PatchCheck): Promise<Complaint[]> {
  const mine = check.rows.filter((file) => file.origin !== 'git');
  const complaints = await checkOne(check, '', mine);
  if (complaints.length > 0 || mine.length === check.rows.length) return complaints;
  return checkOne(check, '?origin=all', check.rows);
}

async function checkOne(check: PatchCheck, query: string, wanted: WireFile[]): Promise<Complaint[]> {
  const { client, scratch, summary, rows, start, end, workspace } = check;
  const name = `the whole patch${query}`;
  const { status, headers, bytes } = await client.patch(summary, query);
  const text = Buffer.from(bytes);
  if (status !== 200) return differs(`${name} answers`, 200, `${status} ${text.toString().slice(0, 300)}`);
  const applicable = wanted.filter((file) => !isLeftOut(file, summary));
  const notes = notesOf(text);
  const complaints = [
    ...differs(
      `X-Tidemark-Omitted of ${name}`,
      rows.length - applicable.length,
      Number(headers.get('x-tidemark-omitted')),
    ),
    ...differs(
      `X-Tidemark-Apply-From of ${name}`,
      posix.relative(workspace, '.') || '.',
      decodeURI(headers.get('x-tidemark-apply-from') ?? 'missing'),
    ),
    ...wanted
      .filter((file) => isLeftOut(file, summary) && !notes.some((line) => line.includes(file.path)))
      .map((file) => ({
        what: `${name} names in a # line what it leaves out`,
        expected: file.path,
        came: notes.join('\n') || 'no # line',
      })),
  ];
  if (applicable.length === 0 || complaints.length > 0) return complaints;

  const env = { ...scratch.env, GIT_CEILING_DIRECTORIES: scratch.base };
  const apply = (...args: string[]) =>
    runCommand('git', ['-c', 'safe.directory=*', 'apply', '--whitespace=nowarn', ...args, '-'], {
      cwd: start,
      env,
      input: text,
    });
  const counted = await apply('--numstat', '-z');
  if (counted.status !== 0) return [{ what: `git reads ${name}`, expected: 'yes', came: counted.stderr.trim() }];
  complaints.push(
    ...differs(`git's own counts of ${name}`, countsOf(applicable, workspace), readNumstat(counted.stdout)),
  );

  const paths = applicable.flatMap((file) => placesOf(file, workspace));
  const before = paths.map((path) => remembered(factsAt(start, path)));
  for (const { step, args, wantedAt } of [
    { step: 'git apply', args: [], wantedAt: (at: number) => factsAt(end, paths[at] as Buffer) },
    { step: 'git apply -R', args: ['-R'], wantedAt: (at: number) => before[at] as FileFacts },
  ]) {
    const applied = await apply(...args);
    if (applied.status !== 0) {
      complaints.push({
        what: `${step} of ${name}`,
        expected: 'it applies',
        came: applied.stderr.trim().slice(0, 800),
      });
      return complaints;
    }
    for (const [at, path] of paths.entries()) {
      const [wantedFacts, came] = [wantedAt(at), factsAt(start, path)];
      if (sameFacts(wantedFacts, came)) continue;
      complaints.push({
        what: `${path.toString()} after ${step} of ${name}`,
        expected: inWords(wantedFacts),
        came: inWords(came),
      });
    }
    if (complaints.length > 0) return complaints;
  }
  return complaints;
}

/** The `#` lines before the first `diff --git`. */
function notesOf(patch: Buffer): string[] {
  const end = patch.indexOf('diff --git ');
  const head = patch.subarray(0, end < 0 ? patch.length : end).toString();
  return head.split('\n').filter((line) => line.startsWith('#'));
}

/** A row's paths from the root that the patch is applied at. */
function placesOf(file: WireFile, workspace: string): Buffer[] {
  const { path, oldPath } = pathBytes(file);
  return [path, ...(oldPath === null ? [] : [oldPath])].map((bytes) =>
    Buffer.from(posix.join(workspace, Buffer.from(bytes).toString('latin1')), 'latin1'),
  );
}

/** Path → `additions deletions`, binary files as git marks them. */
function countsOf(files: WireFile[], workspace: string): Record<string, string> {
  return Object.fromEntries(
    files.map((file) => [
      placesOf(file, workspace)[0]?.toString() ?? '',
      file.binary ? '- -' : `${file.additions} ${file.deletions}`,
    ]),
  );
}

/** What `git apply --numstat -z` printed. A file that became a link stands there twice. */
function readNumstat(printed: Buffer): Record<string, string> {
  const counts = new Map<string, string>();
  for (const entry of printed.toString().split('\0')) {
    const [added, removed, ...path] = entry.split('\t');
    if (added === undefined || removed === undefined) continue;
    const key = path.join('\t');
    const [earlierAdded, earlierRemoved] = (counts.get(key) ?? '0 0').split(' ').map(Number);
    counts.set(
      key,
      added === '-' ? '- -' : `${Number(added) + (earlierAdded ?? 0)} ${Number(removed) + (earlierRemoved ?? 0)}`,
    );
  }
  return Object.fromEntries(counts);
}

/** Facts whose bytes are in memory, for when the file is changed. */
function remembered(facts: FileFacts): FileFacts {
  if (facts.kind !== 'file') return facts;
  const bytes = facts.read();
  return { ...facts, read: () => bytes };
}

function inWords(facts: FileFacts): string {
  switch (facts.kind) {
    case 'file': {
      const bytes = facts.read();
      return `a file of ${facts.size} bytes${facts.executable ? ', executable' : ''}: ${JSON.stringify(bytes.toString().slice(0, 120))}`;
    }
    case 'symlink':
      return `a link to ${facts.target.toString()}`;
    case 'other':
      return 'a folder or something else';
    case 'absent':
      return 'nothing';
  }
}
