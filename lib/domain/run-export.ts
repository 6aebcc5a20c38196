/** One run as it is handed to others: its words, its rows, its patches, with secrets already masked. */
import type { ChangedFile, ChangedFileBody, ChangeSummary } from './change';
import {
  changeTitle,
  counted,
  countsInSigns,
  hasCounts,
  KIND_LETTER,
  moveCommand,
  moveInWords,
  rowLine,
  rowNotes,
} from './change-words';
import { gapInWords } from './gap-words';
import type { RunStatus } from './run';

export interface RunExport {
  /** Of Tidemark, and of this form. */
  version: string;
  exportedAt: number;
  run: {
    status: RunStatus;
    startedAt: number;
    finishedAt: number | null;
    agent: string | null;
    /** Name of the workspace's folder. */
    workspace: string;
    prompt: string | null;
    answer: string | null;
  };
  change: ChangeSummary | null;
  files: ChangedFileBody[];
  /** Files that the owner left out. */
  leftOut: number;
}

/** Characters of a pull request's description that hosts take; past it patches are left out and counted. */
const MARKDOWN_CHARACTERS = 60_000;

/** The run as Markdown for a pull request: a table of files, and each patch folded under it. */
export function exportMarkdown({ run, change, files, leftOut }: RunExport): string {
  const parts: string[] = [];
  if (run.prompt) parts.push(quoted(run.prompt));
  if (run.answer) parts.push(run.answer.trim());
  const title = change ? changeTitle(change) : 'No files changed';
  parts.push(`### ${title}${change && change.changedCount > 0 ? ` ${countsInSigns(change)}` : ''}`);
  const own = files.filter(({ origin }) => origin !== 'git');
  if (own.length > 0) parts.push(table(own));
  if (change?.git) {
    for (const move of change.git.moves) parts.push(`${code(moveCommand(move))} ${escaped(moveInWords(move))}`);
    if (change.git.movedCount > 0) parts.push(`${counted(change.git.movedCount, 'file')} came with git.`);
  }
  if (change && change.gaps.length > 0) parts.push(`Not covered: ${escaped(change.gaps.map(gapInWords).join('; '))}.`);
  if (leftOut > 0) parts.push(`${counted(leftOut, 'file')} left out.`);
  let length = parts.join('\n\n').length;
  let without = 0;
  for (const file of own) {
    const part = file.patch === null ? null : foldedPatch(file, file.patch);
    if (part === null) continue;
    if (length + part.length > MARKDOWN_CHARACTERS) {
      without += 1;
      continue;
    }
    length += part.length + 2;
    parts.push(part);
  }
  if (without > 0) parts.push(`The patches of ${counted(without, 'more file')} are too long to stand here.`);
  return `${parts.join('\n\n')}\n`;
}

function quoted(text: string): string {
  return text
    .trim()
    .split('\n')
    .map((line) => `> ${line}`.trimEnd())
    .join('\n');
}

/** Text that Markdown and HTML leave as it is. */
function escaped(text: string): string {
  return text.replace(/[\\`*_{}[\]()#+!|<>&~-]/g, (mark) =>
    /[<>&]/.test(mark) ? `&#${mark.charCodeAt(0)};` : `\\${mark}`,
  );
}

/** A path or command as code, whatever backticks it holds; `|` would end a table's cell. */
function code(text: string): string {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  const space = text.startsWith('`') || text.endsWith('`') ? ' ' : '';
  return `${fence}${space}${text.replaceAll('|', '\\|')}${space}${fence}`;
}

function table(files: readonly ChangedFile[]): string {
  const rows = files.map((file) => {
    const path =
      file.changeType === 'renamed' ? `${code(file.oldPath)} → ${code(file.displayPath)}` : code(file.displayPath);
    const notes = rowNotes(file).map(({ shown }) => shown);
    const counts = hasCounts(file) ? [`+${file.additions}`, `−${file.deletions}`] : ['', ''];
    return `| ${KIND_LETTER[file.changeType]} | ${[path, ...notes.map(escaped)].join(' · ')} | ${counts.join(' | ')} |`;
  });
  return ['| | File | + | − |', '|---|---|---:|---:|', ...rows].join('\n');
}

function foldedPatch(file: ChangedFile, patch: string): string {
  const longest = Math.max(2, ...[...patch.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  const summary = rowLine(file).replace(/[&<>]/g, (mark) => `&#${mark.charCodeAt(0)};`);
  return `<details><summary>${summary}</summary>\n\n${fence}diff\n${patch.replace(/\n$/, '')}\n${fence}\n\n</details>`;
}
