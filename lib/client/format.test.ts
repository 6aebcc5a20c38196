import { describe, expect, it } from 'vitest';
import { folderName, formatCompact, formatDuration, formatInstant } from './format';

describe('format', () => {
  it.each([
    [-5, '0.0 s'],
    [94, '0.1 s'],
    [9949, '9.9 s'],
    [9951, '10 s'],
    [59_499, '59 s'],
    [59_600, '1 min'],
    [185_000, '3 min 5 s'],
    [3_600_000, '1 h'],
    [7_440_000, '2 h 4 min'],
  ])('writes %i ms as %s', (ms, text) => expect(formatDuration(ms)).toBe(text));

  it.each([
    [940, '940'],
    [12_400, '12.4k'],
    [120_400, '120k'],
    [999_960, '1.0M'],
  ])('writes %i tokens as %s', (count, text) => expect(formatCompact(count)).toBe(text));

  it('writes an instant as short as it can be said', () => {
    const at = new Date(2026, 2, 3, 4, 5).getTime();
    expect(formatInstant(at, new Date(2026, 2, 3, 23, 0).getTime())).toBe('04:05');
    expect(formatInstant(at, new Date(2026, 2, 4, 0, 1).getTime())).toBe('3 Mar 04:05');
    expect(formatInstant(at, new Date(2027, 2, 3).getTime())).toBe('3 Mar 2026 04:05');
  });

  it('names folders', () => {
    expect(folderName('/home/me/code/web')).toBe('web');
    expect(folderName('/home/me/')).toBe('me');
    expect(folderName('/')).toBe('/');
  });
});
