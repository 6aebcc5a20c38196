/** What must hold of every record, whatever the situation: CONFORMANCE's "every test also checks", in one place. */
import { type ChangeTotals, totalsOf } from '@/lib/domain/change';
import { fromWire, isTerminalEvent, toWire, type Wire } from '@/lib/domain/events';
import { countLines } from '@/lib/domain/patch';
import { parseUnifiedPatch } from '@/lib/domain/unified-patch';
import { comparePaths } from '@/lib/domain/workspace';
import type { Client, WireComparison, WireRun } from './client';
import { type Complaint, differs } from './complaint';
import type { HeardEvent } from './event-log';
import { factsAt, pathBytes } from './file-facts';
import { rowText, type WireFile, type WireSummary } from './row-text';

/** Bodies read at once. */
const AT_ONCE = 8;
/** Bytes past which a side is not served. */
const MOST_CONTENT = 2 * 1024 * 1024;

/** A finished run as it stands in every place where it can be read. */
export interface RunRecord {
  run: WireRun;
  /** The change as the end of the run answered it; null where there is none. */
  change: WireSummary | null;
  /** Every row, from all pages. */
  rows: WireFile[];
  events: HeardEvent[];
}

export interface World {
  client: Client;
  /** The workspace's folder as the run left it; null where it does not hold still. */
  end: string | null;
  /** A copy of it from when the run began; null where none was kept. */
  start: string | null;
  /** Whether bytes on disk are bytes in the record: false under text conversion and filters. */
  sameBytes: boolean;
  /** Rows whose bodies are read one by one; of more, as many spread evenly. */
  mostBodies: number;
}

/** Everything that must hold of a record. */
export async function checkRecord(record: RunRecord, world: World): Promise<Complaint[]> {
  const complaints = [...checkEvents(record), ...(await checkAnswers(record, world.client))];
  if (record.change === null) return complaints;
  complaints.push(...checkTotals(record.change, record.rows), ...checkRows(record.change, record.rows));
  complaints.push(...(await checkBodies(record.change, record.rows, world)));
  return complaints;
}

/** The order on the wire: the change first, once, without bodies; then the terminal event, once, and nothing after it. */
export function checkEvents({ run, change, events }: RunRecord): Complaint[] {
  const mine = events.filter((event) => event.data.run_id === run.id);
  const names = mine.map((event) => event.name);
  const terminal = names.filter(isTerminalEvent);
  const complaints = differs('terminal events of the run', [`run.${run.status}`], terminal);
  const expected = change === null ? [] : ['workspace.diff.completed'];
  const told = names.filter((name) => name === 'workspace.diff.completed');
  complaints.push(...differs('times that the change was announced', expected.length, told.length));
  if (told.length > 0 && names.indexOf('workspace.diff.completed') > names.findIndex(isTerminalEvent)) {
    complaints.push({
      what: 'workspace.diff.completed precedes the terminal event',
      expected: 'yes',
      came: names.join(', '),
    });
  }
  const ids = events.map((event) => event.id);
  if (ids.some((id, at) => !(id > (ids[at - 1] ?? 0)))) {
    complaints.push({ what: 'ids of events grow', expected: 'yes', came: ids.join(', ') });
  }
  const event = mine.find(({ name }) => name === 'workspace.diff.completed');
  if (event && change) {
    const { event: name, at: _, ...payload } = event.data;
    complaints.push(...differs('the event names itself', 'workspace.diff.completed', name));
    complaints.push(...differs('the event carries the summary', change, payload));
    if (JSON.stringify(event.data).includes('"patch":')) {
      complaints.push({ what: 'the event carries a patch body', expected: 'no', came: 'yes' });
    }
  }
  return complaints;
}

/** One truth: the run, the list and the change itself answer what the end of the run answered. */
async function checkAnswers({ run, change }: RunRecord, client: Client): Promise<Complaint[]> {
  const read = await client.readRun(run.id);
  const listed = (await client.changes(run.session_id)).filter((summary) => summary.run_id === run.id);
  const complaints = [
    ...differs('status of the run when it is read', run.status, read.run.status),
    ...differs('the change of the run when it is read', change, read.change),
    ...differs('the change in the list of the session', change === null ? [] : [change], listed),
  ];
  if (change) complaints.push(...differs('the change when it is read by its id', change, await client.change(change)));
  return complaints;
}

/** The sum over all rows whose origin is not git is the header; those of origin git are counted apart. */
export function checkTotals(change: WireSummary, rows: WireFile[]): Complaint[] {
  const sum: Wire<ChangeTotals> = toWire(totalsOf(rows.map((file) => fromWire(file) as never)));
  const header = Object.fromEntries(Object.keys(sum).map((key) => [key, change[key as keyof typeof sum]]));
  const moved = rows.filter((file) => file.origin === 'git').length;
  return [
    ...differs('the header is the sum over all rows', sum, header),
    ...differs('rows of origin git', moved, change.git?.moved_count ?? 0),
  ];
}

/** What a list of rows must be like, and what each must say of itself. */
export function checkRows(change: WireSummary, rows: WireFile[]): Complaint[] {
  const complaints = differs('the summary lists the first rows', rows.slice(0, 500), change.files);
  const places = rows.map((file) => `${file.origin === 'git' ? 1 : 0}${file.path}`);
  const ordered = [...places].sort((a, b) => comparePaths(a, b));
  complaints.push(...differs('rows in the order of their paths, those that came with git last', ordered, places));
  complaints.push(...differs('ids of rows are unique', rows.length, new Set(rows.map((file) => file.id)).size));
  complaints.push(...differs('paths of rows are unique', rows.length, new Set(rows.map((file) => file.path)).size));
  const cut = rows.length > 500 || rows.some((file) => file.truncated);
  if (cut && !change.truncated) complaints.push({ what: 'truncated', expected: 'true', came: 'false' });
  for (const file of rows) complaints.push(...checkRow(file));
  return complaints;
}

function checkRow(file: WireFile): Complaint[] {
  const before = file.change_type !== 'added';
  const after = file.change_type !== 'deleted';
  const wrong: string[] = [];
  if ((file.change_type === 'renamed') !== (file.old_path !== null))
    wrong.push('a rename has an old path, and only a rename');
  if ((file.kind_before !== null) !== before || (file.mode_before !== null) !== before)
    wrong.push('kind and mode before');
  if ((file.kind_after !== null) !== after || (file.mode_after !== null) !== after) wrong.push('kind and mode after');
  if (!before && file.size_before !== null) wrong.push('no size before');
  if (!after && file.size_after !== null) wrong.push('no size after');
  if (file.evidence.length === 0) wrong.push('evidence');
  if (file.binary && file.additions + file.deletions > 0) wrong.push('a binary file has no line counts');
  return wrong.map((what) => ({ what: `row ${rowText(file)}`, expected: what, came: JSON.stringify(file) }));
}

/** Every expandable row yields hunks whose added and removed lines are its counts; sizes, kinds and bytes are the disk's. */
async function checkBodies(change: WireSummary, rows: WireFile[], world: World): Promise<Complaint[]> {
  const step = Math.max(1, rows.length / world.mostBodies);
  const chosen = Array.from(
    { length: Math.min(rows.length, world.mostBodies) },
    (_, at) => rows[Math.floor(at * step)] as WireFile,
  );
  const complaints: Complaint[] = [];
  const queue = [...chosen];
  const worker = async () => {
    for (let file = queue.shift(); file && complaints.length < 20; file = queue.shift()) {
      complaints.push(...(await checkBody(change, file, world)));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return complaints;
}

async function checkBody(change: WireSummary, file: WireFile, world: World): Promise<Complaint[]> {
  const name = rowText(file);
  const body = await world.client.file(change, file);
  const { patch, patch_bytes: patchBytes, expired } = body;
  const row = Object.fromEntries(Object.keys(file).map((key) => [key, body[key as keyof WireFile]]));
  const complaints = [
    ...differs(`row ${name} when it is read by its id`, file, row),
    ...differs(`${name} has expired`, false, expired),
    ...differs(`bytes of the patch of ${name}`, patch === null ? 0 : Buffer.byteLength(patch), patchBytes),
  ];
  if (patch !== null && !file.truncated) complaints.push(...checkPatchText(name, file, patch));
  if (patch === null && file.additions + file.deletions > 0 && !file.truncated && !file.oversized) {
    complaints.push({ what: `${name} has a patch`, expected: 'yes', came: 'none' });
  }
  complaints.push(...checkComparison(name, file, await world.client.comparison(change, file)));
  complaints.push(...(await checkDisk(name, change, file, world)));
  return complaints;
}

function checkPatchText(name: string, file: WireFile, patch: string): Complaint[] {
  const { hunks } = parseUnifiedPatch(patch);
  const { additions, deletions } = countLines(hunks);
  const complaints = differs(`lines of the patch of ${name}`, [file.additions, file.deletions], [additions, deletions]);
  for (const hunk of hunks) {
    const counted = countLines([hunk]);
    const context = hunk.lines.length - counted.additions - counted.deletions;
    complaints.push(
      ...differs(
        `lines of a hunk of ${name}`,
        [hunk.oldLines, hunk.newLines],
        [context + counted.deletions, context + counted.additions],
      ),
    );
  }
  return complaints;
}

function checkComparison(name: string, file: WireFile, comparison: WireComparison): Complaint[] {
  const what = `the comparison of ${name}`;
  switch (comparison.kind) {
    case 'text': {
      const { additions, deletions } = countLines(comparison.hunks.map((hunk) => fromWire(hunk) as never));
      const allowed =
        file.binary || file.oversized
          ? ['not text']
          : differs(what, [file.additions, file.deletions], [additions, deletions]);
      if (comparison.coarse) return [{ what, expected: 'line by line', came: 'coarse' }];
      return allowed.map((one) => (typeof one === 'string' ? { what, expected: one, came: 'text' } : one));
    }
    case 'binary':
      return [
        ...differs(what, 'binary', file.binary ? 'binary' : 'binary, but the row is text'),
        ...differs(
          `sizes in ${what}`,
          [file.size_before, file.size_after],
          [comparison.size_before, comparison.size_after],
        ),
      ];
    case 'oversized':
      return differs(what, 'oversized', file.oversized ? 'oversized' : 'oversized, but the row is not');
    case 'symlink':
      return differs(what, true, file.kind_before === 'symlink' || file.kind_after === 'symlink');
    case 'submodule':
      return differs(what, true, file.kind_before === 'submodule' || file.kind_after === 'submodule');
  }
}

/** The record against the world: what it says of each side is what stands on disk. */
async function checkDisk(name: string, change: WireSummary, file: WireFile, world: World): Promise<Complaint[]> {
  const { path, oldPath } = pathBytes(file);
  const complaints: Complaint[] = [];
  const sides = [
    {
      side: 'before',
      root: world.start,
      path: oldPath ?? path,
      size: file.size_before,
      kind: file.kind_before,
      mode: file.mode_before,
    },
    { side: 'after', root: world.end, path, size: file.size_after, kind: file.kind_after, mode: file.mode_after },
  ] as const;
  for (const { side, root, path: at, size, kind, mode } of sides) {
    if (root === null || kind === 'submodule') continue;
    const facts = factsAt(root, at);
    const here = facts.kind === 'file' || facts.kind === 'symlink' ? facts.kind : null;
    complaints.push(...differs(`kind of ${name} ${side}`, here, kind));
    if (facts.kind !== 'file' || kind !== 'file') continue;
    complaints.push(...differs(`mode of ${name} ${side}`, facts.executable ? '100755' : '100644', mode));
    if (!world.sameBytes) continue;
    complaints.push(...differs(`size of ${name} ${side}`, facts.size, size));
    if (facts.size > MOST_CONTENT || file.oversized) continue;
    const content = await world.client.content(change, file, side);
    if (content.status !== 200 || !facts.read().equals(content.bytes)) {
      const came = `status ${content.status}, ${content.bytes.length} bytes: ${JSON.stringify(Buffer.from(content.bytes).toString().slice(0, 200))}`;
      complaints.push({ what: `content of ${name} ${side}`, expected: `the ${facts.size} bytes on disk`, came });
    }
  }
  return complaints;
}
