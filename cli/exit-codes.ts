/** The exit codes of `tidemark`, after `sysexits.h` where that has a name for the case. */

export const EXIT = {
  done: 0,
  /** Tidemark refused or failed; the message says why. */
  failed: 1,
  /** The command line is wrong. */
  usage: 64,
  /** A settings file is not what it must be; nothing was changed. */
  badData: 65,
  /** There is no such run. */
  notFound: 66,
  /** No server answers. */
  away: 69,
  /** A file could not be written; nothing was changed. */
  cannotWrite: 73,
  /** The server does not let us in. */
  notAllowed: 77,
  /** `tidemark run`: the command is there but cannot be run, or is not there. */
  notExecutable: 126,
  commandNotFound: 127,
} as const;

/** What `--help` says about them. */
export const EXIT_WORDS: [code: string, meaning: string][] = [
  ['0', 'done'],
  ['1', 'Tidemark refused or failed; the message says why'],
  ['64', 'the command line is wrong'],
  ['65', 'a settings file is not valid; nothing was changed'],
  ['66', 'there is no such run'],
  ['69', 'no Tidemark server answers'],
  ['73', 'a file cannot be written; nothing was changed'],
  ['77', 'the server does not accept the token'],
];

/** A failure with the exit code it ends in. The message is shown to a person. */
export class CommandFailure extends Error {
  override name = 'CommandFailure';
  constructor(
    readonly exitCode: number,
    message: string,
    /** What to do about it, in one line. */
    readonly advice: string | null = null,
  ) {
    super(message);
  }
}
