/** Makes the stored record of a delta: who did what, the totals, the rows in their order. Pure. */
import type { Delta } from '@/lib/capture/capture';
import { attribute, type RunEvidence } from '@/lib/domain/attribution';
import { addTotals, type ChangedFile, type DeltaFile, type Gap, type Origin, totalsOf } from '@/lib/domain/change';
import {
  type ChangeSubject,
  changeIdOf,
  type FileId,
  mintId,
  type RunId,
  type SessionId,
  type ToolCallId,
} from '@/lib/domain/ids';
import { comparePaths } from '@/lib/domain/workspace';
import type { ChangeToSave, FileToSave } from '@/lib/store/change-store';

export interface RecordSubject {
  subject: ChangeSubject;
  sessionId: SessionId;
  workspace: string;
  startedAt: number | null;
  finishedAt: number | null;
  generation: number;
  overlaps: RunId[];
  sharedWith: ToolCallId[];
}

/** The attribution of a row: by evidence of a run, or fixed where there is nothing to weigh. */
export type Attribution = (row: DeltaFile) => { origin: Origin; toolCallIds: ToolCallId[] };

export function byEvidence(evidence: RunEvidence): Attribution {
  return (row) => attribute(row, evidence);
}

/** The record of a delta, ready to be saved. */
export function recordOf(
  about: RecordSubject,
  delta: Delta,
  attribution: Attribution,
  gaps: Gap[],
  now: number,
): ChangeToSave {
  const files = delta.files
    .map((row): FileToSave => {
      const { movedByGit: _, ...rest } = row;
      return { ...rest, ...attribution(row), id: mintId<FileId>('file') };
    })
    .sort((a, b) => Number(a.origin === 'git') - Number(b.origin === 'git') || comparePaths(a.path, b.path));
  return {
    ...baseRecord(about, gaps, now),
    workspaceKind: delta.workspaceKind,
    ...addTotals(totalsOf(files), delta.unlisted),
    truncated: delta.truncated,
    totalPatchBytes: delta.totalPatchBytes,
    gaps: [...gaps, ...delta.gaps],
    git: delta.git && { ...delta.git, movedCount: files.filter((file) => file.origin === 'git').length },
    kept: delta.kept,
    files,
  };
}

/** A record that says only why there is none. */
export function recordOfGaps(about: RecordSubject, gaps: Gap[], now: number): ChangeToSave {
  return {
    ...baseRecord(about, gaps, now),
    ...totalsOf([]),
    workspaceKind: 'unknown',
    truncated: false,
    totalPatchBytes: 0,
    git: null,
    kept: {},
    files: [],
  };
}

function baseRecord(about: RecordSubject, gaps: Gap[], now: number) {
  const { subject, ...rest } = about;
  return {
    ...rest,
    changeId: changeIdOf(subject),
    runId: subject.runId,
    source: subject.source,
    toolCallId: subject.source === 'tool' ? subject.toolCallId : null,
    createdAt: now,
    gaps,
  };
}

/** A record as summaries and events carry it: its first rows, no bodies. */
export function summaryOf(record: ChangeToSave, summaryRows: number) {
  const { kept: _, files, ...rest } = record;
  return {
    ...rest,
    truncated: rest.truncated || files.length > summaryRows,
    files: files.slice(0, summaryRows).map(listed),
  };
}

function listed(file: FileToSave): ChangedFile {
  const { patch: _patch, patchBytes: _bytes, contentBefore: _before, contentAfter: _after, ...row } = file;
  return row;
}
