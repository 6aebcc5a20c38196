import { expect, test } from 'vitest';
import type { Json, ToolKind } from './conversation';
import { kindOfTool, pathsChangedBy, pathsOfPatch } from './file-tools';

function paths(tool: string | null, input: Json, kind: ToolKind | null = null, locations: string[] = []): string[] {
  return pathsChangedBy({ tool, kind, input, locations: locations.map((path) => ({ path })) });
}

const PATCH = [
  '*** Begin Patch',
  '*** Add File: new.txt',
  '+*** Update File: not/this.txt',
  '*** Update File: src/old name.ts',
  '*** Move to: src/new.ts',
  '@@',
  '-a',
  '+b',
  '*** Delete File: gone.txt',
  '*** End Patch',
  '',
].join('\n');

// Inputs as the recorded agents sent them.
test.each<[string, string, Json, string[]]>([
  ['Claude Code', 'Edit', { file_path: '/w/hello.txt', old_string: 'a', new_string: 'b' }, ['/w/hello.txt']],
  ['Claude Code', 'Write', { file_path: '/w/new.txt', content: 'x' }, ['/w/new.txt']],
  ['Claude Code', 'NotebookEdit', { notebook_path: '/w/n.ipynb', new_source: '' }, ['/w/n.ipynb']],
  ['Claude Code', 'MultiEdit', { file_path: '/w/a', edits: [{ old_string: 'x' }] }, ['/w/a']],
  ['Claude Code', 'Read', { file_path: '/w/hello.txt' }, []],
  ['Claude Code', 'Bash', { command: 'rm /w/doomed.txt' }, []],
  ['Codex', 'apply_patch', { command: PATCH }, ['new.txt', 'src/old name.ts', 'src/new.ts', 'gone.txt']],
  ['Codex', 'apply_patch', PATCH, ['new.txt', 'src/old name.ts', 'src/new.ts', 'gone.txt']],
  [
    'Codex',
    'exec_command',
    { cmd: `apply_patch <<'EOF'\n${PATCH}EOF` },
    ['new.txt', 'src/old name.ts', 'src/new.ts', 'gone.txt'],
  ],
  ['Codex', 'shell', { command: ['apply_patch', PATCH] }, ['new.txt', 'src/old name.ts', 'src/new.ts', 'gone.txt']],
  ['Gemini CLI', 'replace', { file_path: '/w/hello.txt', old_string: 'a', instruction: 'x' }, ['/w/hello.txt']],
  ['Gemini CLI', 'write_file', { file_path: '/w/new.txt', content: 'x' }, ['/w/new.txt']],
  ['Gemini CLI', 'read_file', { file_path: '/w/hello.txt', absolute_path: '/w/hello.txt' }, []],
  ['Qwen Code', 'edit', { filePath: '/w/h', file_path: '/w/h', oldString: 'a' }, ['/w/h']],
  ['opencode', 'edit', { filePath: '/w/h', oldString: 'a', newString: 'b' }, ['/w/h']],
  ['opencode', 'write', { filePath: '/w/new.txt', content: 'x' }, ['/w/new.txt']],
  ['opencode', 'patch', { patchText: PATCH }, ['new.txt', 'src/old name.ts', 'src/new.ts', 'gone.txt']],
  ['Cline', 'editor', { command: 'str_replace', path: '/w/h', old_text: 'a' }, ['/w/h']],
  ['Cline', 'editor', { command: 'view', path: '/w/h' }, []],
  ['Cline', 'run_commands', { commands: ['cat /w/h'] }, []],
  ['an MCP server', 'mcp__files__write_file', { path: 'a/b.txt', content: '' }, ['a/b.txt']],
  ['an MCP server', 'mcp__files__move_file', { source: 'a', destination: 'b' }, ['a', 'b']],
])('%s: what %s may change', (_, tool, input, changed) => {
  expect(paths(tool, input)).toEqual(changed);
});

test('a tool without a name is told by its kind and its locations', () => {
  expect(paths(null, {}, 'edit', ['/w/a', '/w/a', '/w/b'])).toEqual(['/w/a', '/w/b']);
  expect(paths(null, { path: '/w/c' }, 'delete', [])).toEqual(['/w/c']);
  expect(paths('teleport', { from: 'a', to: 'b' }, 'move', [])).toEqual(['a', 'b']);
  expect(paths(null, { path: '/w/c' }, 'read', ['/w/c'])).toEqual([]);
  expect(paths(null, { command: `apply_patch <<EOF\n${PATCH}` }, 'execute', ['/w'])).toHaveLength(4);
  expect(paths(null, { command: 'ls' }, 'execute', ['/w'])).toEqual([]);
});

test('a known tool that has not told its input yet is told by its locations', () => {
  expect(paths('Edit', {}, 'edit', ['/w/a'])).toEqual(['/w/a']);
  expect(paths('Read', {}, 'edit', ['/w/a'])).toEqual([]);
  expect(paths('Bash', {}, 'execute', ['/w'])).toEqual([]);
});

test('input of any shape is no fault', () => {
  for (const input of [
    null,
    5,
    'text',
    [],
    [{ file_path: 'x' }],
    { file_path: 7 },
    { file_path: '' },
    { edits: 'x' },
  ]) {
    for (const tool of ['Edit', 'MultiEdit', 'apply_patch', 'Bash', 'toString', '__proto__', '']) {
      expect(paths(tool, input as Json, 'other')).toEqual([]);
    }
  }
});

test('only lines of the patch itself name files', () => {
  expect(pathsOfPatch('*** Update File: x\n')).toEqual([]);
  expect(pathsOfPatch('*** Begin Patch\r\n*** Update File: win dows.txt\r\n*** End Patch')).toEqual(['win dows.txt']);
});

test('kinds of tools', () => {
  expect(
    ['Bash', 'Edit', 'read_file', 'grep', 'WebFetch', 'todowrite', 'mcp__x__delete_file', 'unheard'].map(kindOfTool),
  ).toEqual(['execute', 'edit', 'read', 'search', 'fetch', 'think', 'delete', 'other']);
});
