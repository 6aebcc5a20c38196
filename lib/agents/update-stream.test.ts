import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ToolCallId } from '@/lib/domain/ids';
import type { AgentUpdate, ToolCallUpdate } from './agent';
import { createUpdateStream } from './update-stream';

let told: AgentUpdate[];
let stream: ReturnType<typeof createUpdateStream>;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  told = [];
  stream = createUpdateStream((update) => told.push(update));
});
afterEach(() => {
  vi.useRealTimers();
});

const text = (
  piece: string,
  role: 'assistant' | 'thought' = 'assistant',
  messageKey: string | null = null,
): AgentUpdate => ({
  type: 'text',
  role,
  messageKey,
  text: piece,
});
const tool = (id: string, call: Omit<ToolCallUpdate, 'id'>): AgentUpdate => ({
  type: 'tool',
  call: { id: id as ToolCallId, ...call },
});

test('the first piece goes out at once, the rest together', () => {
  stream.push(text('a'));
  expect(told).toEqual([text('a')]);
  for (const piece of 'bcdef') stream.push(text(piece));
  expect(told).toHaveLength(1);
  vi.advanceTimersByTime(25);
  expect(told).toEqual([text('a'), text('bcdef')]);
  vi.advanceTimersByTime(25);
  stream.push(text('g'));
  expect(told.at(-1)).toEqual(text('g'));
});

test('what is of another kind, role or message does not overtake and is not mixed', () => {
  stream.push(text('a'));
  stream.push(text('b'));
  stream.push(text('think', 'thought'));
  stream.push(text('c', 'assistant', 'm2'));
  stream.push(tool('t', { title: 'x', status: 'pending' }));
  stream.push(tool('t', { status: 'completed' }));
  expect(told).toEqual([
    text('a'),
    text('b'),
    text('think', 'thought'),
    text('c', 'assistant', 'm2'),
    tool('t', { title: 'x', status: 'pending' }),
    tool('t', { status: 'completed' }),
  ]);
});

test('output of one call is brought together, added or replaced', () => {
  stream.push(tool('t', { outputAppend: '1' }));
  stream.push(tool('t', { outputAppend: '2' }));
  stream.push(tool('t', { outputAppend: '3' }));
  stream.push(tool('u', { outputAppend: 'x' }));
  stream.push(tool('u', { output: 'y' }));
  stream.push(tool('u', { outputAppend: 'z' }));
  stream.flush();
  expect(told).toEqual([
    tool('t', { outputAppend: '1' }),
    tool('t', { outputAppend: '23' }),
    tool('u', { output: 'yz' }),
  ]);
});

test('output that comes with a status is told with it, at once', () => {
  stream.push(tool('t', { outputAppend: '1' }));
  stream.push(tool('t', { outputAppend: '2' }));
  stream.push(tool('t', { output: 'all', status: 'completed' }));
  expect(told.slice(1)).toEqual([tool('t', { outputAppend: '2' }), tool('t', { output: 'all', status: 'completed' })]);
});

test('50,000 pieces become few updates and lose nothing', () => {
  for (let at = 0; at < 50_000; at += 1) {
    stream.push(text(`${at},`));
    if (at % 500 === 0) vi.advanceTimersByTime(1);
  }
  stream.flush();
  expect(told.length).toBeLessThan(20);
  const whole = told.map((update) => (update.type === 'text' ? update.text : '')).join('');
  expect(whole).toBe(Array.from({ length: 50_000 }, (_, at) => `${at},`).join(''));
});

test('a huge text is told in pieces that never split a character', () => {
  const whole = `${'x'.repeat(128 * 1024 - 1)}${'😀'.repeat(100_000)}`;
  stream.push(text(whole));
  stream.flush();
  const pieces = told.map((update) => (update.type === 'text' ? update.text : ''));
  expect(pieces.length).toBeGreaterThan(1);
  expect(pieces.join('')).toBe(whole);
  for (const piece of pieces) expect(Buffer.from(piece).toString()).toBe(piece);
});

test('nothing is told twice by a late timer', () => {
  stream.push(text('a'));
  stream.push(text('b'));
  stream.flush();
  vi.advanceTimersByTime(100);
  expect(told).toEqual([text('a'), text('b')]);
});
