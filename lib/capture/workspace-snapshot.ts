/** What a snapshot is made of: one part for the workspace itself and one for each repository inside it. */
import type { Snapshot } from './capture';
import type { HeadState } from './git/repository';
import type { GatheredGap } from './part-gap';
import type { RawPath } from './raw-path';

/** One work tree of a workspace at one instant. Plain JSON. */
export interface PartSnapshot {
  /** Where it is below the record's root: empty for the root itself, else ending in `/`. */
  prefix: RawPath;
  /** `repository`: git's own rules decide what is covered; `folder`: ours do; `plain`: ours, and no git stores it. */
  kind: 'repository' | 'folder' | 'plain';
  /** Its private directory, or the folder of its manifests. */
  key: string;
  top: string;
  objectFormat: 'sha1' | 'sha256';
  /** The user's git directory; null in a folder without one. */
  gitDir: string | null;
  tree: string;
  /** Name of the ignore rules that are no file of the tree. */
  rules: string;
  /** Name under which its private directory holds it. */
  heldAs: string;
  /** Name of what is known beside the tree; null when there is nothing. */
  details: string | null;
  head: HeadState | null;
}

/** A snapshot as this implementation makes it. */
export interface WorkspaceSnapshot extends Snapshot {
  /** Empty where nothing could be covered. */
  parts: PartSnapshot[];
  gaps: GatheredGap[];
  /** Prefixes of parts that could not be taken: nothing is known of what is below. */
  uncovered: RawPath[];
}

/** Reads a snapshot that came back from storage. */
export function workspaceSnapshot(snapshot: Snapshot): WorkspaceSnapshot {
  return 'parts' in snapshot && Array.isArray(snapshot.parts)
    ? (snapshot as WorkspaceSnapshot)
    : { ...snapshot, parts: [], gaps: [], uncovered: ['' as RawPath] };
}
