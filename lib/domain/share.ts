/** A link that shows one run, and nothing else, to whoever holds it. */
import type { FileId, RunId, ShareId } from './ids';

export interface Share {
  id: ShareId;
  /** Unguessable; stands in the address. */
  token: string;
  runId: RunId;
  includePrompt: boolean;
  includeAnswer: boolean;
  /** Files that are left out, by path: ids change when a later record supersedes the one that was shared. */
  excludePaths: string[];
  /** Files whose secrets the owner chose to show all the same, by path. */
  revealPaths: string[];
  createdAt: number;
  expiresAt: number | null;
}

/** What stands masked in a shared run, told to its owner. */
export interface MaskedSecret {
  /** The file it stands in; null in the prompt or the answer. */
  fileId: FileId | null;
  path: string | null;
  /** Where it stands when it is in no file. */
  message: 'prompt' | 'answer' | null;
  rule: string;
  count: number;
}
