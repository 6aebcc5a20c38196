/** A changed file for tests, with what they care about said over it. */
import type { ChangedFile, ChangedFileBody } from '@/lib/domain/change';
import type { FileId } from '@/lib/domain/ids';

export function changedFile(facts: Partial<ChangedFile> & { path: string }): ChangedFile {
  const { path } = facts;
  const changeType = facts.changeType ?? 'modified';
  const [before, after] = [changeType !== 'added', changeType !== 'deleted'];
  return {
    id: `file_${path}` as FileId,
    pathQuoted: false,
    displayPath: path,
    oldPath: null,
    changeType,
    additions: 0,
    deletions: 0,
    binary: false,
    truncated: false,
    oversized: false,
    sizeBefore: before ? 10 : null,
    sizeAfter: after ? 12 : null,
    modeBefore: before ? '100644' : null,
    modeAfter: after ? '100644' : null,
    kindBefore: before ? 'file' : null,
    kindAfter: after ? 'file' : null,
    lineEndings: null,
    ignored: false,
    evidence: ['snapshot'],
    origin: 'tool',
    toolCallIds: [],
    ...facts,
  } as ChangedFile;
}

export function changedFileBody(facts: Partial<ChangedFileBody> & { path: string }): ChangedFileBody {
  const { patch = null, expired = false, ...file } = facts;
  return { ...changedFile(file), patch, patchBytes: patch?.length ?? 0, expired };
}
