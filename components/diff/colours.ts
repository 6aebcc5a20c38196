/** Asks the one worker of the page for colours, remembers its answers, and does without where it fails or is slow. */
import type { ColourAnswer, ColourRequest } from './colour-lines';
import type { Piece } from './drawn-lines';
import type { Group, Grouping } from './patch-groups';
import type { PatchLines } from './patch-lines';
import { startColourWorker } from './start-colour-worker';

/** Characters of a group past which it stays plain. */
const GROUP_CHARACTERS = 60_000;
/** Milliseconds after which a group stays plain and the worker is started anew: it may be caught in one pattern. */
const ANSWER_MS = 5_000;
/** Failures in a row after which no group is coloured any more. */
const FAILURES = 3;
/** Groups whose colours are remembered. */
const REMEMBERED = 400;

export type GroupColours = (Piece[] | null)[];

interface Waiting {
  settle: (lines: GroupColours | null) => void;
  timer: ReturnType<typeof setTimeout>;
}

let worker: Worker | null = null;
let failures = 0;
let lastId = 0;
const waiting = new Map<number, Waiting>();
const remembered = new Map<string, GroupColours>();
/** What is being asked for; who asks again waits for the same answer. */
const coming = new Map<string, Promise<GroupColours | null>>();

/** Colours that were already made for `key`. */
export function rememberedColours(key: string): GroupColours | null {
  const lines = remembered.get(key) ?? null;
  if (lines !== null) {
    remembered.delete(key);
    remembered.set(key, lines);
  }
  return lines;
}

/**
 * Colours and word marks of a group, in drawing order; null where it stays plain. `key` names patch, view and group.
 * Never fails.
 */
export function groupColours(
  key: string,
  lines: PatchLines,
  grouping: Grouping,
  group: Group,
  language: string | null,
): Promise<GroupColours | null> {
  const known = rememberedColours(key);
  if (known !== null) return Promise.resolve(known);
  if (failures >= FAILURES || typeof Worker === 'undefined') return Promise.resolve(null);
  let answer = coming.get(key);
  if (answer === undefined) {
    answer = askFor(key, requestOf(lines, grouping, group, language)).finally(() => coming.delete(key));
    coming.set(key, answer);
  }
  return answer;
}

async function askFor(key: string, { request, places }: ReturnType<typeof requestOf>): Promise<GroupColours | null> {
  if (request === null) return null;
  const answer = await ask(request);
  if (answer === null) return null;
  const coloured: GroupColours = [];
  for (const [index, place] of places.entries()) coloured[place] = answer[index] ?? null;
  remembered.set(key, coloured);
  if (remembered.size > REMEMBERED) remembered.delete(remembered.keys().next().value as string);
  return coloured;
}

/** The pieces of each line of a code listing; null where it stays plain. Never fails. */
export async function listingColours(text: string, language: string): Promise<GroupColours | null> {
  if (failures >= FAILURES || typeof Worker === 'undefined' || text.length > GROUP_CHARACTERS) return null;
  const key = `listing ${language} ${text}`;
  const known = rememberedColours(key);
  if (known !== null) return known;
  const texts = text.split('\n');
  const answer = await ask({ language, hunks: [{ texts, types: new Uint8Array(texts.length) }] });
  if (answer !== null) remembered.set(key, answer);
  return answer;
}

/** The group's lines in the order of the patch, and where each of them is drawn. */
function requestOf(
  { texts, types }: PatchLines,
  { order }: Grouping,
  group: Group,
  language: string | null,
): { request: Omit<ColourRequest, 'id'> | null; places: number[] } {
  const hunks: ColourRequest['hunks'] = [];
  const places: number[] = [];
  let characters = 0;
  let anyPair = false;
  for (const { from, to } of group.segments) {
    const at = Array.from({ length: to - from }, (_, index) => from + index).sort((a, b) => order[a]! - order[b]!);
    const kinds = Uint8Array.from(at, (place) => types[order[place]!]!);
    anyPair ||= kinds.includes(1) && kinds.includes(2);
    const own = at.map((place) => texts[order[place]!]!);
    for (const text of own) characters += Math.min(text.length, 2000);
    hunks.push({ texts: own, types: kinds });
    for (const place of at) places.push(place - group.first);
  }
  const worth = characters <= GROUP_CHARACTERS && (language !== null || anyPair);
  return { request: worth ? { language, hunks } : null, places };
}

/** Starts the worker before the first patch is there: loading its grammars takes longer than most requests. */
export function warmColours(): void {
  if (failures < FAILURES && typeof Worker !== 'undefined') worker ??= start();
}

function ask(request: Omit<ColourRequest, 'id'>): Promise<GroupColours | null> {
  return new Promise((resolve) => {
    const id = ++lastId;
    worker ??= start();
    if (worker === null) {
      resolve(null);
      return;
    }
    const timer = setTimeout(() => giveUp(), ANSWER_MS);
    waiting.set(id, { settle: resolve, timer });
    worker.postMessage({ id, ...request } satisfies ColourRequest);
  });
}

function start(): Worker | null {
  try {
    const started = startColourWorker();
    started.addEventListener('message', ({ data }: MessageEvent<ColourAnswer>) => {
      const asked = waiting.get(data.id);
      if (!asked) return;
      failures = 0;
      waiting.delete(data.id);
      clearTimeout(asked.timer);
      asked.settle(data.lines);
    });
    started.addEventListener('error', (event) => {
      event.preventDefault();
      giveUp();
    });
    started.addEventListener('messageerror', () => giveUp());
    return started;
  } catch {
    failures = FAILURES;
    return null;
  }
}

/** Everything that waits stays plain; the next group gets a fresh worker. */
function giveUp(): void {
  failures += 1;
  worker?.terminate();
  worker = null;
  for (const { settle, timer } of waiting.values()) {
    clearTimeout(timer);
    settle(null);
  }
  waiting.clear();
}
