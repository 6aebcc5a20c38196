/** Draws what the runner found: lines for a terminal, and the table of `docs/conformance.md`. */
import type { Outcome, Section } from './situation';

/** The machine and the versions that a report was made with. */
export interface Circumstances {
  version: string;
  git: string;
  node: string;
  system: string;
  cores: number;
  /** ISO day. */
  day: string;
}

export interface Totals {
  right: number;
  wrong: number;
  skipped: number;
}

export interface Screen {
  columns: number;
  colour: boolean;
}

const MARK = { right: '✓', wrong: '✗', skipped: '–' } as const;
const PAINT = { right: 32, wrong: 31, skipped: 33, faint: 2, strong: 1 } as const;
/** Columns of the mark and the id before a row's words, and of the milliseconds behind them. */
const HEAD = 9;
const TIMES = 16;

export function totalsOf(outcomes: readonly Outcome[]): Totals {
  const totals = { right: 0, wrong: 0, skipped: 0 };
  for (const { verdict } of outcomes) totals[verdict] += 1;
  return totals;
}

/** `71 right, 0 wrong, 3 skipped`. */
export function totalsInWords({ right, wrong, skipped }: Totals): string {
  return [`${right} right`, `${wrong} wrong`, ...(skipped > 0 ? [`${skipped} skipped`] : [])].join(', ');
}

function paint(text: string, how: keyof typeof PAINT, { colour }: Screen): string {
  return colour ? `\u001b[${PAINT[how]}m${text}\u001b[0m` : text;
}

/** What it runs on, above everything. */
export function headLines(about: Circumstances, screen: Screen): string {
  const title = paint(`Tidemark ${about.version}: does each record say what happened?`, 'strong', screen);
  return `${title}\n${paint(`${about.system} · ${about.cores} cores · Node ${about.node} · ${about.git}`, 'faint', screen)}\n`;
}

export function sectionLine({ id, title }: Pick<Section, 'id' | 'title'>, screen: Screen): string {
  return `\n${paint(`${id}  ${title}`, 'strong', screen)}\n`;
}

/** One row: mark, id, situation, what it must say, how long the agent waited; below it, what is wrong. */
export function outcomeLines(outcome: Outcome, screen: Screen): string {
  const { verdict, id, when, says, notes, complaints } = outcome;
  const room = Math.max(40, screen.columns - HEAD - TIMES);
  const left = Math.min(80, Math.floor(room * 0.55));
  const times = timesInWords(outcome).padStart(TIMES);
  const mark = paint(MARK[verdict], verdict, screen);
  const lines = [
    `  ${mark} ${id.padEnd(HEAD - 4)}${fitted(when, left)} ${fitted(says, room - left - 1)}${paint(times, 'faint', screen)}`,
  ];
  for (const note of notes) lines.push(`${' '.repeat(HEAD)}${paint(note, 'faint', screen)}`);
  for (const { what, expected, came } of complaints) {
    lines.push(`${' '.repeat(HEAD)}${paint(what, 'wrong', screen)}`);
    if (expected !== undefined) lines.push(block('expected', expected));
    if (came !== undefined) lines.push(block('came', came));
  }
  return `${lines.join('\n')}\n`;
}

/** The last line of all. */
export function totalLine(totals: Totals, seconds: number, screen: Screen): string {
  const verdict = totals.wrong > 0 ? 'wrong' : 'right';
  return `\n${paint(totalsInWords(totals), verdict, screen)}${paint(` · ${Math.round(seconds)} s`, 'faint', screen)}\n`;
}

export function listLines(sections: readonly Section[], screen: Screen): string {
  return sections
    .map((section) => {
      const rows = section.situations.map(
        ({ id, when, says, isLarge }) => `  ${id.padEnd(5)}${when} → ${says}${isLarge ? ' (large)' : ''}\n`,
      );
      return sectionLine(section, screen) + rows.join('');
    })
    .join('');
}

function block(name: string, text: string): string {
  const shown = text.split('\n').slice(0, 24);
  return shown
    .map(
      (line, at) =>
        `${' '.repeat(HEAD + 2)}${(at === 0 ? name : '').padEnd(10)}${line.length > 600 ? `${line.slice(0, 600)}…` : line}`,
    )
    .join('\n');
}

/** `21 + 48 ms`: waited at the start, and at the end. */
function timesInWords({ startMs, endMs }: Pick<Outcome, 'startMs' | 'endMs'>): string {
  if (startMs === null || endMs === null) return '';
  return `${Math.round(startMs)} + ${Math.round(endMs)} ms`;
}

function fitted(text: string, width: number): string {
  const characters = [...text];
  return characters.length > width
    ? `${characters.slice(0, width - 1).join('')}…`
    : text + ' '.repeat(width - characters.length);
}

/** The whole of `docs/conformance.md`. */
export function markdownReport(
  sections: readonly Section[],
  outcomes: readonly Outcome[],
  about: Circumstances,
): string {
  const parts = [
    '# Conformance',
    '',
    `**${totalsInWords(totalsOf(outcomes))}.** Tidemark ${about.version}, ${about.day}, ${about.system}, ${about.cores} cores, Node ${about.node}, ${about.git}.`,
    '',
    '`npm run conformance` writes this page. It starts a server, builds each situation as real folders changed by real commands,',
    'drives it over HTTP alone, and compares what the record says with what it must say. In every row it also checks:',
    '',
    '- Capture leaves the folder as it is: bytes and times of `.git/index`, refs, reflog, stash, every file under `.git` and in',
    '  the work tree, and `git status`, compared around the start of the run, around each announced call and around its end;',
    '  `git fsck` when the row is done.',
    '- The sum over all rows (those that came with git apart) is the header, in the answer, the list, the event and all pages.',
    '- Each row opened gives hunks whose added and removed lines are its counts; sizes, modes, kinds and bytes of both sides are',
    '  those on disk.',
    '- The whole patch applies with `git apply` to a copy of the start state and gives the end state; `git apply -R` takes it back.',
    '- `workspace.diff.completed` comes before the terminal event, once, with the summary and without a patch.',
    '',
    'Times are what whoever runs the agent waited for Tidemark, at the start of a run and at its end, the longest in the row; they',
    'decide nothing. `--quick` leaves out the rows marked *large*.',
  ];
  const byId = new Map(outcomes.map((outcome) => [outcome.id, outcome]));
  for (const section of sections) {
    parts.push('', `## ${section.id} ${section.title}`, '');
    parts.push('| | id | situation | must say | start | end |', '| --- | --- | --- | --- | ---: | ---: |');
    for (const { id, when, says, isLarge } of section.situations) {
      const outcome = byId.get(id);
      const mark = outcome ? MARK[outcome.verdict] : MARK.skipped;
      const notes = (outcome?.notes ?? []).map((note) => ` *${note}*`).join('');
      const cells = [
        mark,
        id,
        `${when}${isLarge ? ' (*large*)' : ''}`,
        says + notes,
        ms(outcome?.startMs),
        ms(outcome?.endMs),
      ];
      parts.push(`| ${cells.map(cell).join(' | ')} |`);
    }
  }
  const wrong = outcomes.filter(({ verdict }) => verdict === 'wrong');
  if (wrong.length > 0) {
    parts.push('', '## What is wrong', '');
    for (const { id, complaints } of wrong) {
      for (const { what, expected, came } of complaints) {
        parts.push(`- **${id}** ${cell(what)}: expected \`${code(expected)}\`, came \`${code(came)}\``);
      }
    }
  }
  return `${parts.join('\n')}\n`;
}

function ms(value: number | null | undefined): string {
  return value === null || value === undefined ? '' : `${Math.round(value)} ms`;
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('<', '&lt;').replaceAll('\n', ' ');
}

function code(text: string | undefined): string {
  return (text ?? '').replaceAll('`', "'").replaceAll('\n', '; ').slice(0, 300);
}
