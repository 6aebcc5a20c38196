/** A session that lives in memory and tells what it does in both ways at once, as rows and as events; for tests. */

import type { NumberedEvent } from '@/lib/client/timeline';
import { type ChangedFile, type ChangeSummary, totalsOf } from '@/lib/domain/change';
import {
  type AgentState,
  type Message,
  type MessageRole,
  type PermissionRequest,
  type PlanEntry,
  runIdOfItem,
  type Session,
  type TimelineItem,
  type ToolCall,
} from '@/lib/domain/conversation';
import type { ChangeProgress, SessionEvent, TimelineSlice } from '@/lib/domain/events';
import { changeIdOf, type FileId, mintId, type RunId, type SessionId, type ToolCallId } from '@/lib/domain/ids';
import { isTerminal, type Run, type TerminalStatus } from '@/lib/domain/run';

type Untold<Event> = Event extends SessionEvent ? Omit<Event, 'sessionId'> : never;

export class ModelSession {
  session: Session = {
    id: 'ses_model' as SessionId,
    title: 'Model',
    workspace: '/tmp/model',
    workspaceKind: 'git',
    agent: 'shell',
    createdAt: 1,
  };
  agent: AgentState | null = null;
  readonly events: NumberedEvent[] = [];
  readonly runs: ModelRun[] = [];
  items: TimelineItem[] = [];
  private place = 0;
  private clock = 1000;

  get lastEventId(): number {
    return this.events.at(-1)?.id ?? 0;
  }

  now(): number {
    this.clock += 7;
    return this.clock;
  }

  nextPlace(): number {
    this.place += 1;
    return this.place;
  }

  tell(event: Untold<SessionEvent>): void {
    this.events.push({
      id: this.lastEventId + 1,
      event: structuredClone({ ...event, sessionId: this.session.id }) as SessionEvent,
    });
  }

  put(item: TimelineItem): void {
    this.items.push(item);
  }

  /** The newest page, or the one that a cursor leads to. */
  slice(limit: number, cursor?: string): TimelineSlice {
    const before = cursor === undefined ? Number.POSITIVE_INFINITY : Number(cursor);
    const all = this.items.filter((item) => item.at < before).sort((a, b) => a.at - b.at);
    const items = all.slice(-limit);
    const ids = new Set(items.map(runIdOfItem));
    const runs = this.runs.filter(({ run }) => ids.has(run.id));
    return structuredClone({
      session: this.session,
      items,
      nextCursor: all.length > limit ? String(items[0]?.at) : null,
      lastEventId: this.lastEventId,
      runs: runs.map((known) => ({ ...known.run, number: this.runs.indexOf(known) + 1 })),
      plans: runs.flatMap(({ run, plan }) => (plan.length > 0 ? [{ runId: run.id, entries: plan }] : [])),
      permissions: runs.flatMap(({ permissions }) => permissions),
      progress: runs.flatMap(({ run, progress }) => (progress ? [{ runId: run.id, ...progress }] : [])),
      agent: this.agent,
    });
  }

  begin(options: { drift?: boolean } = {}): ModelRun {
    const run = new ModelRun(this, options.drift ?? false);
    this.runs.push(run);
    return run;
  }

  /** A whole run in one go. */
  run(work: (run: ModelRun) => void): void {
    const run = this.begin();
    work(run);
    run.end('completed');
  }

  /** Does one of the things that happen in a session, chosen by a number. */
  act(choice: number): void {
    const current = this.runs.at(-1);
    if (!current || isTerminal(current.run.status)) {
      if (current && choice % 5 === 0) current.supersede(choice % 4);
      else if (current && choice % 5 === 1) this.rename(choice);
      else this.begin({ drift: choice % 3 === 0 });
      return;
    }
    const message = current.messages.at(-1);
    const call = current.calls.at(-1);
    switch (choice % 13) {
      case 0:
        current.openMessage('assistant');
        break;
      case 1:
        current.openMessage('thought');
        break;
      case 2:
      case 3:
        if (message) current.stream(message, `word ${choice} `);
        break;
      case 4:
        current.startCall();
        break;
      case 5:
        if (call) current.updateCall(call, { title: `renamed ${choice}` });
        break;
      case 6:
        if (call) current.updateCall(call, { status: 'completed', finishedAt: this.now() });
        break;
      case 7:
        current.makePlan(choice % 4);
        break;
      case 8:
        current.ask();
        break;
      case 9:
        current.answer(choice % 2 === 0 ? 'allow' : null);
        break;
      case 10:
        current.progressTo(choice % 3);
        break;
      case 11:
        this.agent = {
          phase: 'ready',
          note: null,
          choices: [],
          commands: [],
          usage: null,
          takesImages: choice % 2 === 0,
        };
        this.tell({ event: 'agent.updated', runId: null, agent: this.agent });
        break;
      case 12:
        if (choice % 2 === 0) current.change(choice % 5);
        current.end((['completed', 'failed', 'cancelled', 'interrupted'] as const)[choice % 4]!);
        break;
    }
  }

  private rename(choice: number): void {
    this.session = { ...this.session, title: `Renamed ${choice}` };
    this.tell({ event: 'session.updated', runId: null, session: this.session });
  }
}

export class ModelRun {
  run: Run;
  plan: PlanEntry[] = [];
  permissions: PermissionRequest[] = [];
  progress: ChangeProgress | null = null;
  readonly messages: Message[] = [];
  readonly calls: ToolCall[] = [];

  constructor(
    private readonly model: ModelSession,
    drift: boolean,
  ) {
    this.run = {
      id: mintId<RunId>('run'),
      sessionId: model.session.id,
      status: 'running',
      external: false,
      prompt: 'Do it',
      workspace: model.session.workspace,
      baseline: 'ready',
      baselineMs: 90,
      baselineFiles: 12,
      startedAt: model.now(),
      finishedAt: null,
      stopReason: null,
      error: null,
    };
    if (drift) {
      const at = model.nextPlace();
      const change = {
        ...this.summary(2, 1),
        source: 'drift' as const,
        changeId: changeIdOf({ source: 'drift', runId: this.run.id }),
      };
      model.put({ type: 'drift', at, drift: change });
      model.tell({ event: 'workspace.drift.detected', runId: this.run.id, drift: change, at });
    }
    const at = model.nextPlace();
    model.put({ type: 'run', at, run: this.run });
    model.tell({ event: 'run.started', runId: this.run.id, run: this.run, at });
    this.openMessage('user', 'Do it');
  }

  openMessage(role: MessageRole, text = ''): Message {
    const message: Message = { id: mintId('msg'), runId: this.run.id, role, text, createdAt: this.model.now() };
    const at = this.model.nextPlace();
    this.model.put({ type: 'message', at, message });
    if (role !== 'user') this.messages.push(message);
    this.model.tell({ event: 'message.created', runId: this.run.id, message, at });
    return message;
  }

  stream(message: Message, delta: string): void {
    const start = message.text.length;
    message.text += delta;
    this.model.tell({
      event: 'message.delta',
      runId: this.run.id,
      messageId: message.id,
      role: message.role,
      delta,
      start,
    });
  }

  say(text: string): void {
    this.stream(this.openMessage('assistant'), text);
  }

  startCall(overrides: Partial<ToolCall> = {}): ToolCall {
    const call: ToolCall = {
      id: mintId<ToolCallId>('call'),
      runId: this.run.id,
      title: 'npm test',
      tool: null,
      kind: 'execute',
      status: 'in_progress',
      locations: [],
      input: null,
      output: null,
      outputBytes: 0,
      outputTruncated: false,
      meta: null,
      brief: false,
      startedAt: this.model.now(),
      finishedAt: null,
      ...overrides,
    };
    this.calls.push(call);
    const at = this.model.nextPlace();
    this.model.put({ type: 'tool_call', at, toolCall: call });
    this.model.tell({ event: 'tool.started', runId: this.run.id, toolCall: call, at });
    return call;
  }

  updateCall(call: ToolCall, update: Partial<ToolCall>): void {
    Object.assign(call, update);
    const at = this.model.items.find((item) => item.type === 'tool_call' && item.toolCall === call)?.at ?? 0;
    this.model.tell({
      event: call.finishedAt === null ? 'tool.updated' : 'tool.completed',
      runId: this.run.id,
      toolCall: call,
      at,
    });
  }

  makePlan(count: number): void {
    this.plan = Array.from({ length: count }, (_, at) => ({
      content: `Step ${at}`,
      status: 'pending',
      priority: 'medium',
    }));
    this.model.tell({ event: 'plan.updated', runId: this.run.id, entries: this.plan });
  }

  ask(): void {
    const permission: PermissionRequest = {
      id: mintId('perm'),
      runId: this.run.id,
      toolCallId: this.calls.at(-1)?.id ?? null,
      title: 'rm -rf build',
      options: [{ optionId: 'allow', name: 'Allow once', kind: 'allow_once' }],
      createdAt: this.model.now(),
      answer: null,
    };
    this.permissions.push(permission);
    this.model.tell({ event: 'permission.requested', runId: this.run.id, permission });
  }

  answer(optionId: string | null): void {
    const open = this.permissions.findIndex(({ answer }) => answer === null);
    if (open < 0) return;
    const permission = { ...this.permissions[open]!, answer: { optionId, at: this.model.now() } };
    this.permissions = this.permissions.with(open, permission);
    this.model.tell({ event: 'permission.resolved', runId: this.run.id, permission });
  }

  progressTo(files: number): void {
    const { changeId, truncated, files: rows, ...totals } = this.summary(files, 1);
    const { changedCount, addedCount, modifiedCount, deletedCount, renamedCount, binaryCount, additions, deletions } =
      totals;
    this.progress = {
      changeId,
      toolCallId: this.calls.at(-1)?.id ?? null,
      truncated,
      files: rows,
      ...{ changedCount, addedCount, modifiedCount, deletedCount, renamedCount, binaryCount, additions, deletions },
    };
    this.model.tell({ event: 'workspace.diff.progress', runId: this.run.id, ...this.progress });
  }

  change(files: number): void {
    this.progress = null;
    if (files === 0) return;
    this.save('workspace.diff.completed', files);
  }

  supersede(files: number): void {
    this.save('workspace.diff.superseded', files);
  }

  end(status: TerminalStatus): void {
    this.progress = null;
    this.run = { ...this.run, status, finishedAt: this.model.now(), stopReason: 'end_turn' };
    this.model.items = this.model.items.map((item) =>
      item.type === 'run' && item.run.id === this.run.id ? { ...item, run: this.run } : item,
    );
    this.model.tell({ event: `run.${status}`, runId: this.run.id, run: this.run });
  }

  private save(event: 'workspace.diff.completed' | 'workspace.diff.superseded', files: number): void {
    const before = this.model.items.find((item) => item.type === 'change' && item.change.runId === this.run.id);
    const generation = (before?.type === 'change' ? before.change.generation : 0) + 1;
    const change = this.summary(files, generation);
    const at = before?.at ?? this.model.nextPlace();
    this.model.items = this.model.items.filter((item) => item !== before);
    if (files > 0) this.model.put({ type: 'change', at, change });
    this.model.tell({ event, at, ...change });
  }

  private summary(count: number, generation: number): ChangeSummary {
    const files = Array.from({ length: count }, (_, at) => modelFile(`src/file-${at}.ts`, `${generation}-${at}`));
    return {
      changeId: changeIdOf({ source: 'run', runId: this.run.id }),
      sessionId: this.model.session.id,
      runId: this.run.id,
      source: 'run',
      toolCallId: null,
      generation,
      workspace: this.model.session.workspace,
      workspaceKind: 'git',
      startedAt: 1,
      finishedAt: 2,
      truncated: false,
      totalPatchBytes: 0,
      createdAt: 3,
      gaps: [],
      overlaps: [],
      sharedWith: [],
      git: null,
      files,
      ...totalsOf(files),
    };
  }
}

function modelFile(path: string, id: string): ChangedFile {
  return {
    id: id as FileId,
    path,
    pathQuoted: false,
    displayPath: path,
    changeType: 'modified',
    oldPath: null,
    additions: 2,
    deletions: 1,
    binary: false,
    truncated: false,
    oversized: false,
    sizeBefore: 10,
    sizeAfter: 12,
    modeBefore: '100644',
    modeAfter: '100644',
    kindBefore: 'file',
    kindAfter: 'file',
    lineEndings: null,
    ignored: false,
    evidence: ['snapshot'],
    origin: 'command',
    toolCallIds: [],
  };
}
