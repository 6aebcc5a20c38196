/** Watches one run: the baseline before its first write, looks at the workspace between its calls, captures before file edits. */
import { lstat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { Capture, Delta, FileCapture, Snapshot, WorkspaceLocation } from '@/lib/capture/capture';
import { type CallSpan, type ChangedBetween, callsAt } from '@/lib/domain/attribution';
import type { Gap } from '@/lib/domain/change';
import { isMutating, type ToolKind } from '@/lib/domain/conversation';
import type { ToolCallId } from '@/lib/domain/ids';
import type { Limits } from '@/lib/domain/limits';
import type { BaselineState } from '@/lib/domain/run';
import { changeTimes } from './change-times';

/** A look at the workspace between two calls. */
interface Mark {
  snapshot: Snapshot;
  /** Grows only when a look found something changed: equal states need no comparison. */
  state: number;
}

interface RecordedCall extends CallSpan {
  kind: ToolKind;
  /** The earliest moment at which it can have begun without us; what was copied before that is how it found things. */
  mayBeginAt: number;
  /** The look that was newest when it started. */
  startMark: Promise<Mark | null>;
  /** The newest look that was over when it started: it holds nothing of the call. */
  markBefore: Mark | null;
  /** The files it named, as they were when it started. */
  captures: NamedFile[];
  /** Where those files are, known at once. */
  places: Set<string>;
  /** The same files the moment it ended; what comes later is not its work. */
  after: Promise<Map<string, FileCapture>> | null;
  /** Its card was made: nobody asks for its looks any more. */
  isSettled: boolean;
}

/** A file that a tool named: where it is, and how it was before. */
interface NamedFile {
  absolute: string;
  before: FileCapture;
  /** The tool may have been faster than we: what was copied may be its work already. */
  isLate: boolean;
}

/** A file that tools named, before they touched it and now. */
export interface CapturePair {
  before: FileCapture;
  after: FileCapture;
  isLate: boolean;
}

/** Milliseconds by which the clock that stamps files lags behind ours. */
const STAMP_SLACK_MS = 20;

/** What a call changed by itself. */
export interface CallChange {
  /** Null where snapshots are off or failed: then the files it named are all there is. */
  before: Snapshot | null;
  after: Snapshot | null;
  /** Other calls that were going on meanwhile and share it. */
  sharedWith: ToolCallId[];
}

export class Recorder {
  baseline: Snapshot | null = null;
  baselineState: BaselineState = 'pending';
  /** When the run was let go: what changed before that is not its work. */
  readonly calls = new Map<ToolCallId, RecordedCall>();
  readonly intervals: ChangedBetween[] = [];
  /** Row path → calls of file tools that named it. */
  readonly named = new Map<string, ToolCallId[]>();
  /** Row path → the file as it was before this run's tools first touched it. */
  private readonly firstCaptures = new Map<string, NamedFile>();
  private readonly gaps: Gap[] = [];
  private newest: Mark | null = null;
  private queued: Promise<Mark | null> | null = null;
  private tail: Promise<unknown> = Promise.resolve();
  private readonly snapshots = new Set<Snapshot>();
  /** The state of the look that the last record was made of. */
  private finishedState = 0;

  constructor(
    private readonly capture: Capture,
    readonly location: WorkspaceLocation,
    private readonly limits: Limits,
  ) {}

  /**
   * Takes the baseline and waits for it, at most `limits.baselineWaitMs`. Past that the run may start; the baseline
   * goes on being taken and counts, with gap `baseline_late`.
   */
  async takeBaseline(): Promise<BaselineState> {
    const taking = this.enqueue(async () => {
      try {
        const snapshot = await this.capture.takeSnapshot(this.location);
        this.snapshots.add(snapshot);
        this.baseline = snapshot;
        this.newest = { snapshot, state: 0 };
        if (this.baselineState === 'pending') this.baselineState = 'ready';
      } catch (error) {
        this.baselineState = 'missing';
        this.gaps.push({ reason: 'baseline_missing', detail: sentenceOf(error) });
      }
    });
    const late = Symbol('late');
    let timer: NodeJS.Timeout | undefined;
    const first = await Promise.race([
      taking,
      new Promise<typeof late>((resolve) => {
        timer = setTimeout(resolve, this.limits.baselineWaitMs, late);
      }),
    ]);
    clearTimeout(timer);
    if (first === late && this.baselineState === 'pending') {
      this.baselineState = 'late';
      this.gaps.push({ reason: 'baseline_late' });
    }
    return this.baselineState;
  }

  /** Resolves when the baseline exists or failed, however long it takes. */
  async baselineTaken(): Promise<Snapshot | null> {
    await this.tail;
    return this.baseline;
  }

  /**
   * A call starts. Copies the files it names, and looks at the workspace where no other call is going on, so that what
   * changed since the last one is nobody's. Resolves when both are done: a host that waits may write then.
   */
  async startCall(call: {
    id: ToolCallId;
    kind: ToolKind;
    paths: string[];
    /**
     * The earliest moment at which it may begin without us, ms: when it can first have been announced, plus as long as
     * whoever starts it waits for us; `Infinity` where it begins when we are done and not before.
     */
    mayBeginAt: number;
    /** Whether to look at the workspace before it. */
    look: boolean;
  }): Promise<void> {
    const alone = [...this.calls.values()].every((other) => other.end !== null);
    const recorded: RecordedCall = {
      id: call.id,
      kind: call.kind,
      start: Math.min(Date.now(), call.mayBeginAt),
      end: null,
      mayBeginAt: call.mayBeginAt,
      startMark: Promise.resolve(null),
      markBefore: this.newest,
      captures: [],
      places: new Set(),
      after: null,
      isSettled: false,
    };
    this.calls.set(call.id, recorded);
    recorded.startMark = alone && call.look ? this.look() : this.latest();
    await this.captureFor(recorded, call.paths);
    // Captures never wait for a late baseline, and whoever waits for them does not either.
    if (this.baseline) await recorded.startMark;
    // Who says that it ended did not wait for us after all.
    if (recorded.end === null) recorded.start = Math.min(Date.now(), call.mayBeginAt);
  }

  /** More paths that a call turned out to name. */
  async namePaths(id: ToolCallId, paths: string[]): Promise<void> {
    const recorded = this.calls.get(id);
    if (recorded) await this.captureFor(recorded, paths);
  }

  private async captureFor(call: RecordedCall, paths: string[]): Promise<void> {
    if (!isMutating(call.kind)) return;
    const places = paths.map((path) => resolve(this.location.root, path));
    for (const absolute of places) call.places.add(absolute);
    const files = await Promise.all(
      places.map(async (absolute): Promise<NamedFile> => {
        const before = await this.captured(absolute);
        const isLate = (await lastChange(absolute)) >= call.mayBeginAt - STAMP_SLACK_MS;
        return { absolute, before, isLate };
      }),
    );
    for (const file of files) {
      const path = this.capture.rowPath(this.location, file.before.path);
      if (!this.firstCaptures.has(path)) this.firstCaptures.set(path, file);
      if (!call.captures.some((known) => known.before.path === file.before.path)) call.captures.push(file);
      const ids = this.named.get(path) ?? [];
      if (!ids.includes(call.id)) this.named.set(path, [...ids, call.id]);
    }
  }

  /** The files a call named, before it and now: what its card is made of. */
  async callCaptures(id: ToolCallId): Promise<CapturePair[]> {
    const call = this.calls.get(id);
    if (!call) return [];
    const after = (await call.after) ?? new Map<string, FileCapture>();
    return Promise.all(
      call.captures.map(async ({ absolute, before, isLate }) => ({
        before,
        after: after.get(absolute) ?? (await this.captured(absolute)),
        isLate,
      })),
    );
  }

  /**
   * What changed since the newest look that was over before a call began, with patches: the truth about files that
   * were copied too late. Null where there is no such look.
   */
  async sinceLookBefore(id: ToolCallId): Promise<Delta | null> {
    const before = this.calls.get(id)?.markBefore?.snapshot;
    const after = (await this.look())?.snapshot;
    if (!before || !after) return null;
    return this.capture.compare(this.location, before, after, { keepAs: null, patches: true, captures: [] });
  }

  /** Whether another call named a file since the look that `sinceLookBefore` compares with. */
  isNamedByAnother(id: ToolCallId, rowPath: string): boolean {
    const since = this.calls.get(id)?.markBefore?.snapshot.startedAt ?? 0;
    return (this.named.get(rowPath) ?? []).some(
      (other) => other !== id && (this.calls.get(other)?.end ?? Number.POSITIVE_INFINITY) >= since,
    );
  }

  /** The card of a call was made. */
  settleCall(id: ToolCallId): void {
    const call = this.calls.get(id);
    if (call) call.isSettled = true;
  }

  /** A capture that cannot be made (the disk is full) is a gap, and the call goes on. */
  private async captured(absolute: string): Promise<FileCapture> {
    try {
      return await this.capture.captureFile(this.location, absolute);
    } catch (error) {
      const path = this.capture.rowPath(this.location, absolute);
      this.gaps.push({ reason: 'file_unreadable', path, detail: sentenceOf(error) });
      return { path: absolute, at: Date.now(), state: 'uncovered', reason: 'unreadable' };
    }
  }

  private capturedNow(files: Iterable<NamedFile>): Promise<CapturePair[]> {
    return Promise.all(
      [...files].map(async ({ absolute, before, isLate }) => ({
        before,
        after: await this.captured(absolute),
        isLate,
      })),
    );
  }

  /** A call ends, at once; `lookAfterCall` then finds what it changed. */
  endCall(id: ToolCallId, now: number): void {
    const call = this.calls.get(id);
    if (!call || call.end !== null) return;
    call.end = now;
    call.after = Promise.all(
      [...call.places].map(async (absolute) => [absolute, await this.captured(absolute)] as const),
    ).then((entries) => new Map(entries));
  }

  /** Looks at the workspace after a call ended. Null where neither a look nor a file it named tells of a change. */
  async lookAfterCall(id: ToolCallId, files: CapturePair[]): Promise<CallChange | null> {
    const call = this.calls.get(id);
    if (!call) return null;
    const [start, end] = [await call.startMark, await this.look()];
    if (start?.state === end?.state && files.every(isSame)) return null;
    const interval = { from: call.start, to: call.end ?? Date.now() };
    const sharedWith = callsAt([...this.calls.values()], interval, null).filter((other) => other !== id);
    return { before: start?.snapshot ?? null, after: end?.snapshot ?? null, sharedWith };
  }

  /** A fresh look at the workspace, shared with whoever asked and still waits for one to begin. */
  look(): Promise<Mark | null> {
    if (this.location.wholeFolder) return Promise.resolve(null);
    this.queued ??= this.enqueue(async () => {
      this.queued = null;
      return this.takeMark();
    });
    return this.queued;
  }

  private latest(): Promise<Mark | null> {
    return this.enqueue(async () => this.newest);
  }

  private async takeMark(): Promise<Mark | null> {
    const before = this.newest;
    if (!before) return null;
    try {
      const snapshot = await this.capture.takeSnapshot(this.location);
      this.snapshots.add(snapshot);
      const delta = await this.capture.compare(this.location, before.snapshot, snapshot, {
        keepAs: null,
        patches: false,
        captures: [],
      });
      const rows = delta.files.flatMap((file) =>
        file.oldPath === null ? [file] : [file, { path: file.oldPath, pathQuoted: file.oldPath.startsWith('"') }],
      );
      if (rows.length > 0) {
        this.intervals.push({
          from: before.snapshot.startedAt,
          to: snapshot.finishedAt,
          paths: await changeTimes(this.location.root, rows),
        });
      }
      this.newest = { snapshot, state: rows.length > 0 ? before.state + 1 : before.state };
      this.releaseUnneeded();
      return this.newest;
    } catch {
      // A look that failed leaves the one before it in place: the next covers both spans.
      return before;
    }
  }

  /** Lets go of looks that neither an open call nor the end of the run will be compared with. */
  private releaseUnneeded(): void {
    if ([...this.calls.values()].some((call) => call.end === null || !call.isSettled)) return;
    for (const snapshot of this.snapshots) {
      if (snapshot === this.baseline || snapshot === this.newest?.snapshot) continue;
      this.snapshots.delete(snapshot);
      void this.capture.releaseSnapshot(snapshot).catch(() => undefined);
    }
  }

  /** Compares the baseline with the newest look: what the run changed so far. `keepAs` keeps the bodies, until `forget`. */
  async soFar(keepAs: string | null = null): Promise<Delta | null> {
    const newest = this.newest?.snapshot ?? null;
    if (!newest && !this.location.wholeFolder) return null;
    return this.capture.compare(this.location, this.baseline, newest, {
      keepAs,
      patches: keepAs !== null,
      captures: await this.capturedNow(this.firstCaptures.values()),
    });
  }

  /**
   * The end of the run: a last look, and the whole difference with bodies kept under `keepAs`.
   * Never throws: a step that fails is a gap.
   */
  async finish(keepAs: string): Promise<{ delta: Delta | null; end: Snapshot | null; gaps: Gap[] }> {
    await this.tail;
    const mark = await this.look();
    this.finishedState = mark?.state ?? 0;
    const end = mark?.snapshot ?? (this.location.wholeFolder ? null : await this.lastLook());
    const captures = await this.capturedNow(this.firstCaptures.values());
    try {
      const delta = await this.capture.compare(this.location, this.baseline, end, { keepAs, patches: true, captures });
      return { delta, end, gaps: this.gaps };
    } catch (error) {
      return { delta: null, end, gaps: [...this.gaps, { reason: 'delta_failed', detail: sentenceOf(error) }] };
    }
  }

  /** Whether a fresh look finds the workspace other than the last record did. */
  async changedSinceFinish(): Promise<boolean> {
    const mark = await this.look();
    return mark !== null && mark.state !== this.finishedState;
  }

  private async lastLook(): Promise<Snapshot | null> {
    try {
      const snapshot = await this.capture.takeSnapshot(this.location);
      this.snapshots.add(snapshot);
      return snapshot;
    } catch {
      return null;
    }
  }

  /** Whether a snapshot is one of this run's. */
  owns(snapshotId: string): boolean {
    return [...this.snapshots].some((snapshot) => snapshot.id === snapshotId);
  }

  /** The snapshots it holds: what a sweep must spare. */
  held(): Snapshot[] {
    return [...this.snapshots];
  }

  /** Gives up its snapshots; the caller lets them go. */
  async handOver(): Promise<Snapshot[]> {
    await this.tail;
    const all = [...this.snapshots];
    this.snapshots.clear();
    return all;
  }

  private enqueue<Result>(task: () => Promise<Result>): Promise<Result> {
    const run = this.tail.then(task, task);
    this.tail = run.catch(() => undefined);
    return run;
  }
}

/** Whether a file is as it was before. A file that was never read in whole is never known to be. */
function isSame({ before, after }: CapturePair): boolean {
  const facts = ({ at: _, ...rest }: FileCapture) => JSON.stringify(rest);
  return facts(before) === facts(after);
}

/** When a file, or where it is not there the folder that would hold it, changed last, ms; 0 where nobody knows. */
async function lastChange(absolute: string): Promise<number> {
  for (const place of [absolute, dirname(absolute)]) {
    const found = await lstat(place).catch(() => null);
    if (found) return found.ctimeMs;
  }
  return 0;
}

function sentenceOf(error: unknown): string {
  return error instanceof Error ? error.message.slice(0, 500) : 'unknown reason';
}
