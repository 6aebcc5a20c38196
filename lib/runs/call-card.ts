/** Makes the card of a call that ended: the hunks it applied to the files it named (evidence layer L2, seed 004). */
import type { Capture, FileCapture } from '@/lib/capture/capture';
import { appliedHunks, type FileSide } from '@/lib/domain/applied-hunks';
import type { Json } from '@/lib/domain/conversation';
import { assertNever } from '@/lib/domain/errors';
import type { Limits } from '@/lib/domain/limits';
import type { CapturePair, Recorder } from './recorder';

/** The fields that go into the call's `meta`, or null where there is nothing to show. */
export async function cardOf(
  capture: Capture,
  recorder: Recorder,
  limits: Limits,
  files: CapturePair[],
): Promise<{ [key: string]: Json } | null> {
  const touched = await Promise.all(
    files.map(async ({ before, after }) => ({
      path: capture.rowPath(recorder.location, before.path),
      before: await sideOf(capture, before),
      after: await sideOf(capture, after),
    })),
  );
  return appliedHunks(touched, { lineDiffMs: limits.lineDiffMs });
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
