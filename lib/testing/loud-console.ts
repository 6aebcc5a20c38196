/** Makes an unexpected `console.error` fail the test that caused it, so that no failure is only a line in a log. */
import { afterEach, beforeEach, expect, vi } from 'vitest';

beforeEach(() => {
  vi.spyOn(console, 'error');
});

afterEach(() => {
  const calls = vi.mocked(console.error).mock.calls;
  vi.restoreAllMocks();
  expect(calls, 'unexpected console.error').toEqual([]);
});
