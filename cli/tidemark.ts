#!/usr/bin/env node
/** The command line of Tidemark: reads what was typed, does it, ends with an exit code. */
import { readFileSync } from 'node:fs';
import { readCommandLine } from './command-line';
import { COMMANDS } from './commands';
import { CommandFailure, EXIT } from './exit-codes';
import { commandHelp, overview } from './help';
import { harmless, processScreen, type Screen } from './screen';
import { dataFolder, openDoor } from './server-door';

/** Resolves to the exit code. */
async function main(argv: string[], screen: Screen): Promise<number> {
  const request = readCommandLine(argv, COMMANDS);
  switch (request.kind) {
    case 'version':
      screen.out(version());
      return EXIT.done;
    case 'help':
      screen.out(request.command ? commandHelp(request.command, screen.paintOut) : overview(COMMANDS, screen.paintOut));
      return EXIT.done;
    case 'run': {
      const { command, words, options, json } = request;
      const dataDir = request.dataDir ?? dataFolder();
      return command.run({
        words,
        json,
        screen,
        dataDir,
        flag: (name) => options[name] === true,
        text: (name) => {
          const value = options[name];
          return typeof value === 'string' ? value : null;
        },
        door: () => openDoor(dataDir),
      });
    }
  }
}

/** The version of the package that the bundle lies in. */
function version(): string {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}

const screen = processScreen();
const argv = process.argv.slice(2);
try {
  process.exitCode = await main(argv, screen);
} catch (error) {
  if (!(error instanceof CommandFailure)) throw error;
  const ours = argv.slice(0, argv.includes('--') ? argv.indexOf('--') : argv.length);
  if (ours.includes('--json'))
    screen.out(JSON.stringify({ error: { exit_code: error.exitCode, message: error.message } }));
  screen.note(`tidemark: ${harmless(error.message)}`);
  if (error.advice !== null) screen.note(error.advice);
  process.exitCode = error.exitCode;
}
