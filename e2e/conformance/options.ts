/** Reads the runner's command line. */

export interface Options {
  /** Leaves the large rows out. */
  isQuick: boolean;
  /** File that the outcomes are written to as JSON, or null. */
  json: string | null;
  /** Ids of the only rows that are run; empty: all. */
  only: string[];
  isList: boolean;
  keep: boolean;
  isHelp: boolean;
}

export const USAGE = `Usage: npm run conformance -- [options]

Builds every situation of the conformance table out of real folders and commands, drives a Tidemark server over HTTP
through it, and says of each whether the record is right. Ends with status 1 when one is wrong.

  --only=T1,G18   these rows alone
  --quick         without the large rows (minutes, gigabytes), and with one kind of worker a row instead of three
  --json=FILE     the outcomes as JSON, too
  --list          what rows there are
  --keep          keeps the folders, and says where they are

A whole run also writes docs/conformance.md.
`;

/** Throws with a sentence where an argument is not known. */
export function readOptions(args: readonly string[]): Options {
  const options: Options = { isQuick: false, json: null, only: [], isList: false, keep: false, isHelp: false };
  for (const arg of args) {
    const [name, value] = arg.includes('=')
      ? [arg.slice(0, arg.indexOf('=')), arg.slice(arg.indexOf('=') + 1)]
      : [arg, ''];
    if (arg === '--quick') options.isQuick = true;
    else if (arg === '--list') options.isList = true;
    else if (arg === '--keep') options.keep = true;
    else if (arg === '--help' || arg === '-h') options.isHelp = true;
    else if (name === '--json' && value !== '') options.json = value;
    else if (name === '--only' && value !== '')
      options.only.push(
        ...value
          .split(',')
          .map((id) => id.trim())
          .filter(Boolean),
      );
    else throw new Error(`${arg} is no option of the conformance check.`);
  }
  return options;
}
