/** Speaks to a Tidemark server over HTTP: the only door that the conformance runner uses. */
import type { ChangedFileBody } from '@/lib/domain/change';
import type { Session, ToolCall, ToolKind } from '@/lib/domain/conversation';
import type { Wire } from '@/lib/domain/events';
import type { Comparison } from '@/lib/domain/patch';
import type { Run } from '@/lib/domain/run';
import { EventLog } from './event-log';
import type { WireFile, WireSummary } from './row-text';

export type WireRun = Wire<Run>;
export type WireSession = Wire<Session>;
export type WireComparison = Wire<Comparison>;
export type WireBody = Wire<ChangedFileBody>;

/** An answer as it came. */
export interface Answer {
  status: number;
  headers: Headers;
  bytes: Uint8Array;
}

export interface CallStart {
  tool_call_id: string;
  title?: string;
  tool?: string;
  kind?: ToolKind;
  paths?: string[];
}

/** Rows asked for at once: the most that a page may hold. */
const PAGE = 200;

export class Client {
  /** Texts that no answer may hold, with what they are. */
  readonly secrets = new Map<string, string>();
  /** Answers that held one. */
  readonly leaks: string[] = [];

  constructor(
    readonly url: string,
    private readonly token: string,
  ) {}

  /** Sends one request. Resolves with the answer, whatever its status. */
  async request(method: string, path: string, body?: unknown): Promise<Answer> {
    const response = await fetch(this.url + path, {
      method,
      headers: {
        authorization: `Bearer ${this.token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      redirect: 'manual',
    });
    const bytes = new Uint8Array(await response.arrayBuffer());
    this.watchFor(`${method} ${path}`, bytes);
    return { status: response.status, headers: response.headers, bytes };
  }

  private watchFor(where: string, bytes: Uint8Array): void {
    for (const [secret, name] of this.secrets) {
      if (Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes(secret)) {
        this.leaks.push(`${where} holds ${name}`);
      }
    }
  }

  /** Sends one request whose answer must be JSON with one of the given statuses. */
  private async json<Body>(method: string, path: string, body?: unknown, statuses = [200, 201, 202]): Promise<Body> {
    const answer = await this.request(method, path, body);
    const text = Buffer.from(answer.bytes).toString();
    if (!statuses.includes(answer.status)) {
      throw new Error(`${method} ${path} answered ${answer.status}: ${text.slice(0, 400)}`);
    }
    return JSON.parse(text) as Body;
  }

  health(): Promise<{ status: string; version: string }> {
    return this.json('GET', '/api/health');
  }

  async createSession(body: { workspace: string; agent?: string; title?: string }): Promise<WireSession> {
    return (await this.json<{ session: WireSession }>('POST', '/api/sessions', body)).session;
  }

  async startOutsideRun(sessionId: string, prompt: string): Promise<WireRun> {
    const body = { external: true, prompt };
    return (await this.json<{ run: WireRun }>('POST', `/api/sessions/${sessionId}/runs`, body)).run;
  }

  async startAgentRun(sessionId: string, prompt: string): Promise<WireRun> {
    return (await this.json<{ run: WireRun }>('POST', `/api/sessions/${sessionId}/runs`, { prompt })).run;
  }

  async startCall(run: WireRun, call: CallStart): Promise<Wire<ToolCall>> {
    const path = `/api/sessions/${run.session_id}/runs/${run.id}/tool-calls`;
    return (await this.json<{ tool_call: Wire<ToolCall> }>('POST', path, call)).tool_call;
  }

  completeCall(run: WireRun, callId: string): Promise<{ tool_call: Wire<ToolCall>; change: WireSummary | null }> {
    const path = `/api/sessions/${run.session_id}/runs/${run.id}/tool-calls/${encodeURIComponent(callId)}/complete`;
    return this.json('POST', path, { status: 'completed' });
  }

  completeRun(
    run: WireRun,
    end: { status?: 'completed' | 'failed'; message?: string; error?: string },
  ): Promise<{ run: WireRun; change: WireSummary | null }> {
    return this.json('POST', `/api/sessions/${run.session_id}/runs/${run.id}/complete`, end);
  }

  cancelRun(run: WireRun): Promise<unknown> {
    return this.json('POST', `/api/sessions/${run.session_id}/runs/${run.id}/cancel`);
  }

  readRun(runId: string): Promise<{ run: WireRun; change: WireSummary | null; last_event_id: number }> {
    return this.json('GET', `/api/runs/${runId}`);
  }

  /** Every change of a session of one source, oldest first. */
  async changes(sessionId: string, source: 'run' | 'tool' | 'drift' | 'all' = 'run'): Promise<WireSummary[]> {
    const all: WireSummary[] = [];
    for (let cursor: string | null = null; ; ) {
      const query: string = `source=${source}&limit=${PAGE}${cursor === null ? '' : `&cursor=${cursor}`}`;
      const page: { changes: WireSummary[]; next_cursor: string | null } = await this.json(
        'GET',
        `/api/sessions/${sessionId}/workspace-run-changes?${query}`,
      );
      all.push(...page.changes);
      if (page.next_cursor === null) return all;
      cursor = page.next_cursor;
    }
  }

  async change(summary: WireSummary): Promise<WireSummary> {
    return (await this.json<{ change: WireSummary }>('GET', this.changePath(summary))).change;
  }

  /** Every row of a change: all pages. */
  async files(summary: WireSummary): Promise<WireFile[]> {
    const all: WireFile[] = [];
    for (let cursor: string | null = null; ; ) {
      const query: string = `limit=${PAGE}${cursor === null ? '' : `&cursor=${cursor}`}`;
      const page: { files: WireFile[]; next_cursor: string | null } = await this.json(
        'GET',
        `${this.changePath(summary)}/files?${query}`,
      );
      all.push(...page.files);
      if (page.next_cursor === null) return all;
      cursor = page.next_cursor;
    }
  }

  async file(summary: WireSummary, file: WireFile): Promise<WireBody> {
    return (await this.json<{ file: WireBody }>('GET', this.filePath(summary, file))).file;
  }

  comparison(summary: WireSummary, file: WireFile, context: number | 'all' = 3): Promise<WireComparison> {
    return this.json('GET', `${this.filePath(summary, file)}/comparison?context=${context}`);
  }

  content(summary: WireSummary, file: WireFile, side: 'before' | 'after'): Promise<Answer> {
    return this.request('GET', `${this.filePath(summary, file)}/content?side=${side}`);
  }

  patch(summary: WireSummary, query = ''): Promise<Answer> {
    return this.request('GET', `${this.changePath(summary)}/patch${query}`);
  }

  /** Shares a run. Null where this server has no share pages. */
  async share(runId: string): Promise<{ id: string; path: string; masked: { file_id: string }[] } | null> {
    const answer = await this.request('POST', `/api/runs/${runId}/shares`, {});
    const body = JSON.parse(Buffer.from(answer.bytes).toString());
    if (answer.status === 404 && /nothing at this address/.test(body.error.message)) return null;
    if (answer.status !== 201) throw new Error(`Sharing answered ${answer.status}: ${body.error?.message}`);
    return { id: body.share.id, path: new URL(body.share.url, this.url).pathname, masked: body.masked };
  }

  /** Asks as a stranger does, who has a link and nothing else. */
  async anonymous(path: string): Promise<Answer> {
    const response = await fetch(this.url + path, { redirect: 'manual' });
    return { status: response.status, headers: response.headers, bytes: new Uint8Array(await response.arrayBuffer()) };
  }

  async sharedFiles(path: string): Promise<{ files: WireFile[] }> {
    return JSON.parse(Buffer.from((await this.anonymous(`${path}/files?limit=${PAGE}`)).bytes).toString());
  }

  /** Deletes a session. Resolves with the status. */
  async deleteSession(sessionId: string): Promise<number> {
    return (await this.request('DELETE', `/api/sessions/${sessionId}`)).status;
  }

  /** Hears the events of a session from now on. */
  listen(sessionId: string): Promise<EventLog> {
    return EventLog.open(`${this.url}/api/sessions/${sessionId}/events`, this.token);
  }

  changePath({ session_id, change_id }: WireSummary): string {
    return `/api/sessions/${session_id}/workspace-run-changes/${encodeURIComponent(change_id)}`;
  }

  filePath(summary: WireSummary, { id }: Pick<WireFile, 'id'>): string {
    return `${this.changePath(summary)}/files/${encodeURIComponent(id)}`;
  }
}
