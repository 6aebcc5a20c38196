import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { totalsOf } from '@/lib/domain/change';
import type { FileId, RunId, SessionId, ToolCallId } from '@/lib/domain/ids';
import { changeIdOf } from '@/lib/domain/ids';
import type { Run } from '@/lib/domain/run';
import { tempFolder } from '@/lib/testing/temp-workspace';
import {
  type ChangeToSave,
  expireBodies,
  type FileToSave,
  findChange,
  findFile,
  listChanges,
  listFiles,
  saveChange,
} from './change-store';
import { giveBackPages, openStore, type Store } from './database';
import { deleteRuns, runsPastRetention } from './retention';
import { findRun, insertMessage, insertRun } from './run-store';
import { searchRuns } from './search-store';
import { deleteSession, insertSession, listSessions } from './session-store';
import { timelinePage } from './timeline-store';

const S = 's' as SessionId;

function opened(): Store {
  const store = openStore(tempFolder('data'));
  addSession(store, S);
  return store;
}

function addSession(store: Store, id: SessionId, createdAt = 1) {
  insertSession(
    store,
    { id, title: `title of ${id}`, workspace: '/w', workspaceKind: 'git', agent: null, createdAt },
    { request: null },
  );
}

function addRun(store: Store, id: string, startedAt = 1, status: Run['status'] = 'completed'): RunId {
  insertRun(
    store,
    {
      id: id as RunId,
      sessionId: S,
      status,
      external: true,
      prompt: `prompt of ${id}`,
      workspace: '/w',
      baseline: 'ready',
      baselineMs: 1,
      baselineFiles: 1,
      startedAt,
      finishedAt: startedAt,
      stopReason: null,
      error: null,
    },
    null,
  );
  return id as RunId;
}

function file(path: string, change: Partial<FileToSave> = {}): FileToSave {
  return {
    id: `f-${path}` as FileId,
    path,
    pathQuoted: false,
    displayPath: path,
    oldPath: null,
    changeType: 'modified',
    additions: 1,
    deletions: 2,
    binary: false,
    truncated: false,
    oversized: false,
    sizeBefore: 1,
    sizeAfter: 2,
    modeBefore: '100644',
    modeAfter: '100644',
    kindBefore: 'file',
    kindAfter: 'file',
    lineEndings: null,
    ignored: false,
    origin: 'command',
    evidence: ['snapshot'],
    toolCallIds: [],
    patch: '@@ -1 +1 @@\n',
    patchBytes: 12,
    contentBefore: 'git:k:1',
    contentAfter: 'git:k:2',
    ...change,
  } as FileToSave;
}

function change(runId: RunId, files: FileToSave[], more: Partial<ChangeToSave> = {}): ChangeToSave {
  return {
    changeId: changeIdOf({ source: 'run', runId }),
    sessionId: S,
    runId,
    source: 'run',
    toolCallId: null,
    generation: 1,
    workspace: '/w',
    workspaceKind: 'git',
    startedAt: 1,
    finishedAt: 2,
    ...totalsOf(files),
    truncated: false,
    totalPatchBytes: 12 * files.length,
    createdAt: 3,
    gaps: [],
    overlaps: [],
    sharedWith: [],
    git: null,
    kept: { some: 'where' },
    files,
    ...more,
  };
}

describe('openStore', () => {
  it('says what to do about a file that is no database', () => {
    const dir = tempFolder('data');
    writeFileSync(join(dir, 'tidemark.db'), 'x'.repeat(5000));
    expect(() => openStore(dir)).toThrow(/is damaged/);
  });

  it('refuses a database of a newer version and leaves it as it is', () => {
    const dir = tempFolder('data');
    openStore(dir).$client.close();
    const client = new Sqlite(join(dir, 'tidemark.db'));
    client.prepare('insert into __drizzle_migrations (hash, created_at) values (?, ?)').run('later', 9e15);
    client.close();
    expect(() => openStore(dir)).toThrow(/newer version/);
    const after = new Sqlite(join(dir, 'tidemark.db'));
    expect(after.prepare('select count(*) as n from __drizzle_migrations').get()).toEqual({ n: 2 });
    after.close();
  });

  it.skipIf(process.getuid?.() === 0)('says that the file is read-only', () => {
    const dir = tempFolder('data');
    openStore(dir).$client.close();
    chmodSync(join(dir, 'tidemark.db'), 0o400);
    expect(() => openStore(dir)).toThrow(/read-only/);
  });

  it('keeps the log in write-ahead mode and the foreign keys on', () => {
    const store = opened();
    expect(store.$client.pragma('journal_mode', { simple: true })).toBe('wal');
    expect(store.$client.pragma('foreign_keys', { simple: true })).toBe(1);
  });
});

describe('changes', () => {
  it('are saved whole or not at all', () => {
    const store = opened();
    const runId = addRun(store, 'r');
    const twice = [file('a'), file('a')];
    expect(() => saveChange(store, change(runId, twice))).toThrow();
    expect(findChange(store, changeIdOf({ source: 'run', runId }), 10)).toBeNull();
    const item = store.$client.prepare('select last_item as n from sessions').get();
    expect(item).toEqual({ n: 1 });
  });

  it('keep their place when a later generation supersedes them', () => {
    const store = opened();
    const runId = addRun(store, 'r');
    const at = saveChange(store, change(runId, [file('a')]));
    addRun(store, 'next');
    expect(saveChange(store, change(runId, [file('b'), file('c')], { generation: 2 }))).toBe(at);
    const now = findChange(store, changeIdOf({ source: 'run', runId }), 10);
    expect(now?.generation).toBe(2);
    expect(now?.files.map((row) => row.path)).toEqual(['b', 'c']);
  });

  it('carry their first rows, and page and filter all of them', () => {
    const store = opened();
    const runId = addRun(store, 'r');
    const rows = Array.from({ length: 1200 }, (_, at) => file(`d/${String(at).padStart(4, '0')}`));
    rows.push(file('Z', { origin: 'git', changeType: 'added', oldPath: null }));
    saveChange(store, change(runId, rows));
    const id = changeIdOf({ source: 'run', runId });
    expect(findChange(store, id, 500)?.files).toHaveLength(500);
    expect(findChange(store, id, 500)?.changedCount).toBe(1200);
    expect(findChange(store, id, 500)?.truncated).toBe(true);
    expect(listChanges(store, S, { source: 'run', limit: 1 }, 1201).changes[0]?.truncated).toBe(false);
    const seen: string[] = [];
    for (let cursor: string | undefined; ; ) {
      const page = listFiles(store, id, { limit: 200, cursor });
      seen.push(...page.files.map((row) => row.path));
      if (page.nextCursor === null) break;
      cursor = page.nextCursor;
    }
    expect(seen).toEqual(rows.map((row) => row.path));
    expect(listFiles(store, id, { limit: 10, origin: 'git' }).files.map((row) => row.path)).toEqual(['Z']);
    expect(listFiles(store, id, { limit: 10, q: 'D/0007' }).files.map((row) => row.path)).toEqual(['d/0007']);
    expect(listFiles(store, id, { limit: 10, kind: 'added' }).files).toHaveLength(1);
  });

  it('are listed without touching a body', () => {
    const store = opened();
    saveChange(store, change(addRun(store, 'r'), [file('a')]));
    const reads: string[] = [];
    const prepare = store.$client.prepare.bind(store.$client);
    store.$client.prepare = ((sql: string) => {
      reads.push(sql);
      return prepare(sql);
    }) as typeof store.$client.prepare;
    listChanges(store, S, { source: 'all', limit: 10 }, 500);
    timelinePage(store, S, { limit: 10, summaryRows: 500 });
    expect(reads.some((sql) => sql.includes('workspace_run_change_files'))).toBe(true);
    expect(reads.filter((sql) => /"patch"/.test(sql))).toEqual([]);
  });

  it('say expired once their bodies are gone, and keep their rows', () => {
    const store = opened();
    const runId = addRun(store, 'r');
    saveChange(store, change(runId, [file('a')]));
    const id = changeIdOf({ source: 'run', runId });
    expect(findFile(store, id, 'f-a' as FileId)?.body).toMatchObject({ patch: '@@ -1 +1 @@\n', expired: false });
    expireBodies(store, id);
    expect(findFile(store, id, 'f-a' as FileId)?.body).toMatchObject({ patch: null, expired: true, additions: 1 });
  });
});

describe('the timeline', () => {
  it('pages from its end, each page oldest first, without a gap or a repeat', () => {
    const store = opened();
    const expected: string[] = [];
    for (let at = 0; at < 25; at += 1) {
      const runId = addRun(store, `r${at}`);
      insertMessage(store, S, { id: `m${at}` as never, runId, role: 'user', text: 'x', createdAt: 1 });
      saveChange(store, change(runId, [file(`${at}`)]));
      expected.push('run', 'message', 'change');
    }
    const pages: string[][] = [];
    for (let cursor: string | undefined; ; ) {
      const page = timelinePage(store, S, { limit: 10, cursor, summaryRows: 5 });
      pages.unshift(page.items.map((item) => item.type));
      if (page.nextCursor === null) break;
      cursor = page.nextCursor;
    }
    expect(pages.flat()).toEqual(expected);
    expect(pages.at(-1)).toHaveLength(10);
  });
});

describe('search', () => {
  it('finds runs by title, prompt and changed path, and takes % and _ as they are', () => {
    const store = opened();
    const a = addRun(store, 'a', 1);
    const b = addRun(store, 'b', 2);
    saveChange(store, change(a, [file('src/Login.vue')]));
    saveChange(
      store,
      change(b, [file('src/100%_sure.ts'), file('new', { changeType: 'renamed', oldPath: 'src/old.ts' })]),
    );
    const found = (text: string) => searchRuns(store, text, 10).map((run) => run.id);
    expect(found('login.vue')).toEqual(['a']);
    expect(found('src/old')).toEqual(['b']);
    expect(found('prompt of')).toEqual(['b', 'a']);
    expect(found('0%_s')).toEqual(['b']);
    expect(found('%')).toEqual(['b']);
    expect(listSessions(store, { limit: 10, query: 'Login' }).sessions.map((session) => session.id)).toEqual(['s']);
    expect(listSessions(store, { limit: 10, query: 'nowhere' }).sessions).toEqual([]);
  });
});

describe('retention', () => {
  it('names runs past their days and past their number, never one that goes on', () => {
    const store = opened();
    addRun(store, 'old', 10);
    addRun(store, 'going', 11, 'running');
    for (let at = 0; at < 5; at += 1) addRun(store, `new${at}`, 1000 + at);
    expect(runsPastRetention(store, { before: 100, perSession: 100 })).toEqual(['old']);
    expect(runsPastRetention(store, { before: 0, perSession: 3 }).sort()).toEqual(['new0', 'new1', 'old']);
  });

  it('takes everything of a run with it', () => {
    const store = opened();
    const runId = addRun(store, 'r');
    insertMessage(store, S, { id: 'm' as never, runId, role: 'user', text: 'x', createdAt: 1 });
    saveChange(store, change(runId, [file('a')]));
    const call = changeIdOf({ source: 'tool', runId, toolCallId: 'c' as ToolCallId });
    saveChange(store, change(runId, [file('b')], { changeId: call, source: 'tool', toolCallId: 'c' as ToolCallId }));
    deleteRuns(store, [runId]);
    expect(findRun(store, runId)).toBeNull();
    expect(timelinePage(store, S, { limit: 10, summaryRows: 5 }).items).toEqual([]);
    expect(findChange(store, call, 5)).toBeNull();
  });

  it('goes by session too', () => {
    const store = opened();
    saveChange(store, change(addRun(store, 'r'), [file('a')]));
    deleteSession(store, S);
    for (const table of ['runs', 'workspace_run_changes', 'workspace_run_change_files']) {
      expect(store.$client.prepare(`select count(*) as n from ${table}`).get()).toEqual({ n: 0 });
    }
  });
});

describe('the file', () => {
  it('holds nothing of what was deleted', () => {
    const dataDir = tempFolder('data');
    const store = openStore(dataDir);
    addSession(store, S);
    addSession(store, 'other' as SessionId);
    const phrase = 'only in what is deleted';
    const runId = addRun(store, 'r');
    insertMessage(store, S, { id: 'm' as never, runId, role: 'user', text: phrase, createdAt: 1 });
    saveChange(store, change(runId, [file('a', { patch: `${phrase}\n`.repeat(2000) }), file(phrase)]));
    const holds = () => {
      store.$client.pragma('wal_checkpoint(TRUNCATE)');
      return readFileSync(join(dataDir, 'tidemark.db')).includes(phrase);
    };
    expect(holds()).toBe(true);
    deleteSession(store, S);
    expect(holds()).toBe(false);
    store.$client.close();
  });

  it('gives back to the disk what retention empties', () => {
    const store = opened();
    const runId = addRun(store, 'r');
    saveChange(store, change(runId, [file('a', { patch: 'x'.repeat(3_000_000) })]));
    const pages = () => Number(store.$client.pragma('page_count', { simple: true }));
    const before = pages();
    deleteRuns(store, [runId]);
    while (giveBackPages(store));
    expect(pages()).toBeLessThan(before - 600);
  });
});
