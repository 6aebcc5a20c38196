/** Serves the bodies of a shared run, with its secrets masked: patches, comparisons, pictures, the whole patch. */
import 'server-only';
import { isUtf8 } from 'node:buffer';
import type { ChangedFileBody, ChangeSummary } from '@/lib/domain/change';
import { AppError } from '@/lib/domain/errors';
import { type FileMasking, MASK, maskHunks, maskPatch } from '@/lib/domain/masking';
import type { Comparison } from '@/lib/domain/patch';
import type { MaskedSecret } from '@/lib/domain/share';
import { findFile, type StoredFile, storedPatches } from '@/lib/store/change-store';
import { requireBodies } from './lookups';
import { house } from './runtime';
import { scanForSecrets } from './secret-scanner';
import { hidesEveryValue, knownSecrets, maskedMessages, type SharedRun, sharedRow } from './shared-run';

/** How a file is masked; null where the owner chose to show it as it is. */
async function maskingOf(shared: SharedRun, row: StoredFile): Promise<FileMasking | null> {
  if (shared.sharing.revealPaths.includes(row.path)) return null;
  return { everyValue: hidesEveryValue(row), known: await knownSecrets(shared) };
}

function requireChange({ change }: SharedRun): ChangeSummary {
  if (!change) throw new AppError('not_found', 'There is nothing here.');
  return change;
}

/** One row with its patch, masked. */
export async function sharedFile(shared: SharedRun, row: StoredFile): Promise<ChangedFileBody> {
  const found = findFile(house().store, requireChange(shared).changeId, row.id);
  if (!found) throw new AppError('not_found', 'There is nothing here.');
  const { patch, patchBytes, expired } = found.body;
  const masking = await maskingOf(shared, row);
  const text = patch === null || masking === null ? patch : (await maskPatch(patch, scanForSecrets, masking)).value;
  return { ...sharedRow(row), patch: text, patchBytes, expired };
}

/** One file compared in full, masked. */
export async function sharedComparison(
  shared: SharedRun,
  row: StoredFile,
  options: { context: number | 'all'; ignoreWhitespace: boolean; signal: AbortSignal },
): Promise<Comparison> {
  const kept = requireBodies(requireChange(shared).changeId);
  const comparison = await house().capture.readComparison(kept, row, options);
  const masking = await maskingOf(shared, row);
  if (masking === null || comparison.kind !== 'text') return comparison;
  return { ...comparison, hunks: (await maskHunks(comparison.hunks, scanForSecrets, masking)).value };
}

/** First bytes of pictures that a browser shows; what is none of them is not served to others. */
const PICTURES: readonly [type: string, test: (bytes: Uint8Array) => boolean][] = [
  ['image/png', (bytes) => starts(bytes, [0x89, 0x50, 0x4e, 0x47])],
  ['image/jpeg', (bytes) => starts(bytes, [0xff, 0xd8, 0xff])],
  ['image/gif', (bytes) => starts(bytes, [0x47, 0x49, 0x46, 0x38])],
  [
    'image/webp',
    (bytes) => starts(bytes, [0x52, 0x49, 0x46, 0x46]) && starts(bytes.subarray(8), [0x57, 0x45, 0x42, 0x50]),
  ],
  ['image/bmp', (bytes) => starts(bytes, [0x42, 0x4d])],
  ['image/x-icon', (bytes) => starts(bytes, [0, 0, 1, 0])],
  ['image/avif', (bytes) => starts(bytes.subarray(4), [0x66, 0x74, 0x79, 0x70, 0x61, 0x76, 0x69])],
];

function starts(bytes: Uint8Array, with_: readonly number[]): boolean {
  return with_.every((byte, at) => bytes[at] === byte);
}

/** The picture on one side. Other bytes are no one else's to have, since nothing can be masked in them. */
export async function sharedPicture(
  shared: SharedRun,
  row: StoredFile,
  side: 'before' | 'after',
): Promise<{ bytes: Uint8Array; type: string }> {
  const nothing = new AppError('not_found', 'There is nothing here.');
  if (!row.binary || hidesEveryValue(row)) throw nothing;
  const bytes = await house().capture.readContent(requireBodies(requireChange(shared).changeId), row, side);
  const type = PICTURES.find(([, test]) => test(bytes))?.[0];
  if (type === undefined) throw nothing;
  return { bytes, type };
}

export interface SharedPatch {
  bytes: AsyncIterable<Uint8Array>;
  applyFrom: string;
  omitted: number;
}

/**
 * The patch of everything shown but what came with git, masked file by file. Files of secrets are left out of it and
 * counted, since a patch whose every value is masked applies nowhere.
 */
export async function sharedPatch(shared: SharedRun, signal: AbortSignal): Promise<SharedPatch> {
  const { changeId } = requireChange(shared);
  const own = shared.rows.filter(({ origin }) => origin !== 'git');
  const revealed = new Set(shared.sharing.revealPaths);
  const wanted = own.filter((row) => revealed.has(row.path) || !hidesEveryValue(row));
  const hidden = own.length - wanted.length;
  const { text, applyFrom, omitted } = await house().capture.readPatch(
    requireBodies(changeId),
    { root: shared.workspace },
    wanted,
    signal,
  );
  const known = await knownSecrets(shared);
  const note =
    hidden > 0 ? `# ${hidden} ${hidden === 1 ? 'file' : 'files'} of secrets left out of what is shared\n` : '';
  return {
    bytes: maskedSections(note, text, (path) => revealed.has(path), known),
    applyFrom,
    omitted: omitted + hidden + shared.leftOut,
  };
}

const NEXT_FILE = Buffer.from('\ndiff --git ');

/** The stream cut into one piece a file, each masked and passed on. */
async function* maskedSections(
  note: string,
  stream: AsyncIterable<Uint8Array>,
  isRevealed: (path: string) => boolean,
  known: readonly string[],
): AsyncIterable<Uint8Array> {
  if (note !== '') yield Buffer.from(note);
  let rest = Buffer.alloc(0);
  for await (const chunk of stream) {
    rest = Buffer.concat([rest, chunk]);
    for (let at = rest.indexOf(NEXT_FILE); at >= 0; at = rest.indexOf(NEXT_FILE)) {
      yield await maskSection(rest.subarray(0, at + 1), isRevealed, known);
      rest = rest.subarray(at + 1);
    }
  }
  if (rest.length > 0) yield await maskSection(rest, isRevealed, known);
}

/** Text that is not UTF-8 is masked byte for byte, so that what is not secret still applies. */
async function maskSection(
  section: Buffer,
  isRevealed: (path: string) => boolean,
  known: readonly string[],
): Promise<Uint8Array> {
  const encoding = isUtf8(section) ? 'utf8' : 'latin1';
  const text = section.toString(encoding);
  const path = /^(?:\+\+\+ b|--- a)\/(.*?)\t?$/m.exec(text)?.[1];
  if ((path !== undefined && isRevealed(path)) || /^GIT binary patch$/m.test(text)) return section;
  const secrets = encoding === 'utf8' ? known : known.map((secret) => Buffer.from(secret).toString('latin1'));
  const { value } = await maskPatch(text, scanForSecrets, { everyValue: false, known: secrets });
  return Buffer.from(encoding === 'utf8' ? value : value.replaceAll(MASK, '********'), encoding);
}

/** What will be masked, by place and rule, for the owner to see before anybody else can. */
export async function maskedSecrets(shared: SharedRun): Promise<MaskedSecret[]> {
  const found: MaskedSecret[] = [];
  const { prompt, answer } = await maskedMessages(shared);
  for (const [message, masked] of [
    ['prompt', prompt],
    ['answer', answer],
  ] as const) {
    for (const [rule, count] of masked?.counts ?? []) found.push({ fileId: null, path: null, message, rule, count });
  }
  const rows = new Map(shared.rows.map((row) => [row.id as string, row]));
  for (const { id, patch } of shared.change ? storedPatches(house().store, shared.change.changeId) : []) {
    const row = rows.get(id);
    const masking = row && (await maskingOf(shared, row));
    if (!row || !masking) continue;
    const { counts } = await maskPatch(patch, scanForSecrets, masking);
    for (const [rule, count] of counts) found.push({ fileId: id, path: row.displayPath, message: null, rule, count });
  }
  return found;
}
