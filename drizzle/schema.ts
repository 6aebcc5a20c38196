/** The tables. Columns are snake_case in SQL and camelCase here (`casing: 'snake_case'`); times are ms since the epoch. */
import { sql } from 'drizzle-orm';
import { check, foreignKey, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';

export const sessions = sqliteTable(
  'sessions',
  {
    id: text().primaryKey(),
    title: text().notNull(),
    workspace: text().notNull(),
    workspaceKind: text({ enum: ['git', 'filesystem', 'unknown'] }).notNull(),
    agent: text(),
    /** The conversation of an outside agent that this session mirrors, `<agent>:<its session id>`. */
    outsideKey: text(),
    /** What the agent resumes its conversation by after a restart of ours. */
    resumeToken: text(),
    createdAt: integer().notNull(),
    updatedAt: integer().notNull(),
    /** Place of the newest timeline item; grows, never reused. */
    lastItem: integer().notNull().default(0),
    /** Event ids up to here may have been given out; a restart goes on above. */
    reservedEventId: integer().notNull().default(0),
    /** The body that made it, for safe repeats. */
    request: text(),
  },
  (table) => [
    index('idx_sessions_updated').on(table.updatedAt),
    index('idx_sessions_workspace').on(table.workspace),
    uniqueIndex('idx_sessions_outside_key').on(table.outsideKey),
  ],
);

const sessionId = () =>
  text()
    .notNull()
    .references(() => sessions.id, { onDelete: 'cascade' });

export const runs = sqliteTable(
  'runs',
  {
    id: text().primaryKey(),
    sessionId: sessionId(),
    item: integer().notNull(),
    status: text({ enum: ['running', 'completed', 'failed', 'cancelled', 'interrupted'] }).notNull(),
    external: integer({ mode: 'boolean' }).notNull(),
    prompt: text().notNull(),
    workspace: text().notNull(),
    baseline: text({ enum: ['pending', 'ready', 'late', 'missing'] }).notNull(),
    /** How long the baseline took, ms, and how many files it covers. */
    baselineMs: integer(),
    baselineFiles: integer(),
    startedAt: integer().notNull(),
    finishedAt: integer(),
    stopReason: text(),
    error: text(),
    plan: text({ mode: 'json' }),
    /** The bodies that started and completed it, for safe repeats. */
    request: text(),
    completion: text(),
  },
  (table) => [
    index('idx_runs_session').on(table.sessionId, table.item),
    index('idx_runs_status').on(table.status),
    index('idx_runs_started').on(table.startedAt),
    check('runs_status', sql`${table.status} in ('running','completed','failed','cancelled','interrupted')`),
  ],
);

const runId = () =>
  text()
    .notNull()
    .references(() => runs.id, { onDelete: 'cascade' });

export const messages = sqliteTable(
  'messages',
  {
    id: text().primaryKey(),
    sessionId: sessionId(),
    runId: runId(),
    item: integer().notNull(),
    role: text({ enum: ['user', 'assistant', 'thought'] }).notNull(),
    text: text().notNull(),
    createdAt: integer().notNull(),
  },
  (table) => [index('idx_messages_session').on(table.sessionId, table.item), index('idx_messages_run').on(table.runId)],
);

export const toolCalls = sqliteTable(
  'tool_calls',
  {
    id: text().notNull(),
    runId: runId(),
    sessionId: sessionId(),
    item: integer().notNull(),
    title: text().notNull(),
    tool: text(),
    kind: text({
      enum: ['read', 'edit', 'delete', 'move', 'search', 'execute', 'think', 'fetch', 'other'],
    }).notNull(),
    status: text({ enum: ['pending', 'in_progress', 'completed', 'failed', 'rejected', 'cancelled'] }).notNull(),
    locations: text({ mode: 'json' }).notNull(),
    input: text({ mode: 'json' }),
    output: text(),
    outputBytes: integer().notNull().default(0),
    meta: text({ mode: 'json' }),
    startedAt: integer().notNull(),
    finishedAt: integer(),
    request: text(),
    completion: text(),
  },
  (table) => [
    primaryKey({ columns: [table.runId, table.id] }),
    index('idx_tool_calls_session').on(table.sessionId, table.item),
  ],
);

export const permissions = sqliteTable(
  'permissions',
  {
    id: text().primaryKey(),
    sessionId: sessionId(),
    runId: runId(),
    toolCallId: text(),
    title: text().notNull(),
    options: text({ mode: 'json' }).notNull(),
    createdAt: integer().notNull(),
    optionId: text(),
    answeredAt: integer(),
  },
  (table) => [index('idx_permissions_run').on(table.runId), index('idx_permissions_session').on(table.sessionId)],
);

/** One row per change: of a run, of a tool call, or between runs (seed 000's table, with the rest beside it). */
export const workspaceRunChanges = sqliteTable(
  'workspace_run_changes',
  {
    changeId: text().primaryKey(),
    sessionId: sessionId(),
    runId: runId(),
    item: integer().notNull(),
    source: text({ enum: ['run', 'tool', 'drift'] })
      .notNull()
      .default('run'),
    toolCallId: text(),
    generation: integer().notNull().default(1),
    workspace: text().notNull(),
    workspaceKind: text({ enum: ['git', 'filesystem', 'unknown'] })
      .notNull()
      .default('unknown'),
    startedAt: integer(),
    finishedAt: integer(),
    changedCount: integer().notNull().default(0),
    addedCount: integer().notNull().default(0),
    modifiedCount: integer().notNull().default(0),
    deletedCount: integer().notNull().default(0),
    renamedCount: integer().notNull().default(0),
    binaryCount: integer().notNull().default(0),
    additions: integer().notNull().default(0),
    deletions: integer().notNull().default(0),
    truncated: integer({ mode: 'boolean' }).notNull().default(false),
    totalPatchBytes: integer().notNull().default(0),
    gaps: text({ mode: 'json' }).notNull(),
    overlaps: text({ mode: 'json' }).notNull(),
    sharedWith: text({ mode: 'json' }).notNull(),
    git: text({ mode: 'json' }),
    /** Where the bodies are kept, in the words of `lib/capture`; null when they expired. */
    kept: text({ mode: 'json' }),
    createdAt: integer().notNull(),
  },
  (table) => [
    index('idx_workspace_run_changes_session').on(table.sessionId, table.createdAt),
    index('idx_workspace_run_changes_item').on(table.sessionId, table.item),
    index('idx_workspace_run_changes_run').on(table.runId),
    index('idx_workspace_run_changes_created').on(table.createdAt),
  ],
);

/** One row per changed file. The patch stands in it, bounded, and is read only when a file is opened. */
export const workspaceRunChangeFiles = sqliteTable(
  'workspace_run_change_files',
  {
    id: text().primaryKey(),
    changeId: text().notNull(),
    sessionId: sessionId(),
    /** Place in the change's list: rows by path, those that came with git last. */
    position: integer().notNull(),
    path: text().notNull(),
    pathQuoted: integer({ mode: 'boolean' }).notNull().default(false),
    displayPath: text().notNull(),
    oldPath: text(),
    changeType: text({ enum: ['added', 'modified', 'deleted', 'renamed'] }).notNull(),
    additions: integer().notNull().default(0),
    deletions: integer().notNull().default(0),
    sizeBefore: integer(),
    sizeAfter: integer(),
    modeBefore: text(),
    modeAfter: text(),
    kindBefore: text({ enum: ['file', 'symlink', 'submodule'] }),
    kindAfter: text({ enum: ['file', 'symlink', 'submodule'] }),
    patchBytes: integer().notNull().default(0),
    truncated: integer({ mode: 'boolean' }).notNull().default(false),
    binary: integer({ mode: 'boolean' }).notNull().default(false),
    oversized: integer({ mode: 'boolean' }).notNull().default(false),
    lineEndings: text({ mode: 'json' }),
    ignored: integer({ mode: 'boolean' }).notNull().default(false),
    origin: text({ enum: ['tool', 'command', 'git', 'other'] }).notNull(),
    evidence: text({ mode: 'json' }).notNull(),
    toolCallIds: text({ mode: 'json' }).notNull(),
    contentBefore: text(),
    contentAfter: text(),
    createdAt: integer().notNull(),
    /** Last, so that SQLite reads a row's other columns without touching the pages of its body. */
    patch: text(),
  },
  (table) => [
    foreignKey({ columns: [table.changeId], foreignColumns: [workspaceRunChanges.changeId] }).onDelete('cascade'),
    index('idx_workspace_run_change_files_change').on(table.changeId, table.position),
    index('idx_workspace_run_change_files_session').on(table.sessionId),
    index('idx_workspace_run_change_files_path').on(table.path),
  ],
);

export const shares = sqliteTable(
  'shares',
  {
    id: text().primaryKey(),
    token: text().notNull(),
    runId: runId(),
    includePrompt: integer({ mode: 'boolean' }).notNull(),
    includeAnswer: integer({ mode: 'boolean' }).notNull(),
    /** Paths, not ids: a later record of the run has new ids, and what was left out stays out. */
    excludePaths: text({ mode: 'json' }).notNull(),
    revealPaths: text({ mode: 'json' }).notNull(),
    createdAt: integer().notNull(),
    expiresAt: integer(),
  },
  (table) => [uniqueIndex('idx_shares_token').on(table.token), index('idx_shares_run').on(table.runId)],
);

/** What a workspace held when Tidemark last looked at it at a run's border: where drift is measured from. */
export const workspaces = sqliteTable('workspaces', {
  root: text().primaryKey(),
  snapshot: text({ mode: 'json' }).notNull(),
  /** The run at whose start or end it was taken. */
  runId: text(),
  takenAt: integer().notNull(),
});

/** Process groups of agents, so that those that outlived a crash of ours are ended at the next start. */
export const agentProcesses = sqliteTable('agent_processes', {
  pid: integer().primaryKey(),
  /** As the system tells it: a reused pid has another. */
  startTime: text().notNull(),
  sessionId: text().notNull(),
});
