import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createCommandOutput, type OutputUpdate } from './command-output';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** A listener that keeps what the updates add up to. */
function listen(limitBytes: number) {
  const heard: OutputUpdate[] = [];
  let text = '';
  const output = createCommandOutput(limitBytes, (update) => {
    heard.push(update);
    text = 'replace' in update ? update.replace : text + update.append;
  });
  return {
    heard,
    write: (piece: string | Uint8Array) => output.write(typeof piece === 'string' ? Buffer.from(piece) : piece),
    finish: () => output.finish(),
    text: () => text,
    dropped: () => heard.at(-1)?.dropped,
  };
}

test('the first output is told at once, what follows in one update per interval', () => {
  const heard = listen(10_000);
  heard.write('a');
  vi.advanceTimersByTime(0);
  expect(heard.text()).toBe('a');
  for (let at = 0; at < 1_000; at += 1) heard.write('b');
  vi.advanceTimersByTime(79);
  expect(heard.heard).toHaveLength(1);
  vi.advanceTimersByTime(1);
  expect(heard.heard).toHaveLength(2);
  expect(heard.text()).toBe(`a${'b'.repeat(1_000)}`);
  heard.finish();
  expect(heard.heard).toHaveLength(2);
});

test('a progress line is rewritten in place', () => {
  const heard = listen(1_000_000);
  heard.write('building\n10%');
  vi.advanceTimersByTime(0);
  heard.write('\r55%');
  vi.advanceTimersByTime(100);
  expect(heard.text()).toBe('building\n55%');
  heard.write('\r100%\ndone\n');
  heard.finish();
  expect(heard.text()).toBe('building\n100%\ndone\n');
});

test('a progress line after much output is rewritten once a second, and right at the end', () => {
  const heard = listen(10_000_000);
  heard.write('x'.repeat(99).concat('\n').repeat(1_000));
  vi.advanceTimersByTime(0);
  heard.write('10%');
  vi.advanceTimersByTime(100);
  const before = heard.heard.length;
  for (let percent = 11; percent < 91; percent += 1) {
    heard.write(`\r${percent}%`);
    vi.advanceTimersByTime(100);
  }
  expect(heard.heard.length - before).toBeLessThan(12);
  heard.write('\r100%\nend\n');
  heard.finish();
  expect(heard.text().slice(-10)).toBe('\n100%\nend\n'.slice(-10));
});

test('characters that are cut between two pieces are whole, bytes that are no UTF-8 are marked', () => {
  const heard = listen(1_000);
  const euro = Buffer.from('€');
  heard.write(euro.subarray(0, 1));
  heard.write(euro.subarray(1));
  heard.write(new Uint8Array([0xff, 0x41]));
  heard.finish();
  expect(heard.text()).toBe('€\ufffdA');
});

test('output just under the limit is kept whole although its end was held back', () => {
  const limit = 400_000;
  const heard = listen(limit);
  const line = `${'y'.repeat(99)}\n`;
  for (let at = 0; at < 3_000; at += 1) heard.write(line);
  heard.write('unfinished');
  heard.finish();
  expect(heard.text()).toBe(`${line.repeat(3_000)}unfinished`);
  expect(heard.dropped()).toBe(0);
});

test.each([
  ['lines', (at: number) => Buffer.from(`line ${at} ${'z'.repeat(at % 90)}\n`)],
  ['one endless line', () => Buffer.from('e'.repeat(100))],
  ['bytes that are no text', (at: number) => Buffer.alloc(100, 0x80 + (at % 0x40))],
])('past the limit beginning and end stay, with a note of what is missing: %s', (_, pieceAt) => {
  const limit = 300_000;
  const heard = listen(limit);
  let written = 0;
  for (let at = 0; at < 50_000; at += 1) {
    const piece = pieceAt(at);
    written += piece.length;
    heard.write(piece);
    if (at % 100 === 0) vi.advanceTimersByTime(10);
  }
  heard.finish();
  expect(Buffer.byteLength(heard.text())).toBeLessThanOrEqual(limit);
  expect(heard.text()).toMatch(/… [\d.]+ MiB of output left out here …/);
  expect(heard.dropped()).toBeGreaterThan(written - limit * 1.1);
  expect(heard.dropped()).toBeLessThan(written);
});

test('the end that is kept begins with a whole line', () => {
  const heard = listen(100_000);
  for (let at = 0; at < 100_000; at += 1) heard.write(`line ${at}\n`);
  heard.finish();
  const [beginning, end] = heard.text().split(/\n\n….*…\n\n/);
  expect(beginning?.startsWith('line 0\nline 1\n')).toBe(true);
  expect(end).toMatch(/^line \d+\n/);
  expect(end?.endsWith('line 99998\nline 99999\n')).toBe(true);
});
