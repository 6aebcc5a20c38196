import { expect, test } from 'vitest';
import { rowText, type WireFile } from './row-text';

const file = (change: Partial<WireFile> = {}): WireFile =>
  ({
    id: 'f',
    path: 'a',
    path_quoted: false,
    display_path: 'a',
    old_path: null,
    change_type: 'modified',
    additions: 1,
    deletions: 0,
    binary: false,
    truncated: false,
    oversized: false,
    size_before: 2,
    size_after: 4,
    mode_before: '100644',
    mode_after: '100644',
    kind_before: 'file',
    kind_after: 'file',
    line_endings: null,
    ignored: false,
    origin: 'command',
    evidence: ['snapshot'],
    tool_call_ids: [],
    ...change,
  }) as WireFile;

test.each<[string, Partial<WireFile>]>([
  ['M a +1 −0', {}],
  ['R old → a +1 −0', { change_type: 'renamed', old_path: 'old' } as Partial<WireFile>],
  ['M a binary', { binary: true, additions: 0 }],
  ['M a too large', { oversized: true, additions: 0 }],
  ['M a +1 −0 too large', { oversized: true }],
  ['M a +1 −0 truncated', { truncated: true }],
  ['M a +0 −0 mode 644 → 755', { additions: 0, mode_after: '100755' }],
  ['A a +0 −0 empty', { change_type: 'added', additions: 0, size_after: 0, kind_before: null, mode_before: null }],
  ['M a +1 −0 became a link', { kind_after: 'symlink', mode_after: '120000' }],
  ['M a +1 −0 link', { kind_before: 'symlink', kind_after: 'symlink' }],
  ['M a +1 −0 line endings lf → crlf (5)', { line_endings: { before: 'lf', after: 'crlf', lines: 5 } }],
  ['M a +1 −0 ignored [git]', { ignored: true, origin: 'git' }],
])('%s', (text, change) => {
  expect(rowText(file(change))).toBe(text);
});
