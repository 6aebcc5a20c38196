/** What the file tools need of a disk: one file of a workspace, as it is, and its replacement. */

/** A file as it was read; what a replacement is compared with. */
export type FileState = {
  /** Absolute. */
  path: string;
  /** Relative to the workspace, with `/`. */
  name: string;
} & ({ exists: false } | { exists: true; bytes: Uint8Array; stamp: string; mode: number });

export interface FileDoor {
  /**
   * The absolute path of the file that a tool names. Throws as `read` does where it is out of bounds, before anything is
   * opened.
   */
  within(path: string): Promise<string>;
  /**
   * Reads the file that a tool names, absolute or relative to the workspace. Throws `ToolFailure` where it lies outside,
   * is reached through a link, belongs to git, is no regular file or is too large.
   */
  read(path: string): Promise<FileState>;
  /**
   * Puts `bytes` in the place of what `before` says, in one step, with its mode. Throws `ToolFailure`, with nothing
   * changed, where the disk no longer holds that, the file is read-only or the bytes are too many. Folders of a new
   * file are made.
   */
  replace(before: FileState, bytes: Uint8Array): Promise<void>;
}
