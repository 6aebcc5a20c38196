/** `tidemark changes`, `patch` and `share`: what a run changed, told in the terminal or passed on. */
import { realpathSync } from 'node:fs';
import type { ChangeSummary } from '@/lib/domain/change';
import { fromWire, type Wire } from '@/lib/domain/events';
import type { Run } from '@/lib/domain/run';
import { changeLines } from '../change-list';
import type { Call, Command } from '../command';
import { CommandFailure, EXIT } from '../exit-codes';
import { paintPatch } from '../patch-paint';
import { harmless, oneLine } from '../screen';
import type { Door } from '../server-door';

/** Milliseconds for a comparison that is still being made. */
const CHANGE_MS = 120_000;

type WireRun = Wire<Run>;
type WireChange = Wire<ChangeSummary>;

const RUN_WORDS = 'RUN is the id of a run, as its link ends in, or `last` for the last run in this folder.';

/** The id that a word names: itself, or the last run in this folder. */
async function runIdOf(door: Door, word: string): Promise<string> {
  if (word !== 'last') return word.replace(/^.*\/runs\//, '');
  const workspace = realpathSync('.');
  const { runs } = await door.json<{ runs: WireRun[] }>(
    'GET',
    `/api/runs?limit=1&workspace=${encodeURIComponent(workspace)}`,
  );
  const run = runs[0];
  if (run) return run.id;
  throw new CommandFailure(
    EXIT.notFound,
    `No run is recorded in ${harmless(workspace)}.`,
    'Record one with `tidemark run -- COMMAND`, or install hooks with `tidemark hooks install`.',
  );
}

async function readRun(call: Call, door: Door): Promise<{ run: WireRun; change: WireChange | null }> {
  const id = await runIdOf(door, call.words[0] ?? 'last');
  return door.json('GET', `/api/runs/${encodeURIComponent(id)}`, undefined, { timeoutMs: CHANGE_MS });
}

export const changes: Command = {
  name: 'changes',
  summary: 'list the files that a run changed',
  usage: '[RUN]',
  about: `${RUN_WORDS} Without RUN it is the last one.`,
  options: {},
  examples: [
    ['tidemark changes', 'the last run in this folder'],
    ['tidemark changes run_8f1c2d', 'one run'],
    ['tidemark changes --json | jq -r .change.files[].path', 'its paths, for a program'],
  ],
  words: { least: 0, most: 1 },
  firstWords: ['last'],
  async run(call) {
    const door = call.door();
    const { run, change } = await readRun(call, door);
    const link = `${door.url}/runs/${encodeURIComponent(run.id)}`;
    const { screen } = call;
    if (call.json) {
      screen.out(JSON.stringify({ run, change, link }));
      return EXIT.done;
    }
    const paint = screen.paintOut;
    if (run.prompt !== '') screen.out(paint('dim', oneLine(run.prompt)));
    if (run.status !== 'completed') screen.out(`${run.status}${run.error === null ? '' : `: ${oneLine(run.error)}`}`);
    const lines = change
      ? changeLines(fromWire<ChangeSummary>(change), paint)
      : [
          run.status === 'interrupted'
            ? 'Changes not recorded'
            : run.status === 'running'
              ? 'The run goes on'
              : 'No files changed',
        ];
    for (const line of lines) screen.out(line);
    screen.out(paint('dim', link));
    return EXIT.done;
  },
};

export const patch: Command = {
  name: 'patch',
  summary: 'print the patch of a run',
  usage: 'RUN',
  about: [
    RUN_WORDS,
    'It is what `git apply` takes at the root of the repository; what cannot be in it is named in # lines before it.',
  ].join('\n'),
  options: {
    all: { type: 'boolean', short: 'a', summary: 'with the files that came with git, by a checkout or a pull' },
  },
  examples: [
    ['tidemark patch last', 'read it, in colour'],
    ['tidemark patch last | git apply -R', 'take the changes of the last run back'],
    ['tidemark patch run_8f1c2d > run.patch', 'keep it'],
  ],
  words: { least: 1, most: 1 },
  firstWords: ['last'],
  async run(call) {
    const door = call.door();
    const { run, change } = await readRun(call, door);
    if (!change) {
      if (call.json) call.screen.out(JSON.stringify({ run_id: run.id, patch: '', apply_from: '.', omitted: 0 }));
      else call.screen.note(run.status === 'running' ? 'The run goes on; there is no patch yet.' : 'No files changed.');
      return EXIT.done;
    }
    const path = `/api/sessions/${encodeURIComponent(change.session_id)}/workspace-run-changes/${encodeURIComponent(change.change_id)}/patch`;
    const { headers, chunks } = await door.bytes(`${path}${call.flag('all') ? '?origin=all' : ''}`);
    const applyFrom = String(headers['x-tidemark-apply-from'] ?? '.');
    const omitted = Number(headers['x-tidemark-omitted'] ?? 0);
    if (call.json) {
      const pieces: Uint8Array[] = [];
      for await (const chunk of chunks) pieces.push(chunk);
      const text = Buffer.concat(pieces).toString('utf8');
      call.screen.out(JSON.stringify({ run_id: run.id, patch: text, apply_from: applyFrom, omitted }));
      return EXIT.done;
    }
    if (call.screen.outIsTerminal) {
      for await (const line of linesOf(chunks)) call.screen.out(paintPatch(line, call.screen.paintOut));
    } else {
      await pipeOut(chunks);
    }
    return EXIT.done;
  },
};

async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncIterable<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of chunks) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  rest += decoder.decode();
  if (rest !== '') yield rest;
}

/** Bytes as they are, at the pace of the reader; a reader that left ends it. */
async function pipeOut(chunks: AsyncIterable<Uint8Array>): Promise<void> {
  let gone = false;
  process.stdout.on('error', () => {
    gone = true;
  });
  for await (const chunk of chunks) {
    if (gone) return;
    await new Promise<void>((resolve) => process.stdout.write(chunk, () => resolve()));
  }
}

interface ShareAnswer {
  share: { id: string; url: string; expires_at: number | null };
  masked: { file_id: string; count: number; rule: string }[];
}

export const share: Command = {
  name: 'share',
  summary: 'make a link that shows a run to somebody else',
  usage: 'RUN',
  about: `${RUN_WORDS}\nThe page shows prompt, answer, files and patches, and nothing else of this computer. Secrets are masked.`,
  options: {
    days: { type: 'string', short: 'd', value: 'N', summary: 'the link ends after N days' },
    'no-prompt': { type: 'boolean', summary: 'leave the prompt out' },
    'no-answer': { type: 'boolean', summary: 'leave the answer out' },
  },
  examples: [
    ['tidemark share last', 'print the link'],
    ['tidemark share last --days 7 --no-prompt', 'for a week, without the prompt'],
  ],
  words: { least: 1, most: 1 },
  firstWords: ['last'],
  async run(call) {
    const days = call.text('days');
    if (days !== null && !/^[1-9]\d{0,3}$/.test(days)) {
      throw new CommandFailure(EXIT.usage, '--days takes a whole number of days.');
    }
    const door = call.door();
    const id = await runIdOf(door, call.words[0] ?? 'last');
    const answer = await door.json<ShareAnswer>(
      'POST',
      `/api/runs/${encodeURIComponent(id)}/shares`,
      {
        ...(days !== null && { expires_in_days: Number(days) }),
        include_prompt: !call.flag('no-prompt'),
        include_answer: !call.flag('no-answer'),
      },
      { timeoutMs: CHANGE_MS },
    );
    if (call.json) {
      call.screen.out(JSON.stringify(answer));
      return EXIT.done;
    }
    call.screen.out(answer.share.url);
    const places = answer.masked.reduce((sum, { count }) => sum + count, 0);
    if (places > 0) {
      call.screen.note(
        `${places === 1 ? '1 place looks' : `${places} places look`} like a secret and is masked on the page.`,
      );
    }
    return EXIT.done;
  },
};
