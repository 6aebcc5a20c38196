/** The tools with which an agent checks itself: `list_runs`, `run_changes`, `run_patch`. They only read. */

import type { ChangeSummary } from '@/lib/domain/change';
import { changeTitle, countsInSigns, rowLine } from '@/lib/domain/change-words';
import type { Json } from '@/lib/domain/conversation';
import { toWire } from '@/lib/domain/events';
import { gapsInWords } from '@/lib/domain/gap-words';
import type { Run } from '@/lib/domain/run';
import { fenced } from './applied-diff';
import { type ToolAnswer, ToolFailure } from './tool-answer';

/** What is recorded, as the tools ask for it. All throw `ToolFailure` where it cannot be told. */
export interface RunReader {
  /** Newest first. */
  listRuns(limit: number): Promise<Run[]>;
  /** The run that an id names; without one the run that goes on, else the last one. */
  findRun(runId: string | null): Promise<Run>;
  /** What a run changed, so far where it goes on; null for nothing. */
  changeOf(run: Run): Promise<ChangeSummary | null>;
  /** What changed between the run before and this one; null for nothing. */
  driftOf(run: Run): Promise<ChangeSummary | null>;
  /** The patch of a run, at most `maxBytes`; null for nothing. */
  patchOf(run: Run, maxBytes: number): Promise<{ text: string; isWhole: boolean; applyFrom: string } | null>;
}

/** Rows of one list told to a model. */
const MAX_ROWS = 200;
/** Bytes of a patch read for a model, before its lines are counted. */
const MAX_PATCH_BYTES = 512 * 1024;
const MAX_PROMPT_CHARS = 200;

export async function listRuns(reader: RunReader, { limit = 20 }: { limit?: number | undefined }): Promise<ToolAnswer> {
  const runs = await reader.listRuns(limit);
  if (runs.length === 0) return { text: 'No run is recorded here.', meta: { runs: [] } };
  const lines = runs.map(({ id, status, startedAt, prompt }) => {
    const line = prompt.replace(/\s+/g, ' ').trim();
    const short = line.length > MAX_PROMPT_CHARS ? `${line.slice(0, MAX_PROMPT_CHARS - 1)}…` : line;
    return `${id}  ${status}  ${new Date(startedAt).toISOString()}  ${short}`;
  });
  return { text: lines.join('\n'), meta: { runs: runs.map(asJson) } };
}

export async function runChanges(
  reader: RunReader,
  { run_id = null, drift = false }: { run_id?: string | null | undefined; drift?: boolean | undefined },
): Promise<ToolAnswer> {
  const run = await reader.findRun(run_id);
  const change = drift ? await reader.driftOf(run) : await reader.changeOf(run);
  const meta = { run_id: run.id, change: change && asJson(change) };
  if (!change) {
    return {
      text: drift ? `Nothing changed outside runs before ${run.id}.` : `No files changed in ${run.id}${soFar(run)}.`,
      meta,
    };
  }
  const rows = change.files.filter(({ origin }) => origin !== 'git');
  const lines = [`${changeTitle(change)}  ${countsInSigns(change)}  (${run.id}${soFar(run)})`];
  lines.push(...rows.slice(0, MAX_ROWS).map((row) => rowLine(row)));
  const more = change.changedCount - Math.min(rows.length, MAX_ROWS);
  if (more > 0) lines.push(`... (${more} more files)`);
  const gaps = gapsInWords(change.gaps);
  if (gaps !== null) lines.push(gaps);
  return { text: lines.join('\n'), meta };
}

function soFar(run: Run): string {
  return run.status === 'running' ? ', so far' : '';
}

export async function runPatch(
  reader: RunReader,
  { run_id = null }: { run_id?: string | null | undefined },
  { maxLines }: { maxLines: number },
): Promise<ToolAnswer> {
  const run = await reader.findRun(run_id);
  const patch = await reader.patchOf(run, MAX_PATCH_BYTES);
  if (!patch) return { text: `No files changed in ${run.id}${soFar(run)}.`, meta: { run_id: run.id } };
  const lines = patch.text.replace(/\n$/, '').split('\n');
  const shown = lines.slice(0, maxLines);
  const more = lines.length - shown.length;
  if (more > 0) shown.push(`... (${more}${patch.isWhole ? '' : ' or more'} more lines truncated)`);
  return {
    text: fenced(shown),
    meta: { run_id: run.id, patch: patch.text, is_whole: patch.isWhole, apply_from: patch.applyFrom },
  };
}

/** Says that a record is gone, rather than that nothing changed. */
export function recordGone(run: Run): ToolFailure {
  return new ToolFailure(`What ${run.id} changed is not recorded${run.error === null ? '' : `: ${run.error}`}`);
}

/** In wire words, which hold nothing but JSON; the types cannot know. */
function asJson(value: object): Json {
  return toWire(value) as Json;
}
