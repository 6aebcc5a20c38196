/** Links to lines survive the way through an address. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fileAnchor, formatAnchor, parseAnchor } from './line-anchor';

describe('A link to lines', () => {
  it('is read as it was written', () => {
    fc.assert(
      fc.property(
        fc.string(),
        fc.option(fc.tuple(fc.constantFrom('L', 'R'), fc.integer({ min: 1, max: 999_999 }), fc.nat({ max: 99 }))),
        (path, lines) => {
          const named = lines && { side: lines[0] as 'L' | 'R', from: lines[1], to: lines[1] + lines[2] };
          expect(parseAnchor(formatAnchor(path, named))).toEqual({ file: fileAnchor(path), lines: named });
        },
      ),
    );
  });

  it('takes its ends in any order', () => {
    expect(parseAnchor('#f-0123abcd-R9-R3')?.lines).toEqual({ side: 'R', from: 3, to: 9 });
  });

  it.each([
    '',
    '#',
    '#f-',
    '#f-0123',
    '#f-0123abcg',
    '#f-0123abcd-X1',
    '#f-0123abcd-R0',
    '#f-0123abcd-R1-L2',
    '#f-0123abcd-R1x',
  ])('is not %j', (hash) => {
    expect(parseAnchor(hash)).toBeNull();
  });

  it('tells paths apart', () => {
    expect(fileAnchor('src/a.ts')).not.toBe(fileAnchor('src/b.ts'));
    expect(fileAnchor('')).toBe('811c9dc5');
  });
});
