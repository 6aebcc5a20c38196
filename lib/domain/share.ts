/** A link that shows one run, and nothing else, to whoever holds it. */
import type { FileId, RunId, ShareId } from './ids';

export interface Share {
  id: ShareId;
  /** Unguessable; stands in the address. */
  token: string;
  runId: RunId;
  includePrompt: boolean;
  includeAnswer: boolean;
  excludeFileIds: FileId[];
  /** Masked findings that the owner chose to show all the same. */
  reveal: string[];
  createdAt: number;
  expiresAt: number | null;
}
