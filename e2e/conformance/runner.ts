/** Runs situations one after another against a server of its own, and says how each came out. */
import { join } from 'node:path';
import type { Scratch } from './commands';
import type { Complaint } from './complaint';
import { Server } from './server';
import type { Outcome, Section, Situation } from './situation';
import { Skip } from './skip';
import { Stage } from './stage';
import type { Worker } from './worker';

/** Milliseconds a situation may take before it counts as hanging. */
const SITUATION_MS = 1_800_000;

export interface RunnerSetting {
  /** The project's folder, built. */
  project: string;
  scratch: Scratch;
  keep: boolean;
  isQuick: boolean;
}

export class Runner {
  private server: Server | null = null;
  private starts = 0;
  private turns = 0;

  constructor(private readonly setting: RunnerSetting) {}

  /** The server that situations share; one that died is replaced, so that the rows after it still tell something. */
  async sharedServer(): Promise<Server> {
    if (this.server?.isRunning) return this.server;
    this.starts += 1;
    const { project, scratch } = this.setting;
    this.server = await Server.start(project, scratch, { dataDir: join(scratch.base, `data-${this.starts}`) });
    return this.server;
  }

  /** Builds one situation, once for each worker that it names. */
  async run(section: Pick<Section, 'id'>, situation: Situation): Promise<Outcome> {
    const startedAt = performance.now();
    const workers = this.workersOf(situation);
    const outcome: Outcome = {
      id: situation.id,
      section: section.id,
      when: situation.when,
      says: situation.says,
      verdict: 'right',
      notes: [],
      complaints: [],
      startMs: null,
      endMs: null,
      tookMs: 0,
    };
    for (const worker of workers) {
      const { complaints, notes, skipped, start, end } = await this.runBy(worker, situation);
      const by = (situation.by?.length ?? 1) > 1 ? ` (by the ${worker})` : '';
      outcome.complaints.push(...firstOfEach(complaints).map((one) => ({ ...one, what: one.what + by })));
      outcome.notes.push(...notes.filter((note) => !outcome.notes.includes(note)));
      if (skipped) outcome.verdict = 'skipped';
      outcome.startMs = greatest(outcome.startMs, start);
      outcome.endMs = greatest(outcome.endMs, end);
    }
    if (outcome.complaints.length > 0) outcome.verdict = 'wrong';
    outcome.tookMs = performance.now() - startedAt;
    return outcome;
  }

  /** All that a situation names; in a quick run one of them, each in its turn, so that all three are seen. */
  private workersOf({ by = ['host'] }: Situation): readonly Worker[] {
    if (!this.setting.isQuick) return by;
    this.turns += by.length > 1 ? 1 : 0;
    return [by[this.turns % by.length] ?? 'host'];
  }

  private async runBy(worker: Worker, situation: Situation) {
    const { project, scratch, keep, isQuick } = this.setting;
    const server = await this.sharedServer();
    const folder = join(scratch.base, 'rows', `${situation.id}-${worker.replaceAll(' ', '-')}`);
    const stage = new Stage({ project, scratch, server, folder, worker, isQuick });
    const notes: string[] = [];
    let skipped = false;
    try {
      await withinTime(situation.steps(stage));
      await stage.checkRepositories();
    } catch (error) {
      if (error instanceof Skip) {
        skipped = true;
        notes.push(`skipped: ${error.message}`);
      } else {
        stage.complain({ what: 'the situation ran to its end', expected: 'yes', came: sentenceOf(error) });
      }
    }
    await stage.clear(keep).catch((error: unknown) => {
      stage.complain({ what: 'the situation could be cleared up', expected: 'yes', came: sentenceOf(error) });
    });
    if (!server.isRunning) stage.complain({ what: 'the server is still running', expected: 'yes', came: 'no' });
    const complaints: Complaint[] = [...stage.complaints, ...leaksOf(server)];
    return { complaints, notes: [...notes, ...stage.notes], skipped, ...stage.waits };
  }

  /** Ends the shared server. */
  async stop(): Promise<void> {
    await this.server?.stop();
  }
}

/** Complaints of one kind at most: what is wrong in each of a hundred steps is told a few times. */
const MOST_OF_A_KIND = 2;

function firstOfEach(complaints: Complaint[]): Complaint[] {
  const seen = new Map<string, number>();
  const first = complaints.filter(({ what }) => {
    seen.set(what, (seen.get(what) ?? 0) + 1);
    return (seen.get(what) ?? 0) <= MOST_OF_A_KIND;
  });
  const more = [...seen].filter(([, times]) => times > MOST_OF_A_KIND);
  return [...first, ...more.map(([what, times]) => ({ what: `${what}: ${times - MOST_OF_A_KIND} more times` }))];
}

/** Answers that held what no answer may hold. */
function leaksOf({ client }: Server): Complaint[] {
  const leaks = client.leaks.splice(0);
  client.secrets.clear();
  return leaks.map((came) => ({ what: 'a secret stays where it is', expected: 'in no answer', came }));
}

async function withinTime(work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`It was not done after ${SITUATION_MS / 1000} s.`)), SITUATION_MS);
  });
  try {
    await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

function greatest(known: number | null, values: number[]): number | null {
  return values.length === 0 ? known : Math.max(known ?? 0, ...values);
}

function sentenceOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
