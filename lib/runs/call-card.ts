/** Makes the card of a call that ended: the hunks it applied to the files it named (evidence layer L2, seed 004). */
import type { Capture, FileCapture } from '@/lib/capture/capture';
import { appliedHunks, type FileSide, type TouchedFile } from '@/lib/domain/applied-hunks';
import type { Json } from '@/lib/domain/conversation';
import { assertNever } from '@/lib/domain/errors';
import type { ToolCallId } from '@/lib/domain/ids';
import type { Limits } from '@/lib/domain/limits';
import type { CapturePair, Recorder } from './recorder';

const UNKNOWN: FileSide = { state: 'unknown' };

/** The fields that go into the call's `meta`, or null where there is nothing to show. */
export async function cardOf(
  capture: Capture,
  recorder: Recorder,
  limits: Limits,
  callId: ToolCallId,
  files: CapturePair[],
): Promise<{ [key: string]: Json } | null> {
  const inTime = await Promise.all(
    files
      .filter(({ isLate }) => !isLate)
      .map(async ({ before, after }) => ({
        path: capture.rowPath(recorder.location, before.path),
        before: await sideOf(capture, before),
        after: await sideOf(capture, after),
      })),
  );
  const late = files
    .filter(({ isLate }) => isLate)
    .map(({ before }) => capture.rowPath(recorder.location, before.path));
  const told = late.length > 0 ? await lateFiles(recorder, callId, late) : [];
  const touched = [...inTime, ...told];
  if (touched.length === 0) return null;
  // Beside what is known stands what is not.
  const untold = late.filter((path) => !told.some((file) => file.path === path));
  return appliedHunks([...touched, ...untold.map((path): TouchedFile => ({ path, before: UNKNOWN, after: UNKNOWN }))], {
    lineDiffMs: limits.lineDiffMs,
  });
}

/**
 * Files that the tool changed before they could be copied: told by the look before the call, where nobody else named
 * them since. The others are left out: a card of nothing else shows what the agent announced.
 */
async function lateFiles(recorder: Recorder, callId: ToolCallId, paths: string[]): Promise<TouchedFile[]> {
  const delta = await recorder.sinceLookBefore(callId).catch(() => null);
  if (!delta) return [];
  return paths.flatMap((path): TouchedFile[] => {
    const row = delta.files.find((file) => file.path === path);
    return row && !recorder.isNamedByAnother(callId, path) ? [{ path, row }] : [];
  });
}

async function sideOf(capture: Capture, file: FileCapture): Promise<FileSide> {
  switch (file.state) {
    case 'absent':
      return { state: 'absent' };
    case 'symlink':
      return { state: 'symlink', target: file.target };
    case 'oversized':
      return { state: 'oversized', size: file.size };
    case 'uncovered':
      return { state: 'unknown' };
    case 'file': {
      const text = file.binary ? null : await capture.readCaptureText(file);
      return text === null ? { state: 'binary', size: file.size } : { state: 'text', text };
    }
    default:
      return assertNever(file);
  }
}
