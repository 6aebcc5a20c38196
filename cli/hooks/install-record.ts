/** What `tidemark hooks` did to which file, so that it can be undone to the byte. */
import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { HookAgent } from '@/lib/domain/hooks';
import type { Scope } from './agent-settings';

export interface Installation {
  agent: HookAgent;
  scope: Scope;
  file: string;
  command: string;
  /** SHA-256 of the file as we left it. */
  after: string;
  /** The copy of what it was before, or null where it did not exist or nobody knows. */
  backup: string | null;
  /** It did not exist before. */
  created: boolean;
  madeFolders: string[];
  madeKeys: string[][];
  /** ms */
  installedAt: number;
}

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** The folder of everything about hooks, made where it is missing. */
export function hooksFolder(dataDir: string): string {
  const folder = join(dataDir, 'hooks');
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return folder;
}

export function readInstallations(dataDir: string): Installation[] {
  try {
    const parsed: unknown = JSON.parse(readFileSync(join(dataDir, 'hooks', 'installed.json'), 'utf8'));
    return Array.isArray(parsed) ? (parsed as Installation[]) : [];
  } catch {
    return [];
  }
}

/** Remembers an installation, or forgets it, for one file. */
export function writeInstallation(dataDir: string, file: string, installation: Installation | null): void {
  const others = readInstallations(dataDir).filter((known) => known.file !== file);
  const all = installation === null ? others : [...others, installation];
  writeWhole(join(hooksFolder(dataDir), 'installed.json'), `${JSON.stringify(all, null, 2)}\n`, 0o600);
}

/** Keeps a copy of a file's text; returns where. */
export function keepBackup(dataDir: string, agent: HookAgent, text: string, at: number): string {
  const folder = join(hooksFolder(dataDir), 'backups');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const stamp = new Date(at).toISOString().replace(/[:.]/g, '-');
  const file = join(folder, `${agent}-${stamp}-${sha256(text).slice(0, 8)}`);
  writeFileSync(file, text, { mode: 0o600 });
  return file;
}

/** The text of a backup, or null where it is gone. */
export function readBackup(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}

/** Writes a file of ours in one step. */
export function writeWhole(file: string, text: string, mode: number): void {
  const draft = `${file}.${process.pid}.new`;
  writeFileSync(draft, text, { mode });
  chmodSync(draft, mode);
  renameSync(draft, file);
}
