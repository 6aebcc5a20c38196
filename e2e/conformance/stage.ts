/** What a situation stands on: folders, sessions, runs, servers of its own; it collects what is wrong and clears up. */
import { mkdirSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Client, WireSession } from './client';
import { mustRun, runCommand, type Scratch } from './commands';
import { type Complaint, differs } from './complaint';
import type { EventLog } from './event-log';
import type { RunRecord } from './invariants';
import { copyStart, gatherRun, OpenRun, type RunSetting } from './open-run';
import { Place } from './place';
import { rowsText, type WireSummary } from './row-text';
import { Server, type ServerOptions } from './server';
import { Skip } from './skip';
import type { Worker } from './worker';

interface OpenSession {
  session: WireSession;
  events: EventLog;
  client: Client;
}

export interface StageSetting {
  project: string;
  scratch: Scratch;
  /** The server that situations share. */
  server: Server;
  /** A folder for this situation alone. */
  folder: string;
  worker: Worker;
  isQuick: boolean;
}

export class Stage {
  readonly complaints: Complaint[] = [];
  readonly notes: string[] = [];
  readonly waits: { start: number[]; end: number[] } = { start: [], end: [] };
  readonly scratch: Scratch;
  readonly folderPath: string;
  private client: Client;
  private readonly sessions = new Map<string, OpenSession>();
  private readonly logs: EventLog[] = [];
  private readonly servers: Server[] = [];
  private readonly places: Place[] = [];
  private counter = 0;

  constructor(private readonly setting: StageSetting) {
    mkdirSync(setting.folder, { recursive: true });
    this.folderPath = realpathSync(setting.folder);
    this.scratch = setting.scratch;
    this.client = setting.server.client;
  }

  get isQuick(): boolean {
    return this.setting.isQuick;
  }

  /** The door to the server that the situation uses now. */
  get door(): Client {
    return this.client;
  }

  get server(): Server {
    return this.servers.at(-1) ?? this.setting.server;
  }

  private next(name: string): string {
    this.counter += 1;
    return join(this.folderPath, `${name}-${this.counter}`);
  }

  /** A folder without git that holds the given files. */
  folder(files: Record<string, string | Uint8Array> = {}, name = 'folder'): Place {
    const path = this.next(name);
    mkdirSync(path, { recursive: true });
    const place = new Place(path, path, false, this.scratch);
    for (const [file, content] of Object.entries(files)) place.write(file, content);
    this.places.push(place);
    return place;
  }

  /** A repository on branch `main` with one commit that holds the given files. */
  async repository(files: Record<string, string | Uint8Array> = {}, name = 'repository'): Promise<Place> {
    const place = this.repositoryAt(this.next(name));
    await place.sh('git init -q -b main');
    for (const [file, content] of Object.entries(files)) place.write(file, content);
    await place.sh('git add -A; git commit -q --allow-empty -m first');
    return place;
  }

  /** A place in a folder that is, or will be, a work tree of git. */
  repositoryAt(path: string): Place {
    mkdirSync(path, { recursive: true });
    const place = new Place(path, path, true, this.scratch);
    this.places.push(place);
    return place;
  }

  /** A place that somebody else makes: a name that is free, in this situation's folder. */
  freePath(name: string): string {
    return this.next(name);
  }

  /** From now on the situation uses a server of its own, with these variables. */
  async ownServer(options: Partial<ServerOptions> = {}): Promise<Server> {
    const dataDir = options.dataDir ?? this.next('data');
    const server = await Server.start(this.setting.project, this.scratch, { ...options, dataDir });
    this.servers.push(server);
    this.client = server.client;
    this.sessions.clear();
    return server;
  }

  /** The session of a place, made on first use; `name` tells several in one place apart. */
  async session(place: Place, options: { agent?: string; name?: string } = {}): Promise<OpenSession> {
    const key = `${place.path}\0${options.agent ?? ''}\0${options.name ?? ''}`;
    const known = this.sessions.get(key);
    if (known) return known;
    const { agent } = options;
    const session = await this.client.createSession({
      workspace: place.path,
      ...(agent === undefined ? {} : { agent }),
    });
    const events = await this.client.listen(session.id);
    this.logs.push(events);
    const made = { session, events, client: this.client };
    this.sessions.set(key, made);
    return made;
  }

  private runSetting(place: Place, { events, client }: OpenSession): RunSetting {
    return {
      client,
      scratch: this.scratch,
      events,
      place,
      copyTo: this.next('start'),
      mostBodies: this.isQuick ? 12 : 100,
      complain: (complaints) => this.complain(...complaints),
      waited: (part, ms) => this.waits[part].push(ms),
    };
  }

  /** Begins a run of an outside host; `name` gives it a session of its own in the place. */
  async begin(place: Place, name = ''): Promise<OpenRun> {
    const opened = await this.session(place, { name });
    return OpenRun.begin(this.runSetting(place, opened), opened.session.id, 'A run of the conformance check');
  }

  /** A whole run: a shell script, done by whoever works in this situation, or a piece of work of the host's. */
  async run(place: Place, work: string | (() => Promise<unknown> | unknown)): Promise<RunRecord> {
    if (typeof work === 'string' && this.setting.worker === 'shell agent') return this.runByShell(place, work);
    const run = await this.begin(place);
    const doIt = () => (typeof work === 'string' ? place.sh(work) : work());
    if (this.setting.worker === 'announcing host') {
      await run.call({ tool_call_id: 'call 1', title: 'a command', tool: 'Bash', kind: 'execute' }, doIt);
    } else {
      await doIt();
    }
    return run.finish();
  }

  /** A run that our shell agent does; `meanwhile` is done once it is going on. */
  async runByShell(place: Place, script: string, meanwhile?: (runId: string) => Promise<void>): Promise<RunRecord> {
    const opened = await this.session(place, { agent: 'shell' });
    const setting = this.runSetting(place, opened);
    const start = await copyStart(setting);
    const run = await opened.client.startAgentRun(opened.session.id, `set -e\n${script}`);
    await meanwhile?.(run.id);
    return gatherRun(setting, run.id, start);
  }

  /** The changes of a place's session of one source. */
  async changes(place: Place, source: 'run' | 'tool' | 'drift' | 'all'): Promise<WireSummary[]> {
    return this.client.changes((await this.session(place)).session.id, source);
  }

  complain(...complaints: Complaint[]): void {
    this.complaints.push(...complaints);
  }

  equal(what: string, expected: unknown, came: unknown): void {
    this.complain(...differs(what, expected, came));
  }

  /** The rows of a record, written as text; see `rowText`. None means that there is no change at all. */
  rows(record: RunRecord, expected: readonly string[], what = 'rows'): void {
    const wanted = [...expected].join('\n') || 'no rows';
    this.complain(...differs(what, wanted, rowsText(record.rows, expected.length)));
    if (expected.length === 0 && record.change !== null) {
      this.complain({
        what: `${what}: no card`,
        expected: 'no change',
        came: JSON.stringify({ ...record.change, files: [] }),
      });
    }
  }

  /** The reasons of a record's gaps, each once. */
  gaps(record: RunRecord, expected: readonly string[]): void {
    const came = [...new Set((record.change?.gaps ?? []).map((gap) => gap.reason))].sort();
    this.complain(...differs('gaps', [...expected].sort().join(', ') || 'none', came.join(', ') || 'none'));
  }

  /** Tells what a right row leaves out. */
  note(text: string): void {
    if (!this.notes.includes(text)) this.notes.push(text);
  }

  skip(reason: string): never {
    throw new Skip(reason);
  }

  /** `git fsck` in every repository that is still there. */
  async checkRepositories(): Promise<void> {
    for (const place of this.places) {
      if (!place.isGit || !place.watch.fsck) continue;
      const args = ['-c', 'safe.directory=*', 'fsck', '--no-dangling', '--no-progress'];
      const { status, stdout, stderr } = await runCommand('git', args, { cwd: place.path, env: this.scratch.env });
      if (status !== 0)
        this.complain({ what: `git fsck in ${place.path}`, expected: 'status 0', came: `${stdout}${stderr}` });
    }
  }

  /** Ends what the situation started and, unless `keep`, removes what it made. */
  async clear(keep: boolean): Promise<void> {
    for (const log of this.logs) log.close();
    for (const server of this.servers) await server.stop();
    if (keep) return;
    // A folder that nobody may read can be removed by its owner all the same.
    await mustRun('chmod', ['-R', 'u+rwX', this.folderPath], { cwd: '/', env: this.scratch.env }).catch(
      () => undefined,
    );
    rmSync(this.folderPath, { recursive: true, force: true, maxRetries: 5 });
  }
}
