import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RunId } from '@/lib/domain/ids';
import { RECORDINGS, type Recording, recordedRequests } from '@/lib/testing/hook-recordings';
import type { HookEvent } from './hook-event';
import { readHookEvent } from './hook-payload';
import { type HookCommand, type HookFacts, type HookState, NEW_STATE, takeHookEvent, takeSilence } from './hook-state';

/** A conversation under test: feeds events, keeps what is to be recorded. */
function conversation() {
  let state: HookState = NEW_STATE;
  let minted = 0;
  const commands: HookCommand[] = [];
  const facts: HookFacts = {
    now: 1_000_000,
    openRun: 'live',
    mintRunId: () => {
      minted += 1;
      return `run${minted}` as RunId;
    },
  };
  return {
    commands,
    /** Takes an event, `after` ms after the last one. */
    take(event: HookEvent | null, after = 10, openRun: HookFacts['openRun'] = 'live') {
      if (!event) return;
      facts.now += after;
      const step = takeHookEvent(state, event, { ...facts, openRun });
      state = step.state;
      commands.push(...step.commands);
    },
    wait(ms: number) {
      facts.now += ms;
      const step = takeSilence(state, facts.now);
      state = step.state;
      commands.push(...step.commands);
    },
    /** What is to be recorded, in short. */
    said: () => commands.map(inShort),
    get state() {
      return state;
    },
  };
}

function inShort(command: HookCommand): string {
  switch (command.type) {
    case 'start_run':
      return `start ${command.runId}: ${command.prompt}`;
    case 'start_tool':
      return `${command.call.tool}${command.call.paths.length > 0 ? ` ${command.call.paths.join(' ')}` : ''}`;
    case 'complete_tool':
      return `  ${command.status}`;
    case 'say':
      return `${command.role}: ${command.text}`;
    case 'complete_run':
      return `end ${command.runId}: ${command.status}${command.message === null ? '' : `, ${command.message.trim().split('\n').at(-1)?.trim()}`}`;
  }
}

function replay(recording: Recording, times = 1) {
  const talk = conversation();
  for (const request of recordedRequests(recording)) {
    for (let time = 0; time < times; time += 1) talk.take(readHookEvent(RECORDINGS[recording], request));
  }
  return talk;
}

const EXPECTED: Record<Recording, string[]> = {
  'claude-full': [
    'start run1: SCRIPT:full DIR:/workspace',
    'Read',
    '  completed',
    'Edit /workspace/hello.txt',
    '  completed',
    'Write /workspace/new.txt',
    '  completed',
    'Bash',
    '  completed',
    'Bash',
    '  failed',
    'end run1: completed, All done.',
  ],
  'claude-sub': [
    'start run1: SCRIPT:sub DIR:/workspace',
    'Agent',
    '  completed',
    'Write /workspace/new.txt',
    'assistant: Delegated work done.',
    '  completed',
    'end run1: completed',
  ],
  'codex-full': [
    'start run1: SCRIPT:full DIR:/workspace',
    'Bash',
    '  completed',
    'apply_patch /workspace/hello.txt',
    '  completed',
    'apply_patch /workspace/new.txt',
    '  completed',
    // Codex refused this one: it never ends.
    'Bash',
    'Bash',
    '  completed',
    'end run1: completed, All done.',
  ],
  'gemini-full': [
    'start run1: SCRIPT:full DIR:/workspace',
    'write_todos',
    '  completed',
    'read_file',
    '  completed',
    'replace /workspace/hello.txt',
    '  completed',
    'write_file /workspace/new.txt',
    '  completed',
    'run_shell_command',
    '  completed',
    'run_shell_command',
    '  failed',
    'end run1: completed, All done.',
  ],
  'qwen-full': [
    'start run1: SCRIPT:full DIR:/workspace',
    'todo_write',
    '  completed',
    'read_file',
    '  completed',
    'edit /workspace/hello.txt',
    '  completed',
    'write_file /workspace/new.txt',
    '  completed',
    'run_shell_command',
    '  completed',
    'run_shell_command',
    '  failed',
    'end run1: completed, All done.',
  ],
  'qwen24-full': [
    'start run1: SCRIPT:full DIR:/workspace',
    'read_file',
    '  completed',
    'edit /workspace/hello.txt',
    '  completed',
    'write_file /workspace/new.txt',
    '  completed',
    'run_shell_command',
    '  completed',
    'run_shell_command',
    '  failed',
    'end run1: completed, All done.',
  ],
  'opencode-acp': [
    'start run1: SCRIPT:full DIR:/workspace please',
    'todowrite',
    '  completed',
    'read',
    '  completed',
    'edit /workspace/hello.txt',
    '  completed',
    'write /workspace/new.txt',
    '  completed',
    'bash',
    '  completed',
    'bash',
    '  failed',
    'end run1: completed',
  ],
  // It was ended before it did anything.
  'opencode-full': ['start run1: "SCRIPT:full DIR:/workspace"'],
  'cline-full': [
    'start run1: ',
    'run_commands',
    '  completed',
    'editor /workspace/hello.txt',
    '  completed',
    'run_commands',
    '  completed',
    'run_commands',
    '  completed',
    'run_commands',
    '  failed',
    'end run1: completed, All done.',
  ],
};

describe('what real agents sent', () => {
  it.each(Object.keys(RECORDINGS) as Recording[])('%s becomes one run', (recording) => {
    expect(replay(recording).said()).toEqual(EXPECTED[recording]);
  });

  it.each(Object.keys(RECORDINGS) as Recording[])(
    '%s becomes the same when each event is delivered twice',
    (recording) => {
      expect(replay(recording, 2).said()).toEqual(EXPECTED[recording]);
    },
  );
});

const at = (rest: object) => ({ session_id: 's', cwd: '/w', ...rest });
const claude = (rest: object) => readHookEvent('claude', { event: null, directory: null, body: at(rest) });
const codex = (rest: object) => readHookEvent('codex', { event: null, directory: null, body: at(rest) });
const gemini = (rest: object) => readHookEvent('gemini', { event: null, directory: null, body: at(rest) });
const prompt = (text: string, prompt_id?: string) =>
  claude({ hook_event_name: 'UserPromptSubmit', prompt: text, prompt_id });
const pre = (id: string, more: object = {}) =>
  claude({
    hook_event_name: 'PreToolUse',
    tool_name: 'Write',
    tool_input: { file_path: 'a' },
    tool_use_id: id,
    ...more,
  });
const post = (id: string, more: object = {}) =>
  claude({
    hook_event_name: 'PostToolUse',
    tool_name: 'Write',
    tool_input: { file_path: 'a' },
    tool_use_id: id,
    ...more,
  });
const stop = (more: object = {}) => claude({ hook_event_name: 'Stop', last_assistant_message: 'Done.', ...more });
const sessionEnd = () => claude({ hook_event_name: 'SessionEnd', reason: 'clear' });
const task = (type: string) => ({ background_tasks: [{ id: 't', type, status: 'running' }] });

describe('a run begins', () => {
  it('with a prompt that says something, and not with an empty one', () => {
    const talk = conversation();
    talk.take(prompt(''));
    talk.take(prompt('  \n'));
    expect(talk.said()).toEqual([]);
    talk.take(prompt('go'));
    expect(talk.said()).toEqual(['start run1: go']);
  });

  it('not with a prompt for a subagent', () => {
    const talk = conversation();
    talk.take(codex({ hook_event_name: 'UserPromptSubmit', prompt: 'sub', turn_id: 't2', agent_id: 'a' }));
    expect(talk.said()).toEqual([]);
  });

  it('not in a conversation that Codex has with itself', () => {
    const talk = conversation();
    talk.take(
      codex({ hook_event_name: 'UserPromptSubmit', prompt: 'A title for …', turn_id: 't', transcript_path: null }),
    );
    talk.take(codex({ hook_event_name: 'Stop', turn_id: 't', transcript_path: null }));
    expect(talk.said()).toEqual([]);
  });

  it('without its prompt, where Tidemark was started in the middle', () => {
    const talk = conversation();
    talk.take(post('1'));
    talk.take(pre('2'));
    talk.take(post('2'));
    talk.take(stop());
    expect(talk.said()).toEqual(['start run1: ', 'Write /w/a', '  completed', 'end run1: completed, Done.']);
  });

  it('once, however often the same prompt is delivered; and again, when it is typed again', () => {
    const talk = conversation();
    talk.take(prompt('go'));
    talk.take(prompt('go'), 500);
    expect(talk.said()).toEqual(['start run1: go']);
    talk.take(stop());
    talk.take(prompt('go'), 5_000);
    expect(talk.said()).toEqual(['start run1: go', 'end run1: completed, Done.', 'start run2: go']);
  });

  it('when a person says more to a prompt that runs, it stays the same run', () => {
    const talk = conversation();
    talk.take(codex({ hook_event_name: 'UserPromptSubmit', prompt: 'go', turn_id: 't' }));
    talk.take(codex({ hook_event_name: 'UserPromptSubmit', prompt: 'and faster', turn_id: 't' }));
    expect(talk.said()).toEqual(['start run1: go', 'user: and faster']);
  });
});

describe('a run ends', () => {
  it('when the next prompt comes, although the agent never said that it stopped', () => {
    const talk = conversation();
    talk.take(prompt('one', 'p1'));
    talk.take(pre('1', { prompt_id: 'p1' }));
    talk.take(prompt('two', 'p2'));
    expect(talk.said()).toEqual(['start run1: one', 'Write /w/a', 'end run1: cancelled', 'start run2: two']);
  });

  it('when the session ends without a stop', () => {
    const talk = conversation();
    talk.take(prompt('go'));
    talk.take(sessionEnd());
    talk.take(sessionEnd());
    expect(talk.said()).toEqual(['start run1: go', 'end run1: cancelled']);
  });

  it('as failed, with the reason, when the model failed', () => {
    const talk = conversation();
    talk.take(prompt('go'));
    talk.take(claude({ hook_event_name: 'StopFailure', error: 'rate_limit', error_details: 'slow down' }));
    expect(talk.commands.at(-1)).toMatchObject({
      type: 'complete_run',
      status: 'failed',
      error: 'rate_limit: slow down',
    });
  });

  it('as cancelled when the person interrupted it', () => {
    const talk = conversation();
    talk.take(codex({ hook_event_name: 'UserPromptSubmit', prompt: 'go', turn_id: 't' }));
    talk.take(codex({ hook_event_name: 'Interrupt', turn_id: 't' }));
    expect(talk.said()).toEqual(['start run1: go', 'end run1: cancelled']);
  });

  it('not when a subagent stops', () => {
    const talk = conversation();
    talk.take(prompt('go'));
    talk.take(claude({ hook_event_name: 'SubagentStop', agent_id: 'a' }));
    talk.take(claude({ hook_event_name: 'Stop', agent_id: 'a' }));
    expect(talk.said()).toEqual(['start run1: go']);
  });

  it('not while a subagent works in the background, and then once', () => {
    const talk = conversation();
    talk.take(prompt('go', 'p1'));
    talk.take(stop({ prompt_id: 'p1', ...task('subagent') }));
    talk.take(pre('1', { prompt_id: 'p1', agent_id: 'a' }), 60_000);
    talk.take(post('1', { prompt_id: 'p1', agent_id: 'a' }));
    talk.wait(20 * 60_000);
    expect(talk.said()).toEqual(['start run1: go', 'assistant: Done.', 'Write /w/a', '  completed']);
    talk.take(prompt('<task-notification><summary>Agent "x" finished</summary></task-notification>', 'p2'));
    talk.take(stop({ prompt_id: 'p2', last_assistant_message: 'All is done.' }));
    expect(talk.said().slice(4)).toEqual(['end run1: completed, All is done.']);
  });

  it('after a while, when the background task is a server that never ends', () => {
    const talk = conversation();
    talk.take(prompt('go'));
    talk.take(stop(task('shell')));
    talk.wait(60_000);
    expect(talk.said()).toEqual(['start run1: go', 'assistant: Done.']);
    talk.wait(61_000);
    expect(talk.said()).toEqual(['start run1: go', 'assistant: Done.', 'end run1: completed']);
  });

  it('after a longer while, when a subagent is never heard of again', () => {
    const talk = conversation();
    talk.take(prompt('go'));
    talk.take(stop(task('subagent')));
    talk.wait(24 * 60_000);
    expect(talk.said()).toHaveLength(2);
    talk.wait(2 * 60_000);
    expect(talk.said().at(-1)).toBe('end run1: completed');
  });

  it('and begins anew when a hook of somebody made the agent go on', () => {
    const talk = conversation();
    talk.take(prompt('go', 'p1'));
    talk.take(stop({ prompt_id: 'p1' }));
    talk.take(pre('1', { prompt_id: 'p1' }));
    talk.take(post('1', { prompt_id: 'p1' }));
    talk.take(stop({ prompt_id: 'p1', stop_hook_active: true, last_assistant_message: 'Now.' }));
    expect(talk.said()).toEqual([
      'start run1: go',
      'end run1: completed, Done.',
      'start run2: (continued) go',
      'Write /w/a',
      '  completed',
      'end run2: completed, Now.',
    ]);
  });
});

describe('calls', () => {
  it('of a subagent that outlives its prompt are not the next run’s', () => {
    const talk = conversation();
    talk.take(prompt('one', 'p1'));
    talk.take(stop({ prompt_id: 'p1' }));
    talk.take(pre('1', { prompt_id: 'p1', agent_id: 'a' }));
    talk.take(prompt('two', 'p2'));
    talk.take(pre('2', { prompt_id: 'p1', agent_id: 'a' }));
    talk.take(post('2', { prompt_id: 'p1', agent_id: 'a' }));
    expect(talk.said()).toEqual(['start run1: one', 'end run1: completed, Done.', 'start run2: two']);
  });

  it('end even when their beginning was lost or comes later', () => {
    const talk = conversation();
    talk.take(prompt('go'));
    talk.take(post('1'));
    talk.take(pre('1'));
    talk.take(post('1'));
    expect(talk.said()).toEqual(['start run1: go', 'Write /w/a', '  completed']);
  });

  it('without ids are paired by tool and input, then by order', () => {
    const talk = conversation();
    let moment = 0;
    const tool = (hook_event_name: string, file: string, output?: string) => {
      moment += 1;
      return gemini({
        hook_event_name,
        timestamp: `t${moment}`,
        tool_name: 'write_file',
        tool_input: { file_path: file },
        ...(output !== undefined && { tool_response: { llmContent: output, returnDisplay: output } }),
      });
    };
    talk.take(gemini({ hook_event_name: 'BeforeAgent', prompt: 'go', timestamp: 't0' }));
    talk.take(tool('BeforeTool', 'a'));
    talk.take(tool('BeforeTool', 'b'));
    talk.take(tool('AfterTool', 'b', 'wrote b'));
    talk.take(tool('AfterTool', 'a', 'wrote a'));
    expect(talk.commands.filter(({ type }) => type === 'complete_tool')).toMatchObject([
      { toolCallId: 'call-2', output: 'wrote b' },
      { toolCallId: 'call-1', output: 'wrote a' },
    ]);
  });
});

describe('a run that ended without us', () => {
  it('is gone on with in a new one after a silence that was too long', () => {
    const talk = conversation();
    talk.take(prompt('go', 'p1'));
    talk.take(pre('1', { prompt_id: 'p1' }), 10, 'expired');
    expect(talk.said()).toEqual(['start run1: go', 'start run2: ', 'Write /w/a']);
  });

  it('is left alone when a person cancelled it, until the next prompt', () => {
    const talk = conversation();
    talk.take(prompt('go'));
    talk.take(pre('1'), 10, 'closed');
    talk.take(pre('2'));
    talk.take(post('2'));
    talk.take(stop());
    expect(talk.said()).toEqual(['start run1: go']);
    talk.take(prompt('again'));
    talk.take(pre('3'));
    expect(talk.said()).toEqual(['start run1: go', 'start run2: again', 'Write /w/a']);
  });
});

it('takes anything in any order: every run that begins ends at most once, every call belongs to an open run', () => {
  const event = fc.oneof(
    fc
      .tuple(fc.constantFrom('go', '', 'more'), fc.constantFrom('p1', 'p2', 'p3', undefined))
      .map(([text, turn]) => prompt(text, turn)),
    fc
      .tuple(fc.constantFrom('1', '2', '3'), fc.constantFrom('p1', 'p2', undefined), fc.option(fc.constant('a')))
      .map(([id, prompt_id, agent_id]) => pre(id, { prompt_id, agent_id })),
    fc
      .tuple(fc.constantFrom('1', '2', '3'), fc.constantFrom('p1', 'p2', undefined))
      .map(([id, prompt_id]) => post(id, { prompt_id })),
    fc
      .tuple(fc.constantFrom('p1', 'p2', undefined), fc.boolean())
      .map(([prompt_id, busy]) => stop({ prompt_id, ...(busy ? task('subagent') : {}) })),
    fc.constant(sessionEnd()),
  );
  fc.assert(
    fc.property(
      fc.array(
        fc.tuple(
          event,
          fc.nat(5_000),
          fc.constantFrom('live', 'live', 'live', 'expired', 'closed') as fc.Arbitrary<HookFacts['openRun']>,
        ),
        { maxLength: 40 },
      ),
      (events) => {
        const talk = conversation();
        let open: string | null = null;
        const begun = new Set<string>();
        const calls = new Set<string>();
        for (const [one, after, openRun] of events) {
          if (openRun !== 'live') open = null;
          const from = talk.commands.length;
          talk.take(one, after, openRun);
          for (const command of talk.commands.slice(from)) {
            if (command.type === 'start_run') {
              expect(open).toBeNull();
              expect(begun.has(command.runId)).toBe(false);
              begun.add(command.runId);
              open = command.runId;
              continue;
            }
            expect(command.runId).toBe(open);
            if (command.type === 'start_tool') calls.add(command.toolCallId);
            if (command.type === 'complete_tool') expect(calls.delete(command.toolCallId)).toBe(true);
            if (command.type === 'complete_run') open = null;
          }
        }
      },
    ),
    { numRuns: 300 },
  );
});
