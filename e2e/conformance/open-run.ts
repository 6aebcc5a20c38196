/** Drives one run of an outside host over HTTP, and checks its record when it has ended. */
import { join } from 'node:path';
import { isTerminalEvent } from '@/lib/domain/events';
import { checkPatch } from './apply-patch';
import type { CallStart, Client, WireRun } from './client';
import { mustRun, type Scratch } from './commands';
import type { Complaint } from './complaint';
import type { EventLog } from './event-log';
import { checkRecord, type RunRecord } from './invariants';
import type { Place } from './place';
import type { WireSummary } from './row-text';
import { untouchedBy } from './watching';

export interface RunSetting {
  client: Client;
  scratch: Scratch;
  events: EventLog;
  place: Place;
  /** A path for a copy of the start state. */
  copyTo: string;
  /** Rows of a record whose bodies are read. */
  mostBodies: number;
  complain: (complaints: Complaint[]) => void;
  /** Milliseconds that whoever runs the agent waited for us. */
  waited: (part: 'start' | 'end', ms: number) => void;
}

/** Copies the folder that patches are applied at, as it is now. Null where that is not asked for. */
export async function copyStart({ place, copyTo, scratch }: RunSetting): Promise<string | null> {
  if (!place.watch.apply) return null;
  await mustRun('cp', ['-a', place.top, copyTo], { cwd: scratch.base, env: scratch.env });
  return copyTo;
}

/** Reads a run that has ended from every place, checks what must hold of any, and applies its patch. */
export async function gatherRun(
  { client, scratch, events, place, mostBodies, complain }: RunSetting,
  runId: string,
  start: string | null,
): Promise<RunRecord> {
  await events.until(`that ends ${runId}`, ({ name, data }) => isTerminalEvent(name) && data.run_id === runId);
  const { run, change } = await client.readRun(runId);
  const rows = change === null ? [] : await client.files(change);
  const record = { run, change, rows, events: [...events.events] };
  const world = {
    client,
    end: place.watch.isStill ? place.path : null,
    start: start === null ? null : join(start, place.within),
    sameBytes: place.watch.sameBytes,
    mostBodies,
  };
  complain(await checkRecord(record, world));
  if (change !== null && start !== null) {
    complain(
      await checkPatch({ client, scratch, summary: change, rows, start, end: place.top, workspace: place.within }),
    );
  }
  return record;
}

export class OpenRun {
  private constructor(
    private readonly setting: RunSetting,
    readonly run: WireRun,
    private readonly start: string | null,
  ) {}

  /** Starts it; resolves when the server has said that the host may write. */
  static async begin(setting: RunSetting, sessionId: string, prompt: string): Promise<OpenRun> {
    const { client, place, scratch, complain, waited } = setting;
    const { result, complaints } = await untouchedBy('the baseline', place, scratch, async () => {
      const startedAt = performance.now();
      const run = await client.startOutsideRun(sessionId, prompt);
      waited('start', performance.now() - startedAt);
      return run;
    });
    complain(complaints);
    if (result.baseline !== 'ready') {
      complain([{ what: 'the baseline when the host may write', expected: 'ready', came: result.baseline }]);
    }
    return new OpenRun(setting, result, await copyStart(setting));
  }

  /** One tool call around some work. Resolves with the call's own change. */
  async call(call: CallStart, work: () => Promise<unknown> | unknown): Promise<WireSummary | null> {
    const { client, place, scratch, complain } = this.setting;
    const begun = await untouchedBy(`the start of call ${call.tool_call_id}`, place, scratch, () =>
      client.startCall(this.run, call),
    );
    complain(begun.complaints);
    await work();
    const ended = await untouchedBy(`the end of call ${call.tool_call_id}`, place, scratch, () =>
      client.completeCall(this.run, call.tool_call_id),
    );
    complain(ended.complaints);
    return ended.result.change;
  }

  /** Ends it as completed or failed, and gathers the record. */
  finish(end: { status?: 'completed' | 'failed'; message?: string; error?: string } = {}): Promise<RunRecord> {
    return this.endBy(async () => {
      await this.setting.client.completeRun(this.run, end);
    });
  }

  /** Ends it as a person does who stops it. */
  cancel(): Promise<RunRecord> {
    return this.endBy(async () => {
      await this.setting.client.cancelRun(this.run);
    });
  }

  private async endBy(end: () => Promise<void>): Promise<RunRecord> {
    const { place, scratch, complain, waited } = this.setting;
    const { complaints } = await untouchedBy('the end of the run', place, scratch, async () => {
      const startedAt = performance.now();
      await end();
      waited('end', performance.now() - startedAt);
    });
    complain(complaints);
    return gatherRun(this.setting, this.run.id, this.start);
  }
}
