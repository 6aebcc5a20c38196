/** What the scripted model says and calls, step by step, in the tools of whichever agent asks. */

/** A tool call as one agent would make it. `{{dir}}` is the folder it works in. */
export interface ScriptedCall {
  tool: string;
  args: { [name: string]: unknown };
  /** Codex: the input is text, not JSON. */
  freeform?: true;
}

interface Step {
  text: string;
  call?: string;
}

const patch = (body: string) => `*** Begin Patch\n${body}\n*** End Patch\n`;

const shell = (command: string): ScriptedCall[] => [
  // Claude Code
  { tool: 'Bash', args: { command, description: 'scripted shell' } },
  // Gemini CLI, Qwen Code
  { tool: 'run_shell_command', args: { command, description: 'scripted shell', is_background: false } },
  // opencode
  { tool: 'bash', args: { command, description: 'scripted shell' } },
  // Codex
  { tool: 'exec_command', args: { cmd: command } },
  { tool: 'shell_command', args: { command } },
  { tool: 'shell', args: { command: ['bash', '-lc', command] } },
];

const file = '{{dir}}/hello.txt';
const edited = { old_string: 'world', new_string: 'fake model' };

/** An abstract action in every agent's own tools; the first that is offered is used. */
export const CALLS: { [action: string]: ScriptedCall[] } = {
  read: [
    { tool: 'Read', args: { file_path: file } },
    { tool: 'read', args: { filePath: file } },
    { tool: 'read_file', args: { file_path: file, absolute_path: file } },
    ...shell('cat {{dir}}/hello.txt'),
  ],
  edit: [
    { tool: 'Edit', args: { file_path: file, ...edited } },
    { tool: 'edit', args: { filePath: file, file_path: file, oldString: 'world', newString: 'fake model', ...edited } },
    { tool: 'replace', args: { file_path: file, ...edited, instruction: 'scripted edit' } },
    {
      tool: 'apply_patch',
      freeform: true,
      args: { input: patch('*** Update File: hello.txt\n@@\n-hello world\n+hello fake model') },
    },
    ...shell('sed -i s/world/"fake model"/ {{dir}}/hello.txt'),
  ],
  create: [
    { tool: 'Write', args: { file_path: '{{dir}}/new.txt', content: 'created\n' } },
    { tool: 'write', args: { filePath: '{{dir}}/new.txt', content: 'created\n' } },
    { tool: 'write_file', args: { file_path: '{{dir}}/new.txt', content: 'created\n' } },
    { tool: 'apply_patch', freeform: true, args: { input: patch('*** Add File: new.txt\n+created') } },
    ...shell('echo created > {{dir}}/new.txt'),
  ],
  shell: shell('echo by-shell > {{dir}}/by-shell.txt; unlink {{dir}}/doomed.txt; echo shell-ok'),
  rename: shell('mv {{dir}}/old-name.txt {{dir}}/new-name.txt'),
  fail: shell('echo boom >&2; exit 3'),
  sleep: shell('sleep 4711; echo slept'),
};

export const SCRIPTS: { [name: string]: Step[] } = {
  everything: [
    { text: 'First I read hello.txt.', call: 'read' },
    { text: 'Now I edit it.', call: 'edit' },
    { text: 'Now a new file.', call: 'create' },
    { text: 'Now the shell.', call: 'shell' },
    { text: 'Now a rename.', call: 'rename' },
    { text: 'Now a command that fails.', call: 'fail' },
    { text: 'All done: `hello.txt` edited, `new.txt` created.' },
  ],
  slow: [{ text: 'Now a long command.', call: 'sleep' }, { text: 'It is over.' }],
  again: [{ text: 'I still know what we did.' }],
};

/** One thing that was said to the model: only prompts and results matter. */
export type Said = { type: 'prompt'; text: string } | { type: 'result' };

export interface Answer {
  text: string;
  call: ScriptedCall | null;
}

/** The prompt picks the script (`SCRIPT:name DIR:/folder`); the step is the number of results after it. */
export function nextAnswer(said: readonly Said[], tools: readonly string[]): Answer {
  let prompt: string | null = null;
  let step = 0;
  for (const one of said) {
    if (one.type === 'result') step += 1;
    else if (/SCRIPT:\w/.test(one.text)) {
      prompt = one.text;
      step = 0;
    }
  }
  // Titles, classifiers and the like: no script, or nothing to call.
  if (prompt === null || tools.length === 0) return { text: 'ok', call: null };
  const script = SCRIPTS[/SCRIPT:(\w+)/.exec(prompt)?.[1] ?? ''] ?? [];
  const folder = /DIR:([^\s"<>]+)/.exec(prompt)?.[1] ?? '/';
  const current = script[step];
  if (!current) return { text: 'End of the script.', call: null };
  const call = current.call === undefined ? undefined : CALLS[current.call]?.find(({ tool }) => tools.includes(tool));
  return { text: current.text, call: call ? { ...call, args: filled(call.args, folder) } : null };
}

function filled<Value>(value: Value, folder: string): Value {
  return JSON.parse(JSON.stringify(value).replaceAll('{{dir}}', JSON.stringify(folder).slice(1, -1))) as Value;
}
