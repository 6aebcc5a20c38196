import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { AgentState } from '@/lib/domain/conversation';
import type { Choice } from './acp-choices';
import { StateTeller } from './state-teller';

let told: AgentState[];
let teller: StateTeller;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'] });
  told = [];
  teller = new StateTeller((state) => told.push(state));
});
afterEach(() => {
  vi.useRealTimers();
});

const mode: Choice = {
  id: 'mode',
  name: 'Mode',
  category: 'mode',
  current: 'ask',
  values: [
    { value: 'ask', name: 'Ask', description: null },
    { value: 'auto', name: 'Auto', description: null },
  ],
  request: 'session/set_mode',
};

test('it begins as an agent that is off', () => {
  expect(told).toMatchObject([{ phase: 'off', choices: [], usage: null }]);
});

test('choices and commands are told at once, and a mode the agent changed by itself', () => {
  teller.apply({ choices: [mode] });
  teller.apply({ mode: 'auto' });
  expect(told.at(-1)?.choices).toEqual([{ ...mode, current: 'auto', request: undefined }]);
  expect(told.at(-1)?.choices[0]).not.toHaveProperty('request');
  expect(teller.choices[0]?.request).toBe('session/set_mode');
});

test('a thousand counts of tokens are told a few times, the last of them in full', () => {
  for (let used = 1; used <= 1_000; used += 1) {
    teller.apply({ usage: { used } });
    vi.advanceTimersByTime(1);
  }
  teller.apply({ usage: { inputTokens: 7 } });
  teller.flush();
  expect(told.length).toBeLessThan(6);
  expect(told.at(-1)?.usage).toEqual({ used: 1_000, size: null, inputTokens: 7, outputTokens: null, cost: null });
  vi.advanceTimersByTime(1_000);
  expect(told.at(-1)?.usage?.used).toBe(1_000);
});

test('a start is told every second until it ends', () => {
  const progress = teller.progress();
  progress.now('Starting X');
  vi.advanceTimersByTime(3_000);
  progress.now('Opening X');
  progress.end();
  vi.advanceTimersByTime(10_000);
  expect(told.map(({ note }) => note)).toEqual([
    null,
    'Starting X',
    'Starting X',
    'Starting X (2 s)',
    'Starting X (3 s)',
    'Opening X (3 s)',
  ]);
});
