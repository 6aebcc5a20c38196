/** Opens the database file: write-ahead log, foreign keys, migrations. */
import 'server-only';
import { chmodSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { type BetterSQLite3Database, drizzle } from 'drizzle-orm/better-sqlite3';
import { migrate } from 'drizzle-orm/better-sqlite3/migrator';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import * as schema from '@/drizzle/schema';
import { AppError } from '@/lib/domain/errors';

export type Store = BetterSQLite3Database<typeof schema> & { $client: Sqlite.Database };

/** Folder of the committed migrations; the server runs in the project's folder. */
const MIGRATIONS = join('drizzle', 'migrations');

/**
 * Opens `<dataDir>/tidemark.db` and brings it up to date. Throws an `AppError` with a sentence that says what to do
 * where the file cannot be opened, is read-only, damaged, or was written by a newer Tidemark.
 */
export function openStore(dataDir: string): Store {
  const path = join(dataDir, 'tidemark.db');
  const isNew = !existsSync(path);
  let client: Sqlite.Database | null = null;
  try {
    client = new Sqlite(path);
    // Before the first table: pages that retention empties can be given back to the disk.
    if (isNew) client.pragma('auto_vacuum = INCREMENTAL');
    client.pragma('journal_mode = WAL');
    client.pragma('synchronous = NORMAL');
    client.pragma('foreign_keys = ON');
    client.pragma('busy_timeout = 5000');
    // What a person deletes must not lie on in the file: its bytes are overwritten.
    client.pragma('secure_delete = ON');
    if (isNew) chmodSync(path, 0o600);
    const store = drizzle(client, { schema, casing: 'snake_case' });
    refuseNewer(client);
    migrate(store, { migrationsFolder: MIGRATIONS });
    return store;
  } catch (error) {
    client?.close();
    throw error instanceof AppError ? error : new AppError('internal', sentenceFor(error, path), { cause: error });
  }
}

/** Refuses a database with migrations that this version does not know: writing to it could lose what it holds. */
function refuseNewer(client: Sqlite.Database): void {
  const table = client
    .prepare("select 1 from sqlite_master where type = 'table' and name = '__drizzle_migrations'")
    .get();
  if (!table) return;
  const { newest } = client.prepare('select max(created_at) as newest from __drizzle_migrations').get() as {
    newest: number | null;
  };
  const known = Math.max(...readMigrationFiles({ migrationsFolder: MIGRATIONS }).map((file) => file.folderMillis));
  if (newest !== null && newest > known) {
    throw new AppError(
      'internal',
      'The database was written by a newer version of Tidemark. Update Tidemark, or set TIDEMARK_DATA_DIR to another folder.',
    );
  }
}

function sentenceFor(error: unknown, path: string): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code.startsWith('SQLITE_READONLY'))
    return `The database ${path} is read-only. Make the file and its folder writable.`;
  if (code.startsWith('SQLITE_CANTOPEN'))
    return `The database ${path} cannot be opened. Check that the folder is writable.`;
  if (code.startsWith('SQLITE_CORRUPT') || code.startsWith('SQLITE_NOTADB')) {
    return `The database ${path} is damaged. Move it away and start again; runs recorded in it are not shown then.`;
  }
  if (code.startsWith('SQLITE_FULL')) return `The disk that holds ${path} is full. Free some space and start again.`;
  return `The database ${path} cannot be used: ${error instanceof Error ? error.message : String(error)}`;
}

/** Pages given back to the disk at once: a few milliseconds of the event loop. */
const PAGES_AT_ONCE = 1_000;

/** Gives emptied pages back to the disk, a bounded number a call. Returns whether there are more. */
export function giveBackPages(store: Store): boolean {
  store.$client.pragma(`incremental_vacuum(${PAGES_AT_ONCE})`);
  return Number(store.$client.pragma('freelist_count', { simple: true })) > 0;
}

/** Whether a failure means that the disk is full, whichever layer says so. */
export function isStorageFull(error: unknown): boolean {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    if ('code' in cause && ['SQLITE_FULL', 'ENOSPC', 'EDQUOT'].includes(String(cause.code))) return true;
  }
  return false;
}
