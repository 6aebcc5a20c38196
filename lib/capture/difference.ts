/** One path that differs between two ends of a span, before lines are counted. */
import type { ContentRef } from '@/lib/domain/change';
import type { Fingerprint } from './filesystem/fingerprint';
import type { TreeEntry } from './git/diff-trees';
import type { RawPath } from './raw-path';

/** What stood at one end: an object of git, a copy, a file known by its fingerprint alone, or something nobody could read. */
export type DifferenceSide =
  | { known: 'object'; entry: TreeEntry }
  | { known: 'copy'; ref: ContentRef; mode: string; size: number }
  | { known: 'fingerprint'; fingerprint: Fingerprint }
  | { known: 'nothing'; size: number | null; mode: string | null };

export interface Difference {
  /** Below the record's root; an absolute path without its first slash where `outside`. */
  path: RawPath;
  outside: boolean;
  before: DifferenceSide | null;
  after: DifferenceSide | null;
  movedByGit: boolean;
  ignored: boolean;
  evidence: ('snapshot' | 'capture')[];
}
