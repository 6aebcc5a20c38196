/** Reads a command line against the table of commands. */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { COMMON_OPTIONS, type Command } from './command';
import { CommandFailure, EXIT } from './exit-codes';

export type Request =
  | { kind: 'help'; command: Command | null }
  | { kind: 'version' }
  | {
      kind: 'run';
      command: Command;
      words: string[];
      options: Record<string, string | boolean | undefined>;
      json: boolean;
      /** Absolute; null where none was given. */
      dataDir: string | null;
    };

/** Parses what stands after `tidemark`. Throws exit 64 with a sentence that says what is wrong. */
export function readCommandLine(argv: string[], commands: readonly Command[]): Request {
  const at = argv.findIndex((word) => !word.startsWith('-'));
  const before = at === -1 ? argv : argv.slice(0, at);
  if (before.includes('--version') || before.includes('-V')) return { kind: 'version' };
  const name = at === -1 ? undefined : argv[at];
  if (name === undefined || name === 'help') {
    const topic = name === 'help' ? argv[at + 1] : undefined;
    const stray = before.find((word) => !['-h', '--help'].includes(word));
    if (stray !== undefined) throw wrong(`There is no option ${stray} before a command.`, null);
    return { kind: 'help', command: topic === undefined ? null : find(topic, commands) };
  }
  const command = find(name, commands);
  const rest = [...before, ...argv.slice(at + 1)];
  const { own, line } = command.words === 'command-line' ? splitCommandLine(rest, command) : { own: rest, line: [] };

  let parsed: ReturnType<typeof parseArgs>;
  try {
    parsed = parseArgs({ args: own, options: optionsOf(command), allowPositionals: true, strict: true });
  } catch (error) {
    throw wrong(sentence((error as Error).message), command);
  }
  const options = parsed.values as Record<string, string | boolean | undefined>;
  if (options.help) return { kind: 'help', command };
  const words = command.words === 'command-line' ? line : parsed.positionals;
  const { least, most } =
    command.words === 'command-line' ? { least: 1, most: Number.POSITIVE_INFINITY } : command.words;
  if (words.length < least) throw wrong(`\`tidemark ${command.name}\` needs ${missing(command)}.`, command);
  if (words.length > most) {
    throw wrong(`\`tidemark ${command.name}\` does not know what to do with "${words[most]}".`, command);
  }
  const dataDir = options['data-dir'];
  return {
    kind: 'run',
    command,
    words,
    options,
    json: options.json === true,
    dataDir: typeof dataDir === 'string' ? resolve(dataDir) : null,
  };
}

/** Our own options end at `--`, or at the first word that is none of theirs. */
function splitCommandLine(rest: string[], command: Command): { own: string[]; line: string[] } {
  const options = optionsOf(command);
  for (let at = 0; at < rest.length; at += 1) {
    const word = rest[at] as string;
    if (word === '--') return { own: rest.slice(0, at), line: rest.slice(at + 1) };
    if (!word.startsWith('-') || word === '-') return { own: rest.slice(0, at), line: rest.slice(at) };
    const name = word.replace(/^--?/, '');
    const spec = options[name] ?? Object.values(options).find(({ short }) => short === name);
    if (spec?.type === 'string' && !word.includes('=')) at += 1;
  }
  return { own: rest, line: [] };
}

function optionsOf(command: Command) {
  const all = { ...COMMON_OPTIONS, ...command.options };
  return Object.fromEntries(
    Object.entries(all).map(([name, { type, short }]) => [name, { type, ...(short && { short }) }]),
  );
}

function find(name: string, commands: readonly Command[]): Command {
  const command = commands.find((candidate) => candidate.name === name);
  if (command) return command;
  const near = commands.find((candidate) => !candidate.hidden && isNear(name, candidate.name));
  throw new CommandFailure(
    EXIT.usage,
    `There is no command "${name}".${near ? ` Do you mean \`tidemark ${near.name}\`?` : ''}`,
    '`tidemark --help` lists them.',
  );
}

/** One slip of the fingers away: same beginning, one letter more, less or other, or two that changed places. */
function isNear(typed: string, name: string): boolean {
  if (typed.length >= 2 && name.startsWith(typed)) return true;
  if (Math.abs(typed.length - name.length) > 1) return false;
  let at = 0;
  while (at < typed.length && typed[at] === name[at]) at += 1;
  const isSwapped = typed[at] === name[at + 1] && typed[at + 1] === name[at];
  if (isSwapped && typed.slice(at + 2) === name.slice(at + 2)) return true;
  return [
    [at + 1, at + 1],
    [at + 1, at],
    [at, at + 1],
  ].some(([inTyped, inName]) => typed.slice(inTyped) === name.slice(inName));
}

function missing(command: Command): string {
  return command.words === 'command-line' ? 'a command to run' : (command.usage.split(' ')[0] ?? 'something more');
}

/** The parser's own sentence, without the hint that does not fit here. */
function sentence(message: string): string {
  return `${(message.split('. ')[0] ?? message).replace(/\.$/, '')}.`;
}

function wrong(message: string, command: Command | null): CommandFailure {
  const topic = command === null ? 'tidemark' : `tidemark ${command.name}`;
  return new CommandFailure(EXIT.usage, message, `\`${topic} --help\` shows how it is called.`);
}
