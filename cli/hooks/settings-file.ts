/** One file of somebody else's settings: read, and replaced whole or not at all. */
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { CommandFailure, EXIT } from '../exit-codes';

/** Largest settings file that is touched, in bytes; nobody's is larger. */
const MAX_BYTES = 8 * 1024 * 1024;

export interface SettingsFile {
  /** As it is named. */
  file: string;
  /** Where its bytes are: behind links. */
  target: string;
  /** Null where it does not exist. */
  text: string | null;
}

/** Reads a settings file; one that does not exist is no failure, whatever else is in the way is. */
export function readSettingsFile(file: string): SettingsFile {
  let target = file;
  try {
    // A link is followed and stays one; one that leads nowhere would be replaced by a file.
    target = realpathSync(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw unreadable(file, error);
    if (isLink(file)) throw new CommandFailure(EXIT.badData, `${file} is a link that leads nowhere.`);
    return { file, target: file, text: null };
  }
  try {
    const facts = statSync(target);
    if (!facts.isFile()) throw new CommandFailure(EXIT.badData, `${file} is not a file.`);
    if (facts.size > MAX_BYTES)
      throw new CommandFailure(EXIT.badData, `${file} is larger than a settings file can be.`);
    const bytes = readFileSync(target);
    return { file, target, text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch (error) {
    if (error instanceof TypeError) throw new CommandFailure(EXIT.badData, `${file} is not UTF-8 text.`);
    throw error instanceof CommandFailure ? error : unreadable(file, error);
  }
}

function isLink(file: string): boolean {
  try {
    return lstatSync(file).isSymbolicLink();
  } catch {
    return false;
  }
}

/**
 * Puts `text` in the place of what `read` saw, in one step; folders are made as needed. Throws, with nothing changed,
 * where it cannot be written or somebody else wrote it meanwhile.
 */
export function replaceSettingsFile(read: SettingsFile, text: string): { madeFolders: string[] } {
  const folder = dirname(read.target);
  const draft = join(folder, `.${process.pid}-${Date.now()}.tidemark-new`);
  const madeFolders: string[] = [];
  try {
    const first = mkdirSync(folder, { recursive: true });
    for (let made = folder; first !== undefined && made.startsWith(first); made = dirname(made)) madeFolders.push(made);
    const mode = read.text === null ? 0o600 : statSync(read.target).mode & 0o7777;
    writeFileSync(draft, text, { mode, flag: 'wx' });
    chmodSync(draft, mode);
    if (readSettingsFile(read.file).text !== read.text) {
      throw new CommandFailure(
        EXIT.failed,
        `${read.file} changed while it was being edited; nothing was written.`,
        'Try again.',
      );
    }
    if (read.text !== null) mustBeWritable(read.target);
    renameSync(draft, read.target);
    return { madeFolders };
  } catch (error) {
    rmSync(draft, { force: true });
    removeFolders(madeFolders);
    throw error instanceof CommandFailure ? error : unwritable(read.file, error);
  }
}

/** A file that its owner made read-only stays as it is, though its folder would let us replace it. */
function mustBeWritable(file: string): void {
  if ((statSync(file).mode & 0o222) === 0)
    throw new CommandFailure(EXIT.cannotWrite, `${file} is read-only.`, `Make it writable (chmod u+w) and try again.`);
}

/** Removes a file, and the folders that were made for it where they are empty again. */
export function removeSettingsFile(read: SettingsFile, madeFolders: string[]): void {
  try {
    unlinkSync(read.file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw unwritable(read.file, error);
  }
  removeFolders(madeFolders);
}

/** Deepest first; a folder that holds something stays. */
function removeFolders(folders: string[]): void {
  for (const folder of folders.toSorted((a, b) => b.length - a.length)) {
    try {
      rmdirSync(folder);
    } catch {
      return;
    }
  }
}

function unreadable(file: string, error: unknown): CommandFailure {
  return new CommandFailure(EXIT.badData, `${file} cannot be read: ${reason(error)}.`);
}

function unwritable(file: string, error: unknown): CommandFailure {
  return new CommandFailure(EXIT.cannotWrite, `${file} cannot be written: ${reason(error)}.`, 'Nothing was changed.');
}

function reason(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  switch (code) {
    case 'EACCES':
    case 'EPERM':
      return 'permission denied';
    case 'EROFS':
      return 'the disk is read-only';
    case 'ENOSPC':
      return 'the disk is full';
    case 'ENOTDIR':
      return 'a folder in its path is a file';
    case 'ELOOP':
      return 'its links go in a circle';
    default:
      return message;
  }
}
