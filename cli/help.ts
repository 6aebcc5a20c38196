/** The help of the command line: taught by example. */
import { COMMON_OPTIONS, type Command, type OptionSpec } from './command';
import { EXIT_WORDS } from './exit-codes';
import type { Paint } from './screen';

/** `tidemark --help`. */
export function overview(commands: readonly Command[], paint: Paint): string {
  const shown = commands.filter(({ hidden }) => !hidden);
  return [
    'Tidemark shows, for every run of a coding agent, exactly which files it changed.',
    '',
    paint('bold', 'Usage'),
    '  tidemark COMMAND [OPTIONS]',
    '',
    paint('bold', 'Try'),
    ...columns([
      ['tidemark start', 'start the server and print its link'],
      ['tidemark hooks install claude', 'from now on, every prompt of Claude Code becomes a run'],
      ['tidemark run -- npm run format', 'run a command and list what it changed'],
      ['tidemark changes', 'list what the last run here changed'],
      ['tidemark patch last | git apply -R', 'take it back'],
    ]),
    '',
    paint('bold', 'Commands'),
    ...columns(shown.map(({ name, summary }) => [name, summary])),
    '',
    paint('bold', 'Options of every command'),
    ...columns(optionRows(COMMON_OPTIONS)),
    '',
    paint('bold', 'Exit codes'),
    ...columns(EXIT_WORDS),
    '  `tidemark run` ends with the exit code of its command.',
    '',
    '`tidemark COMMAND --help` says more about one of them.',
  ].join('\n');
}

/** `tidemark COMMAND --help`. */
export function commandHelp(command: Command, paint: Paint): string {
  return [
    `${command.summary[0]?.toUpperCase()}${command.summary.slice(1)}.`,
    '',
    paint('bold', 'Usage'),
    `  tidemark ${command.name}${command.usage === '' ? '' : ` ${command.usage}`}`,
    ...(command.about === '' ? [] : ['', command.about]),
    '',
    paint('bold', 'Examples'),
    ...columns(command.examples),
    '',
    paint('bold', 'Options'),
    ...columns([...optionRows(command.options), ...optionRows(COMMON_OPTIONS)]),
  ].join('\n');
}

function optionRows(options: Record<string, OptionSpec>): [string, string][] {
  return Object.entries(options).map(([name, { short, value, summary }]) => [
    `${short ? `-${short}, ` : ''}--${name}${value ? ` ${value}` : ''}`,
    summary,
  ]);
}

/** Two columns; the right one begins where the longest left one ends. */
function columns(rows: [left: string, right: string][]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);
}
