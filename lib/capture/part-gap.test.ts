/** Gaps of two ends become one sentence each. */
import { expect, test } from 'vitest';
import { gatherGaps, mergeGaps, type PartGap, wordGaps } from './part-gap';
import { NO_PATH, type RawPath } from './raw-path';

const unread = (...names: string[]): PartGap => ({ reason: 'file_unreadable', paths: names as RawPath[] });
const gather = (...gaps: PartGap[]) => gatherGaps(gaps.map((gap) => ({ prefix: NO_PATH, gap })));
const words = (before: PartGap[], after: PartGap[]) =>
  wordGaps(mergeGaps(gather(...before), gather(...after)), (path) => path);

test('a file that could not be read at both ends counts once', () => {
  expect(words([unread('a')], [unread('a')])).toEqual([{ reason: 'file_unreadable', path: 'a', count: 1 }]);
  expect(words([unread('a')], [unread('b', 'a')])).toEqual([{ reason: 'file_unreadable', detail: 'a, b', count: 2 }]);
});

test('what is only counted is the larger of both ends, and beyond the names that are kept, too', () => {
  const skipped = (count: number): PartGap => ({ reason: 'skipped_by_default', count });
  expect(words([skipped(2)], [skipped(3)])).toEqual([{ reason: 'skipped_by_default', count: 3 }]);
  const many = Array.from({ length: 1_500 }, (_, at) => `f${at}`);
  const [gap] = words([unread(...many)], [unread(...many)]);
  expect(gap).toEqual({ reason: 'file_unreadable', detail: 'f0, f1, f2, f3, f4, …', count: 1_500 });
});

test('parts add up, and reasons in other words stay apart', () => {
  const gaps = gatherGaps([
    { prefix: NO_PATH, gap: unread('a') },
    { prefix: 'in/' as RawPath, gap: unread('a') },
    { prefix: NO_PATH, gap: { reason: 'git_refused', detail: 'locked' } },
    { prefix: NO_PATH, gap: { reason: 'git_refused', detail: 'damaged' } },
  ]);
  expect(wordGaps(gaps, (path) => path)).toEqual([
    { reason: 'file_unreadable', detail: 'a, in/a', count: 2 },
    { reason: 'git_refused', detail: 'locked' },
    { reason: 'git_refused', detail: 'damaged' },
  ]);
});
