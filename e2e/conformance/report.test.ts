import { describe, expect, test } from 'vitest';
import { headLines, markdownReport, outcomeLines, type Screen, totalLine, totalsInWords, totalsOf } from './report';
import type { Outcome, Section } from './situation';

const screen: Screen = { columns: 100, colour: false };
const outcome = (change: Partial<Outcome> = {}): Outcome => ({
  id: 'T1',
  section: '3a',
  when: 'a new file',
  says: 'A x +1 −0',
  verdict: 'right',
  notes: [],
  complaints: [],
  startMs: 20.6,
  endMs: 48.2,
  tookMs: 300,
  ...change,
});
const about = { version: '1.0.0', git: 'git 2.40', node: '20.20.2', system: 'linux', cores: 2, day: '2026-01-31' };

describe('a row on the terminal', () => {
  test('is one line of one width: mark, id, situation, what it must say, what was waited', () => {
    const line = outcomeLines(outcome(), screen);
    expect(line).toMatch(/^ {2}✓ T1 +a new file +A x \+1 −0 +21 \+ 48 ms\n$/);
    const long = outcomeLines(outcome({ when: 'w'.repeat(200), says: 's'.repeat(200) }), screen);
    expect([...long.trimEnd()]).toHaveLength([...line.trimEnd()].length);
    expect([...long.trimEnd()].length).toBeLessThanOrEqual(screen.columns);
  });

  test('says below it what was expected and what came', () => {
    const complaints = [{ what: 'rows', expected: 'M a\nM b', came: 'M a' }];
    const lines = outcomeLines(outcome({ verdict: 'wrong', complaints }), screen).split('\n');
    expect(lines[0]).toMatch(/✗ T1/);
    expect(lines.slice(1, 5).map((line) => line.trim())).toEqual(['rows', 'expected  M a', 'M b', 'came      M a']);
  });

  test('has no times where nobody waited', () => {
    expect(outcomeLines(outcome({ startMs: null, endMs: null }), screen)).not.toMatch(/ms/);
  });

  test('is painted only where the screen has colours', () => {
    expect(outcomeLines(outcome(), screen)).not.toContain('\u001b');
    expect(outcomeLines(outcome(), { ...screen, colour: true })).toContain('\u001b[32m✓');
    expect(headLines(about, screen)).toContain('Node 20.20.2 · git 2.40');
  });
});

test('totals count each verdict and leave out what there is none of', () => {
  const totals = totalsOf([outcome(), outcome({ verdict: 'wrong' }), outcome({ verdict: 'skipped' }), outcome()]);
  expect(totals).toEqual({ right: 2, wrong: 1, skipped: 1 });
  expect(totalsInWords(totals)).toBe('2 right, 1 wrong, 1 skipped');
  expect(totalLine({ right: 2, wrong: 0, skipped: 0 }, 61.4, screen)).toBe('\n2 right, 0 wrong · 61 s\n');
});

test('the page has a row for each situation, run or not, and tells what is wrong', () => {
  const situation = (id: string, isLarge = false) => ({
    id,
    when: 'a | b <i>',
    says: 'x',
    isLarge,
    steps: async () => {},
  });
  const sections: Section[] = [{ id: '3a', title: 'Ordinary', situations: [situation('T1'), situation('T2', true)] }];
  const wrong = outcome({ verdict: 'wrong', complaints: [{ what: 'rows', expected: 'a', came: 'b' }] });
  const page = markdownReport(sections, [wrong], about);
  expect(page).toContain('**0 right, 1 wrong.** Tidemark 1.0.0, 2026-01-31');
  expect(page).toContain('| ✗ | T1 | a \\| b &lt;i> | x | 21 ms | 48 ms |');
  expect(page).toContain('| – | T2 | a \\| b &lt;i> (*large*) | x |  |  |');
  expect(page).toContain('- **T1** rows: expected `a`, came `b`');
});
