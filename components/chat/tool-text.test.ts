import { expect, test } from 'vitest';
import { kindOfDiffLine } from './diff-lines';
import { SHOWN_LINES, toolText } from './tool-text';

test('prose and a diff fence in one message are told apart (seed 002)', () => {
  const { parts, hidden } = toolText('wrote 12 bytes\n```diff\n@@ -1 +1 @@\n-a\n+b\n```\nchecks passed\n', 100);
  expect(parts).toEqual([
    { kind: 'prose', lines: ['wrote 12 bytes'] },
    { kind: 'diff', lines: ['@@ -1 +1 @@', '-a', '+b'] },
    { kind: 'prose', lines: ['checks passed'] },
  ]);
  expect(hidden).toBe(0);
});

test('other fences are code, longer fences hold shorter ones, an open fence goes on to the end', () => {
  expect(toolText('````md\n```diff\n+x\n```\n````\n~~~\nopen', 100).parts).toEqual([
    { kind: 'code', lines: ['```diff', '+x', '```', 'open'] },
  ]);
});

test('a text that is a diff by itself needs no fence, a list of dashes is none', () => {
  expect(toolText('diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b', 100).parts[0]?.kind).toBe('diff');
  expect(toolText('- one\n- two\n+ three', 100).parts[0]?.kind).toBe('prose');
});

test('250 lines show 200 and the count of the rest', () => {
  const { parts, hidden } = toolText(Array.from({ length: 250 }, (_, at) => `line ${at}`).join('\n'), SHOWN_LINES);
  expect(parts[0]?.lines).toHaveLength(200);
  expect(hidden).toBe(50);
});

test('a line of a megabyte is cut, and the cut counted', () => {
  const [line] = toolText('x'.repeat(1_000_000), 10).parts[0]?.lines ?? [];
  expect(line).toBe(`${'x'.repeat(2_000)}… (998000 more characters)`);
});

test('lines of a diff by their beginning', () => {
  expect(
    ['+a', '+++ b/x', '-a', '--- a/x', '@@ -1 +1 @@', ' context', '\\ No newline', ''].map(kindOfDiffLine),
  ).toEqual(['added', 'plain', 'removed', 'plain', 'hunk', 'plain', 'plain', 'plain']);
});
