import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { AgentCommand, AgentUsage } from '@/lib/domain/conversation';
import { type Choice, choicesOf } from './acp-choices';
import { isRecord } from './acp-content';
import { createTranslator, type PermissionAnswer } from './acp-translate';
import { usageOfAnswer } from './acp-usage';
import type { AgentUpdate, ToolCallUpdate } from './agent';

/** What real agents sent, answered by a scripted model: milliseconds, direction, frame. */
const RECORDINGS = new URL('./fixtures/acp/', import.meta.url);

interface Replayed {
  /** The timeline of the prompts, in a form one reads aloud. */
  lines: string[];
  calls: ToolCallUpdate[];
  choices: Choice[];
  commands: AgentCommand[];
  usage: Partial<AgentUsage>;
}

/** Plays the agent's frames through the translation, as the session does. */
function replay(name: string): Replayed {
  const translator = createTranslator();
  const updates: AgentUpdate[] = [];
  const seen: Omit<Replayed, 'lines' | 'calls'> = { choices: [], commands: [], usage: {} };
  const asked = new Map<unknown, ReturnType<typeof translator.permission>>();
  const sent = new Map<unknown, string>();
  for (const { direction, frame } of framesOf(name)) {
    if (direction === '-->') {
      if (typeof frame.method === 'string') sent.set(frame.id, frame.method);
      const question = asked.get(frame.id)?.question;
      if (question && isRecord(frame.result) && isRecord(frame.result.outcome)) {
        const { optionId } = frame.result.outcome;
        const option = question.options.find((candidate) => candidate.optionId === optionId);
        translator.answered(question.call.id, (option?.kind ?? null) as PermissionAnswer);
      }
      continue;
    }
    if (frame.method === 'session/update' && isRecord(frame.params)) {
      const { updates: told, state } = translator.update(frame.params.update);
      updates.push(...told);
      seen.commands = state.commands ?? seen.commands;
      seen.usage = { ...seen.usage, ...state.usage };
    } else if (frame.method === 'session/request_permission') {
      const question = translator.permission(frame.params);
      asked.set(frame.id, question);
      updates.push(...(question?.updates ?? []));
    } else if (sent.get(frame.id) === 'session/new') {
      seen.choices = choicesOf(frame.result);
    } else if (sent.get(frame.id) === 'session/prompt' && isRecord(frame.result)) {
      seen.usage = { ...seen.usage, ...usageOfAnswer(frame.result) };
      updates.push(...translator.end(frame.result.stopReason === 'cancelled' ? 'cancelled' : 'completed'));
      updates.push({ type: 'title', title: `end: ${frame.result.stopReason}` });
    }
  }
  return { ...seen, ...toldAloud(updates) };
}

function framesOf(name: string): { direction: string; frame: { [key: string]: unknown } }[] {
  const text = readFileSync(fileURLToPath(new URL(`${name}.txt`, RECORDINGS)), 'utf8');
  return text.split('\n').flatMap((line) => {
    const match = /^ *\d+ (<--|-->) +(\{.*)$/.exec(line);
    return match ? [{ direction: match[1] as string, frame: JSON.parse(match[2] as string) }] : [];
  });
}

/** Merges what is known of each call, as the recorder does, and says each once, where it began. */
function toldAloud(updates: AgentUpdate[]): Pick<Replayed, 'lines' | 'calls'> {
  const calls = new Map<string, ToolCallUpdate>();
  const lines: (string | { call: string })[] = [];
  for (const update of updates) {
    if (update.type === 'tool') {
      const { id } = update.call;
      const known = calls.get(id);
      if (!known) lines.push({ call: id });
      const output = update.call.output ?? (known?.output ?? '') + (update.call.outputAppend ?? '');
      calls.set(id, { ...known, ...update.call, output, meta: { ...known?.meta, ...update.call.meta } });
    } else if (update.type === 'text') {
      const last = lines.at(-1);
      const start = `${update.role}: `;
      if (typeof last === 'string' && last.startsWith(start)) lines[lines.length - 1] = last + update.text;
      else lines.push(start + update.text);
    } else if (update.type === 'plan') {
      lines.push(`plan: ${update.entries.map(({ content, status }) => `${content} (${status})`).join(', ')}`);
    } else {
      lines.push(update.title);
    }
  }
  const say = ({ kind, tool, title, status, locations, output, meta }: ToolCallUpdate) => {
    const places = (locations ?? []).map(({ path, line }) => (line === undefined ? path : `${path}:${line}`)).join(' ');
    const parts = [`[${kind} ${tool ?? '-'}] ${title}`, status, places === '' ? '' : `@ ${places}`];
    if (meta?.exit_code !== undefined) parts.push(`exit ${meta.exit_code}`);
    if (output) parts.push(`> ${output.replaceAll('\n', '⏎').slice(0, 60)}`);
    return parts.filter((part) => part !== '').join(' ');
  };
  return {
    lines: lines.map((line) => (typeof line === 'string' ? line : say(calls.get(line.call) as ToolCallUpdate))),
    calls: [...calls.values()],
  };
}

const snippetsOf = (replayed: Replayed) =>
  replayed.calls.flatMap(({ meta }) => (Array.isArray(meta?.snippets) ? meta.snippets : []));

test('Claude Code: the whole run', () => {
  const replayed = replay('acp-claude49');
  expect(replayed.lines).toEqual([
    'assistant: Planning.',
    'plan: Edit hello.txt (pending)',
    'plan: Edit hello.txt (pending)',
    'assistant: Reading.',
    '[read Read] Read hello.txt completed @ /workspace/hello.txt:1 > 1\thello world⏎2\t',
    'assistant: Editing.',
    '[edit Edit] Edit hello.txt completed @ /workspace/hello.txt:1 > The file /workspace/hello.txt has been updated successfully.',
    'assistant: Creating.',
    '[edit Write] Write new.txt completed @ /workspace/new.txt > File created successfully at: /workspace/new.txt (file state',
    'assistant: Shell.',
    '[execute Bash] echo by-shell > /workspace/by-shell.txt; rm -f /workspace/doomed.txt; echo shell-ok completed > shell-ok',
    'assistant: Failing shell.',
    '[execute Bash] echo boom >&2; exit 3 failed exit 3 > Exit code 3⏎boom',
    'assistant: All done.',
    'end: end_turn',
  ]);
  // The last word of the agent is a hunk, not the search string it began with.
  expect(snippetsOf(replayed)).toEqual([
    { path: '/workspace/hello.txt', old_text: 'hello world', new_text: 'hello fake model', cut: false },
    { path: '/workspace/new.txt', old_text: null, new_text: 'created\n', cut: false },
  ]);
  expect(replayed.usage).toEqual({
    used: 120,
    size: 1000000,
    cost: { amount: 0.007, currency: 'USD' },
    inputTokens: 700,
    outputTokens: 140,
  });
  expect(replayed.choices.map(({ id, category, current, values }) => [id, category, current, values.length])).toEqual([
    ['mode', 'mode', 'default', 6],
    ['model', 'model', 'default', 5],
    ['effort', 'other', 'default', 6],
  ]);
  expect(replayed.commands).toHaveLength(24);
  expect(replayed.commands).toContainEqual({
    name: 'debug',
    description: 'Enable debug logging for this session and help diagnose issues',
    hint: '[issue description]',
  });
});

test('Codex: terminals that nobody made, output and exit code in _meta, no locations', () => {
  const replayed = replay('acp-codex');
  expect(replayed.lines).toEqual([
    'assistant: Reading.',
    "[read exec_command] Read file '/workspace/hello.txt' completed @ /workspace/hello.txt exit 0 > hello world⏎",
    'assistant: Editing.',
    '[edit -] Editing files completed @ /workspace/hello.txt',
    'assistant: Creating.',
    '[edit -] Editing files completed @ /workspace/new.txt',
    'assistant: Shell.',
    '[execute -] echo by-shell > /workspace/by-shell.txt; rm -f /workspace/doomed.txt; echo shell-ok failed',
    "[think -] Guardian Review failed > Status: Denied⏎Action: exec /bin/bash -lc 'echo by-shell > /",
    'assistant: Failing shell.',
    '[execute exec_command] echo boom >&2; exit 3 failed exit 3 > boom⏎',
    'assistant: All done.',
    'SCRIPT:full DIR:/workspace please',
    'end: end_turn',
  ]);
  expect(replayed.choices.map(({ id, category, request }) => [id, category, request])).toEqual([
    ['mode', 'mode', 'session/set_config_option'],
    ['collaboration_mode', 'other', 'session/set_config_option'],
    ['model', 'model', 'session/set_config_option'],
    ['reasoning_effort', 'other', 'session/set_config_option'],
    ['fast-mode', 'other', 'session/set_config_option'],
  ]);
});

test('opencode: names of tools in first titles, exit codes in metadata, the folder of a command is no location', () => {
  const replayed = replay('opencode');
  expect(replayed.lines).toEqual([
    'assistant: Planning.',
    '[think todowrite] 2 todos completed > [⏎  {⏎    "content": "Edit hello.txt",⏎    "status": "in_pro',
    'assistant: Reading.',
    '[read read] hello.txt completed @ /workspace/hello.txt > <path>/workspace/hello.txt</path>⏎<type>file</type>⏎<content',
    'assistant: Editing.',
    '[edit edit] hello.txt completed @ /workspace/hello.txt > Edit applied successfully.',
    'assistant: Creating.',
    '[edit write] new.txt completed @ /workspace/new.txt > Wrote file successfully.',
    'assistant: Shell.',
    '[execute bash] echo by-shell > /workspace/by-shell.txt; unlink /workspace/doomed.txt; echo shell-ok completed exit 0 > shell-ok⏎',
    'assistant: Failing shell.',
    '[execute bash] echo boom >&2; exit 3 completed exit 3 > boom⏎',
    'assistant: All done.',
    'end: end_turn',
  ]);
  expect(replayed.choices.map(({ id }) => id)).toEqual(['model', 'mode']);
});

test('Qwen Code: first seen by a permission, base names at the end, usage in an empty chunk', () => {
  const replayed = replay('qwen');
  expect(replayed.lines).toEqual([
    'assistant: Planning.',
    'plan: Edit hello.txt (in_progress), Run shell (pending)',
    'assistant: Reading.',
    '[read read_file] ReadFile: hello.txt completed @ /workspace/hello.txt',
    'assistant: Editing.',
    '[edit edit] hello.txt: world => fake model completed @ /workspace/hello.txt',
    'assistant: Creating.',
    '[edit write_file] Writing to new.txt completed @ /workspace/new.txt',
    'assistant: Shell.',
    '[execute run_shell_command] echo by-shell > /workspace/by-shell.txt; unlink /workspace/doomed.txt; echo shell-ok (scripted shell) completed exit 0 > shell-ok',
    'assistant: Failing shell.',
    '[execute run_shell_command] echo boom >&2; exit 3 (scripted shell) completed exit 3 > boom',
    'assistant: All done.',
    'end: end_turn',
  ]);
  expect(snippetsOf(replayed).map((snippet) => isRecord(snippet) && snippet.path)).toEqual([
    '/workspace/hello.txt',
    '/workspace/new.txt',
  ]);
  expect(replayed.usage).toEqual({ inputTokens: 100, outputTokens: 20 });
});

test('Gemini CLI: a call that is first seen by its permission, modes and models without options, usage as a quota', () => {
  const replayed = replay('gem-nofs');
  expect(replayed.lines).toEqual([
    'assistant: Creating.',
    '[edit write_file] Writing to new.txt completed @ /workspace/new.txt',
    'assistant: Created.',
    'end: end_turn',
  ]);
  expect(replayed.choices.map(({ id, current, request }) => [id, current, request])).toEqual([
    ['mode', 'default', 'session/set_mode'],
    ['model', 'gemini-2.5-flash', 'session/set_model'],
  ]);
  expect(replayed.usage).toEqual({ inputTokens: 200, outputTokens: 40 });
});

test('Gemini CLI: a failed call says why', () => {
  expect(replay('gem-plain').lines[1]).toBe(
    '[edit write_file] Writing to new.txt failed @ /workspace/new.txt > Error checking existing file: Internal error',
  );
});

test.each([
  ['big-claude49', '@ /workspace/hello.txt:28 ', 7],
  ['big-codex', '@ /workspace/hello.txt', 3],
  ['big-gemini', '@ /workspace/hello.txt', 61],
])('%s: the snippet of an edit is as much as the agent tells', (name, place, lines) => {
  const replayed = replay(name);
  expect(replayed.lines.find((line) => line.startsWith('[edit'))).toContain(place);
  const [snippet] = snippetsOf(replayed);
  const text = isRecord(snippet) ? String(snippet.old_text) : '';
  expect(text.replace(/\n$/, '').split('\n')).toHaveLength(lines);
});

test.each([
  ['perm-reject_once', 'rejected @ /workspace/hello.txt > User refused permission to run tool'],
  ['perm-cancelled', 'rejected @ /workspace/hello.txt > Tool permission request failed: Error: Tool use aborted'],
])('%s: a refused call is rejected, whatever the agent calls it', (name, words) => {
  expect(replay(name).lines.find((line) => line.startsWith('[edit'))).toBe(`[edit Edit] Edit hello.txt ${words}`);
});

test('a cancelled run closes the calls that were left open', () => {
  expect(replay('cancel-codex-slowshell').lines).toEqual([
    'assistant: Running a long command.',
    '[execute exec_command] sleep 30; echo slept cancelled',
    'end: cancelled',
  ]);
  expect(replay('cancel-claude49-slow').lines.at(-1)).toBe('end: cancelled');
});

test('two prompts of one session do not mix their calls', () => {
  expect(replay('mcp-claude49').lines).toEqual([
    'assistant: Hello from the fake model.',
    'end: end_turn',
    'assistant: Calling the MCP tool.',
    '[other mcp__probe__structured] mcp__probe__structured completed > {"answer":42,"list":["x"]}',
    'assistant: MCP done.',
    'end: end_turn',
  ]);
});

test('a loaded session repeats its history as updates, which the session leaves out', () => {
  const { lines } = replay('load-claude');
  expect(lines).toHaveLength(13);
  expect(lines.at(-1)).toBe('assistant: All done.');
});

// What no recorded agent did, but one will.
const tool = (update: object) => ({ sessionUpdate: 'tool_call_update', toolCallId: 't', ...update });
const first = (update: object): ToolCallUpdate | undefined => {
  const [told] = createTranslator().update(tool(update)).updates;
  return told?.type === 'tool' ? told.call : undefined;
};

test.each<[unknown]>([
  [null],
  [undefined],
  [5],
  ['x'],
  [[]],
  [{}],
  [{ sessionUpdate: 'nonsense' }],
  [{ sessionUpdate: 'tool_call' }],
  [{ sessionUpdate: 'plan', entries: 7 }],
])('an update that is %j is calmly passed over', (raw) => {
  const { updates } = createTranslator().update(raw);
  expect(updates.filter((update) => update.type !== 'plan')).toEqual([]);
});

test('an update that creates a call gives it a kind and a status', () => {
  expect(first({})).toEqual({ id: 't', kind: 'other', status: 'pending' });
  expect(first({ kind: 'switch_mode', status: 'done' })).toEqual({ id: 't', kind: 'other', status: 'pending' });
});

test('ids that are too long are cut and stay different', () => {
  const [one, two] = ['a', 'b'].map((end) => first({ toolCallId: `${'x'.repeat(400)}${end}` })?.id as string);
  expect(one).toHaveLength(256);
  expect(one).not.toBe(two);
});

test('paths of a patch that is longer than what is kept of an input are told', () => {
  const patch = `*** Begin Patch\n*** Add File: one.txt\n+${'x'.repeat(100_000)}\n*** Delete File: last.txt\n*** End Patch\n`;
  const call = first({ title: 'apply_patch', kind: 'edit', rawInput: { input: patch } });
  expect(call?.locations).toEqual([{ path: 'one.txt' }, { path: 'last.txt' }]);
  expect(JSON.stringify(call?.input).length).toBeLessThan(40_000);
});

test('an input that is empty does not take away the one that was told', () => {
  const translator = createTranslator();
  translator.update(tool({ rawInput: { command: 'ls' } }));
  const [told] = translator.update(tool({ rawInput: {}, status: 'completed' })).updates;
  expect(told).toEqual({ type: 'tool', call: { id: 't', status: 'completed' } });
});

test('a call that runs does not wait again', () => {
  const translator = createTranslator();
  translator.update(tool({ status: 'in_progress' }));
  const asked = translator.permission({
    toolCall: { toolCallId: 't', status: 'pending' },
    options: [{ optionId: 'a' }],
  });
  expect(asked?.question.call.status).toBe(undefined);
});

test('output that was streamed is not added once more at the end', () => {
  const translator = createTranslator();
  translator.update(tool({ _meta: { terminal_output_delta: { data: 'a\n' } } }));
  const [told] = translator.update(tool({ status: 'completed', rawOutput: 'a\n' })).updates;
  expect(told).toMatchObject({ call: { status: 'completed' } });
  expect(told?.type === 'tool' && told.call.output).toBe(undefined);
});

test('a permission is titled as its call, though it may not say so', () => {
  const translator = createTranslator();
  translator.update(tool({ title: 'Edit hello.txt' }));
  const asked = translator.permission({ toolCall: { toolCallId: 't' }, options: [{ optionId: 'a' }] });
  expect(asked?.question.title).toBe('Edit hello.txt');
});

test('a permission without options or without a call asks nobody', () => {
  const translator = createTranslator();
  expect(translator.permission({ options: [], toolCall: { toolCallId: 't' } })).toBe(null);
  expect(translator.permission({ options: [{ optionId: 'a' }], toolCall: {} })).toBe(null);
  expect(translator.permission(null)).toBe(null);
});

test('a kind of option nobody knows is never taken for a permission by mistake', () => {
  const asked = createTranslator().permission({
    toolCall: { toolCallId: 't', title: 'x' },
    options: [{ optionId: 'proceed_once', name: 'Yes' }, { optionId: 'abort', kind: 'new_kind' }, { name: 'no id' }],
  });
  expect(asked?.question.options).toEqual([
    { optionId: 'proceed_once', name: 'Yes', kind: 'allow_once' },
    { optionId: 'abort', name: 'abort', kind: 'reject_once' },
  ]);
});

test('a refused call that the agent never closes is rejected with the run', () => {
  const translator = createTranslator();
  const asked = translator.permission({
    toolCall: { toolCallId: 't' },
    options: [{ optionId: 'no', kind: 'reject_once' }],
  });
  translator.answered(asked?.question.call.id as ToolCallUpdate['id'], 'reject_once');
  expect(translator.end('completed')).toEqual([{ type: 'tool', call: { id: 't', status: 'rejected' } }]);
  expect(translator.end('completed')).toEqual([]);
});
