#!/usr/bin/env node
/**
 * A real ACP agent over stdio whose prompts are scripts: what it says, does and breaks is written in the message.
 *
 * One step a line (or separated by ` ;; `); a line that is no step is said back. Paths are relative to the workspace.
 *   say TEXT · think TEXT · stream N MS TEXT (N chunks) · stamps N MS (when each was said) · plan · title TEXT · usage · commands · mode ID
 *   read PATH · write PATH TEXT · edit PATH OLD => NEW · append PATH TEXT · delete PATH · move FROM TO · run COMMAND
 *   ask (the next call asks for permission first) · leave (the next call is never closed) · sub (the next call is a subagent's)
 *   sleep MS · hang · late MS|FILE STEP (a step after the prompt has ended: then, or when the file is there)
 *   crash [CODE] · throw · auth · refuse · exhaust · closestdout · orphan FILE · careless FILE · stubborn
 *   garbage · unknown · badcontent · utf8 · flood N · floodtools N · floodcall N · big MB · bigtool MB · outside PATH · ask-after-cancel
 * Start-up faults, by argument: --exit CODE · --silent · --garbage · --version N · --slow MS · --auth · --hang-new · --no-resume
 *   --no-such-resume (offered, but not there)
 *   --load (history is repeated), --load-late (after the answer) · --no-images · --options (configOptions instead of modes) · --fs (reads and writes through the client)
 * History is kept in $SCRIPTED_AGENT_HOME, so that a restarted agent can resume.
 * $SCRIPTED_AGENT_STORY names a JSON file of plain prompts and the script that each stands for.
 */
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import * as acp from '@agentclientprotocol/sdk';

const args = process.argv.slice(2);
const has = (flag) => args.includes(flag);
const argument = (flag, fallback) => (has(flag) ? args[args.indexOf(flag) + 1] : fallback);
const home = process.env.SCRIPTED_AGENT_HOME ?? null;
const STORY = process.env.SCRIPTED_AGENT_STORY
  ? JSON.parse(fs.readFileSync(process.env.SCRIPTED_AGENT_STORY, 'utf8'))
  : {};
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const raw = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);

async function appeared(file) {
  while (!fs.existsSync(file)) await sleep(20);
}

/** Frames of the SDK and raw ones share one pipe, so each waits for its own bytes and nothing else. */
const output = new WritableStream({
  write: (chunk) =>
    new Promise((resolve, reject) => {
      process.stdout.write(chunk, (error) => (error ? reject(error) : resolve()));
    }),
});

if (has('--exit')) {
  console.error(argument('--stderr', 'cannot start: no such licence'));
  process.exit(Number(argument('--exit', 1)));
}
if (has('--garbage')) process.stdout.write('Welcome to the agent!\nPress any key to continue.\n');
if (has('--silent') || has('--garbage')) {
  process.stdin.resume();
  await new Promise(() => {});
}
if (has('--slow')) await sleep(Number(argument('--slow', 0)));

/** id → { cwd, history, cancel, mode, n, flags } */
const sessions = new Map();
let counter = 0;
let calls = 0;
const fileOf = (id) => (home === null ? null : path.join(home, `${id}.json`));

function remember(id, entry) {
  sessions.get(id)?.history.push(entry);
  const file = fileOf(id);
  if (file) fs.writeFileSync(file, JSON.stringify(sessions.get(id).history));
}
function recall(id) {
  const file = fileOf(id);
  if (!file || !fs.existsSync(file)) throw new acp.RequestError(-32002, `Resource not found: ${id}`);
  return JSON.parse(fs.readFileSync(file, 'utf8'));
}
const MODES = [
  { id: 'ask', name: 'Ask', description: 'Ask before every edit' },
  { id: 'auto', name: 'Auto', description: 'Edit without asking' },
];
function choices(session) {
  if (!has('--options')) return { modes: { currentModeId: session.mode, availableModes: MODES } };
  const options = (list) => list.map(({ id, name, description }) => ({ value: id, name, description }));
  return {
    configOptions: [
      {
        id: 'mode',
        name: 'Mode',
        category: 'mode',
        type: 'select',
        currentValue: session.mode,
        options: options(MODES),
      },
      {
        id: 'model',
        name: 'Model',
        category: 'model',
        type: 'select',
        currentValue: session.model,
        options: [
          {
            group: 'house',
            name: 'House',
            options: [
              { value: 'small', name: 'Small' },
              { value: 'large', name: 'Large' },
            ],
          },
        ],
      },
      { id: 'fast', name: 'Fast', type: 'boolean', currentValue: false },
    ],
  };
}

class Turn {
  constructor(client, sessionId, session, signal) {
    Object.assign(this, { client, sessionId, session, signal, asks: false, leaves: false, sub: false });
  }

  tell(update) {
    if (['agent_message_chunk', 'tool_call', 'tool_call_update'].includes(update.sessionUpdate))
      remember(this.sessionId, update);
    return this.client.notify(acp.methods.client.session.update, { sessionId: this.sessionId, update });
  }

  say(text, kind = 'agent_message_chunk') {
    return this.tell({ sessionUpdate: kind, content: { type: 'text', text }, messageId: `m${this.session.n}` });
  }

  /** Announces a call, asks where it must, does the work, and ends it as an agent would. */
  async call({ title, kind, tool, input, locations = [], content = [] }, work) {
    calls += 1;
    const toolCallId = `call_${process.pid}_${calls}`;
    const meta = { toolName: tool, ...(this.sub ? { claudeCode: { toolName: tool, parentToolUseId: 'parent' } } : {}) };
    await this.tell({
      sessionUpdate: 'tool_call',
      toolCallId,
      title,
      kind,
      status: 'pending',
      locations,
      content,
      rawInput: input,
      _meta: meta,
    });
    if (this.asks && !(await this.allowed(toolCallId))) {
      await this.tell({
        sessionUpdate: 'tool_call_update',
        toolCallId,
        status: 'failed',
        rawOutput: 'User refused permission to run tool',
      });
      return;
    }
    await this.tell({ sessionUpdate: 'tool_call_update', toolCallId, status: 'in_progress' });
    try {
      const done = await work(toolCallId);
      if (this.leaves) return;
      await this.tell({ sessionUpdate: 'tool_call_update', toolCallId, status: 'completed', ...done });
    } catch (error) {
      const text = String(error.message ?? error);
      await this.tell({
        sessionUpdate: 'tool_call_update',
        toolCallId,
        status: 'failed',
        content: [{ type: 'content', content: { type: 'text', text } }],
      });
    } finally {
      this.asks = this.leaves = this.sub = false;
    }
  }

  async allowed(toolCallId) {
    const { outcome } = await this.client.request(acp.methods.client.session.requestPermission, {
      sessionId: this.sessionId,
      toolCall: { toolCallId },
      options: [
        { optionId: 'yes', name: 'Allow', kind: 'allow_once' },
        { optionId: 'always', name: 'Always allow', kind: 'allow_always' },
        { optionId: 'no', name: 'Reject', kind: 'reject_once' },
      ],
    });
    return outcome.outcome === 'selected' && outcome.optionId !== 'no';
  }

  resolve(name) {
    return path.resolve(this.session.cwd, name);
  }

  async readFile(file) {
    if (!has('--fs')) return fs.readFileSync(file, 'utf8');
    return (await this.client.request(acp.methods.client.fs.readTextFile, { sessionId: this.sessionId, path: file }))
      .content;
  }

  async writeFile(file, content) {
    if (has('--fs'))
      return this.client.request(acp.methods.client.fs.writeTextFile, {
        sessionId: this.sessionId,
        path: file,
        content,
      });
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, content);
  }

  change(name, tool, input, before, after) {
    const file = this.resolve(name);
    const content = [{ type: 'diff', path: file, oldText: before, newText: after }];
    return this.call(
      {
        title: `${tool} ${name}`,
        kind: 'edit',
        tool,
        input: { file_path: file, ...input },
        locations: [{ path: file }],
        content,
      },
      async () => {
        await this.writeFile(file, await this.next(file, input, after));
        return { rawOutput: `The file ${name} has been updated.` };
      },
    );
  }

  async next(file, input, after) {
    return input.old_string === undefined
      ? after
      : (await this.readFile(file)).replaceAll(input.old_string, input.new_string);
  }

  run(command) {
    return this.call(
      { title: command, kind: 'execute', tool: 'Bash', input: { command } },
      (toolCallId) =>
        new Promise((resolve, reject) => {
          const options = { cwd: this.session.cwd, detached: true, stdio: ['ignore', 'pipe', 'pipe'] };
          const child = spawn('/bin/sh', ['-c', command], options);
          let text = '';
          const hear = (bytes) => {
            text += bytes;
            void this.tell({
              sessionUpdate: 'tool_call_update',
              toolCallId,
              content: [{ type: 'content', content: { type: 'text', text } }],
            });
          };
          child.stdout.on('data', hear);
          child.stderr.on('data', hear);
          const kill = () => process.kill(-child.pid, 'SIGKILL');
          this.signal.addEventListener('abort', kill, { once: true });
          child.on('close', (code) => {
            this.signal.removeEventListener('abort', kill);
            if (code === 0) resolve({ rawOutput: { output: text, exit_code: 0 } });
            else reject(new Error(`Exit code ${code}\n${text}`));
          });
        }),
    );
  }

  /** Runs one step; a result ends the prompt with it. */
  async step(line) {
    const [word = '', ...rest] = line.split(' ');
    const text = rest.join(' ').replaceAll('\\n', '\n');
    const { sessionId } = this;
    switch (word) {
      case 'say':
        return void (await this.say(text));
      case 'think':
        return void (await this.say(text, 'agent_thought_chunk'));
      case 'stream': {
        const [count, ms, ...words] = rest;
        for (let at = 0; at < Number(count) && !this.signal.aborted; at += 1) {
          await this.say(`${words.join(' ').replaceAll('\\n', '\n')}${at} `);
          if (Number(ms) > 0) await sleep(Number(ms));
        }
        return;
      }
      case 'stamps': {
        // Words that tell when they were said, for whoever measures when they are seen.
        const [count, ms] = rest.map(Number);
        for (let at = 0; at < count && !this.signal.aborted; at += 1) {
          await this.say(`t${performance.timeOrigin + performance.now()} `);
          await sleep(ms);
        }
        return;
      }
      case 'plan':
        return void (await this.tell({
          sessionUpdate: 'plan',
          entries: [
            { content: 'Look around', status: 'completed', priority: 'high' },
            { content: 'Edit the file', status: 'in_progress', priority: 'medium' },
            { content: 'Check the result', status: 'pending', priority: 'low' },
          ],
        }));
      case 'title':
        return void (await this.tell({ sessionUpdate: 'session_info_update', title: text }));
      case 'usage':
        return void (await this.tell({
          sessionUpdate: 'usage_update',
          used: 1200,
          size: 200000,
          cost: { amount: 0.02, currency: 'USD' },
        }));
      case 'commands':
        return void (await this.tell({
          sessionUpdate: 'available_commands_update',
          availableCommands: [
            { name: 'review', description: 'Review the current diff', input: { hint: '[path]' } },
            { name: 'compact', description: 'Make the context smaller', input: null },
          ],
        }));
      case 'mode':
        this.session.mode = text;
        return void (await this.tell({ sessionUpdate: 'current_mode_update', currentModeId: text }));
      case 'read': {
        const file = this.resolve(text);
        return this.call(
          {
            title: `Read ${text}`,
            kind: 'read',
            tool: 'Read',
            input: { file_path: file },
            locations: [{ path: file, line: 1 }],
          },
          async () => ({ rawOutput: await this.readFile(file) }),
        );
      }
      case 'write': {
        const [name, ...words] = rest;
        const after = words.join(' ').replaceAll('\\n', '\n');
        return this.change(name, 'Write', { content: after }, null, after);
      }
      case 'append': {
        const [name, ...words] = rest;
        const before = fs.readFileSync(this.resolve(name), 'utf8');
        return this.change(name, 'Write', { content: '' }, before, before + words.join(' ').replaceAll('\\n', '\n'));
      }
      case 'edit': {
        const [name, ...words] = rest;
        const [before = '', after = ''] = words.join(' ').replaceAll('\\n', '\n').split(' => ');
        return this.change(name, 'Edit', { old_string: before, new_string: after }, before, after);
      }
      case 'delete':
        return this.call(
          {
            title: `Delete ${text}`,
            kind: 'delete',
            tool: 'delete_file',
            input: { path: this.resolve(text) },
            locations: [{ path: this.resolve(text) }],
          },
          async () => {
            fs.rmSync(this.resolve(text));
            return {};
          },
        );
      case 'move': {
        const [from, to] = rest.map((name) => this.resolve(name));
        return this.call(
          {
            title: `Move ${rest.join(' to ')}`,
            kind: 'move',
            tool: 'move_file',
            input: { source: from, destination: to },
            locations: [{ path: from }, { path: to }],
          },
          async () => {
            fs.renameSync(from, to);
            return {};
          },
        );
      }
      case 'run':
        return this.run(rest.join(' '));
      case 'ask':
        this.asks = true;
        return;
      case 'leave':
        this.leaves = true;
        return;
      case 'sub':
        this.sub = true;
        return;
      case 'sleep':
        return sleep(Number(text));
      case 'hang':
        while (!this.signal.aborted) await sleep(20);
        return;
      case 'late': {
        const [when, ...step] = rest;
        const turn = new Turn(this.client, sessionId, this.session, new AbortController().signal);
        const wait = /^\d+$/.test(when) ? sleep(Number(when)) : appeared(when);
        void wait.then(() => turn.step(step.join(' ')));
        return;
      }
      case 'crash':
        console.error('panic: the script said so');
        process.exit(Number(text || 7));
        break;
      case 'throw':
        throw new Error('agent handler threw');
      case 'auth':
        throw new acp.RequestError(-32000, 'Authentication required', { reason: 'the session has expired' });
      case 'refuse':
        return { stopReason: 'refusal' };
      case 'exhaust':
        return { stopReason: 'max_tokens' };
      case 'closestdout':
        fs.closeSync(1);
        await sleep(60_000);
        return;
      case 'orphan':
        spawn('/bin/sh', ['-c', `trap "" TERM HUP; echo $$ > ${text}; sleep 600`], { stdio: 'inherit' });
        while (!fs.existsSync(text)) await sleep(10);
        return;
      case 'careless':
        // Says that it was cancelled and lets its command run on, in a group of its own.
        spawn('/bin/sh', ['-c', `echo $$ > ${text}; sleep 600`], { detached: true, stdio: 'ignore' });
        while (!this.signal.aborted) await sleep(20);
        return;
      case 'stubborn':
        this.session.isStubborn = true;
        await sleep(600_000);
        return;
      case 'garbage':
        process.stdout.write(
          'this is not json\n\n[]\n5\n"text"\n{"jsonrpc":"2.0","method":"session/update"}\n{"jsonrpc":"2.0","id":null,"result":1}\n{"jsonrpc":"2.0","id":999,"result":1}\n{"id":3}\n',
        );
        return;
      case 'unknown':
        raw({ method: 'session/update', params: { sessionId, update: { sessionUpdate: 'brand_new_thing', x: 1 } } });
        raw({
          method: 'session/update',
          params: {
            sessionId,
            update: {
              sessionUpdate: 'tool_call',
              toolCallId: 'odd',
              title: 'odd',
              kind: 'teleport',
              status: 'weird',
              extraField: 5,
              _meta: { a: 1 },
              rawOutput: { structuredContent: { k: [1] }, _meta: { z: 2 } },
            },
          },
        });
        raw({ method: '_vendor/ping', params: { a: 1 } });
        raw({ method: 'session/update', params: { sessionId } });
        raw({
          method: 'session/update',
          params: { sessionId, update: { sessionUpdate: 'tool_call', toolCallId: '' } },
        });
        raw({
          method: 'session/update',
          params: { sessionId, update: { sessionUpdate: 'tool_call_update', toolCallId: 7, title: {} } },
        });
        raw({ id: 'x1', method: '_vendor/ask', params: {} });
        return;
      case 'badcontent':
        raw({
          method: 'session/update',
          params: {
            sessionId,
            update: {
              sessionUpdate: 'tool_call_update',
              toolCallId: 'bad',
              title: 'bad',
              content: [
                { type: 'diff', path: '/a', newText: 'x' },
                { type: 'hologram', foo: 1 },
                { type: 'terminal', terminalId: 'nope' },
                null,
                { type: 'diff' },
                { type: 'content', content: { type: 'text', text: 'still here' } },
              ],
            },
          },
        });
        raw({
          method: 'session/update',
          params: { sessionId, update: { sessionUpdate: 'agent_message_chunk', content: { type: 'smell' } } },
        });
        return;
      case 'utf8':
        process.stdout.write(
          Buffer.concat([
            Buffer.from(
              `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"${sessionId}","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"bad `,
            ),
            Buffer.from([0xff, 0xc3]),
            Buffer.from(' bytes"}}}}\n'),
          ]),
        );
        return;
      case 'flood':
        for (let at = 0; at < Number(text); at += 1)
          raw({
            method: 'session/update',
            params: {
              sessionId,
              update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: `${at},` } },
            },
          });
        return;
      case 'floodtools':
        for (let at = 0; at < Number(text); at += 1)
          raw({
            method: 'session/update',
            params: {
              sessionId,
              update: {
                sessionUpdate: 'tool_call',
                toolCallId: `flood${at}`,
                title: `call ${at}`,
                kind: 'read',
                status: 'completed',
              },
            },
          });
        return;
      case 'floodcall':
        raw({
          method: 'session/update',
          params: {
            sessionId,
            update: {
              sessionUpdate: 'tool_call',
              toolCallId: 'busy',
              title: 'busy',
              kind: 'execute',
              status: 'in_progress',
            },
          },
        });
        for (let at = 0; at < Number(text); at += 1)
          raw({
            method: 'session/update',
            params: {
              sessionId,
              update: {
                sessionUpdate: 'tool_call_update',
                toolCallId: 'busy',
                _meta: { terminal_output_delta: { data: `line ${at}\n`, terminal_id: 'busy' } },
              },
            },
          });
        raw({
          method: 'session/update',
          params: { sessionId, update: { sessionUpdate: 'tool_call_update', toolCallId: 'busy', status: 'completed' } },
        });
        return;
      case 'big':
        return void raw({
          method: 'session/update',
          params: {
            sessionId,
            update: {
              sessionUpdate: 'agent_message_chunk',
              content: { type: 'text', text: 'b'.repeat(Number(text) * 1024 * 1024) },
            },
          },
        });
      case 'bigtool': {
        const much = 't'.repeat(Number(text) * 1024 * 1024);
        return void raw({
          method: 'session/update',
          params: {
            sessionId,
            update: {
              sessionUpdate: 'tool_call',
              toolCallId: 'big',
              title: 'big',
              kind: 'edit',
              status: 'completed',
              rawInput: { content: much },
              rawOutput: much,
              content: [{ type: 'diff', path: '/a', oldText: null, newText: much }],
            },
          },
        });
      }
      case 'outside':
        return this.call(
          {
            title: `Edit ${text}`,
            kind: 'edit',
            tool: 'Write',
            input: { file_path: text, content: 'outside' },
            locations: [{ path: text }],
          },
          async () => {
            await this.writeFile(text, 'outside');
            return {};
          },
        );
      case 'ask-after-cancel':
        while (!this.signal.aborted) await sleep(10);
        await this.say((await this.allowed('call_late')) ? 'allowed' : 'denied');
        return;
      default:
        if (line.trim() !== '') await this.say(line);
    }
  }
}

acp
  .agent({ name: 'scripted-agent' })
  .onRequest(acp.methods.agent.initialize, () => ({
    protocolVersion: Number(argument('--version', acp.PROTOCOL_VERSION)),
    agentCapabilities: {
      loadSession: !has('--no-resume'),
      promptCapabilities: { image: !has('--no-images'), embeddedContext: true },
      mcpCapabilities: { http: true },
      sessionCapabilities: has('--no-resume') || has('--load') || has('--load-late') ? {} : { resume: {} },
    },
    agentInfo: { name: 'scripted-agent', version: '1.0.0' },
    authMethods: [{ id: 'login', name: 'Log in', description: 'Run `scripted login` in a terminal' }],
  }))
  .onRequest(acp.methods.agent.session.new, async ({ params }) => {
    if (has('--auth')) throw new acp.RequestError(-32000, 'Authentication required');
    if (has('--hang-new')) await new Promise(() => {});
    counter += 1;
    const sessionId = `s${process.pid}-${counter}`;
    sessions.set(sessionId, {
      cwd: params.cwd,
      history: [],
      mode: 'ask',
      model: 'small',
      n: 0,
      mcp: params.mcpServers,
    });
    remember(sessionId, { sessionUpdate: 'begun' });
    return { sessionId, ...choices(sessions.get(sessionId)) };
  })
  .onRequest(acp.methods.agent.session.load, async ({ params, client }) => {
    const history = recall(params.sessionId);
    sessions.set(params.sessionId, { cwd: params.cwd, history, mode: 'ask', model: 'small', n: 0 });
    const repeat = async () => {
      for (const update of history) {
        if (update.sessionUpdate === 'begun') continue;
        await client.notify(acp.methods.client.session.update, { sessionId: params.sessionId, update });
      }
    };
    // Some agents answer first and repeat afterwards.
    if (has('--load-late')) setTimeout(() => void repeat(), 50);
    else await repeat();
    return choices(sessions.get(params.sessionId));
  })
  .onRequest(acp.methods.agent.session.resume, ({ params }) => {
    if (has('--no-such-resume')) throw acp.RequestError.methodNotFound('session/resume');
    sessions.set(params.sessionId, {
      cwd: params.cwd,
      history: recall(params.sessionId),
      mode: 'ask',
      model: 'small',
      n: 0,
    });
    return choices(sessions.get(params.sessionId));
  })
  .onRequest(acp.methods.agent.session.setMode, async ({ params, client }) => {
    const session = sessions.get(params.sessionId);
    if (!MODES.some(({ id }) => id === params.modeId)) throw acp.RequestError.invalidParams(undefined, 'no such mode');
    session.mode = params.modeId;
    await client.notify(acp.methods.client.session.update, {
      sessionId: params.sessionId,
      update: { sessionUpdate: 'current_mode_update', currentModeId: params.modeId },
    });
    return {};
  })
  .onRequest(acp.methods.agent.session.setConfigOption, ({ params }) => {
    const session = sessions.get(params.sessionId);
    session[params.configId] = params.value;
    return choices(session);
  })
  .onNotification(acp.methods.agent.session.cancel, ({ params }) => {
    const session = sessions.get(params.sessionId);
    if (!session?.isStubborn) session?.cancel?.abort();
  })
  .onRequest(acp.methods.agent.session.prompt, async ({ params, client }) => {
    const session = sessions.get(params.sessionId);
    if (!session) throw acp.RequestError.invalidParams({ sessionId: params.sessionId }, 'unknown session');
    session.cancel = new AbortController();
    session.n += 1;
    const text = params.prompt.map((block) => block.text ?? `say got ${block.type} ${block.mimeType}`).join('\n');
    remember(params.sessionId, { sessionUpdate: 'user_message_chunk', content: { type: 'text', text } });
    const turn = new Turn(client, params.sessionId, session, session.cancel.signal);
    for (const line of (STORY[text] ?? text).split(/\n| ;; /)) {
      const result = await turn.step(line.trim());
      if (session.cancel.signal.aborted) return { stopReason: 'cancelled' };
      if (result) return result;
    }
    return { stopReason: 'end_turn', usage: { totalTokens: 5, inputTokens: 3, outputTokens: 2 } };
  })
  .connect(acp.ndJsonStream(output, Readable.toWeb(process.stdin)));

// As well-behaved agents do: no client, no agent.
process.stdin.on('end', () => process.exit(0));
