/** What a command of `tidemark` is: how it is called, what it says about itself, what it does. */

import type { Screen } from './screen';
import type { Door } from './server-door';

export interface OptionSpec {
  type: 'boolean' | 'string';
  short?: string;
  /** What stands for the value in help: `DIR`. */
  value?: string;
  summary: string;
}

/** What a command gets when it is called. */
export interface Call {
  words: string[];
  /** What was given for each option. */
  flag(name: string): boolean;
  text(name: string): string | null;
  /** `--json` was given: one JSON document on standard output, and nothing else there. */
  json: boolean;
  screen: Screen;
  /** Where Tidemark keeps its data. */
  dataDir: string;
  /** Opens the way to the server; throws exit 69 where there is none. */
  door(): Door;
}

export interface Command {
  name: string;
  summary: string;
  /** After `tidemark <name>`. */
  usage: string;
  /** A paragraph or two; empty where the summary says it all. */
  about: string;
  options: Record<string, OptionSpec>;
  /** What to type, and what it does. */
  examples: [type: string, does: string][];
  /** How many words it takes, or that a command line follows. */
  words: { least: number; most: number } | 'command-line';
  /** Completes the first word: fixed words, or null. */
  firstWords: readonly string[] | null;
  /** Not shown in the overview: called by programs, not by people. */
  hidden?: boolean;
  /** Resolves to the exit code. */
  run(call: Call): Promise<number>;
}

/** Every command takes these. */
export const COMMON_OPTIONS: Record<string, OptionSpec> = {
  json: { type: 'boolean', summary: 'print JSON for programs' },
  'data-dir': { type: 'string', value: 'DIR', summary: "Tidemark's data folder (default: $TIDEMARK_DATA_DIR)" },
  help: { type: 'boolean', short: 'h', summary: 'show this help' },
};
