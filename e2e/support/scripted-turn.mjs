/** One prompt of the scripted agent: what it says, and its tool calls, announced, asked for, done and ended as an agent does. */
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import * as acp from '@agentclientprotocol/sdk';

let calls = 0;

export class Turn {
  /** `remember` keeps what a resumed conversation repeats; `throughClient` reads and writes files by the client's own door. */
  constructor({ client, sessionId, session, signal, remember, throughClient }) {
    Object.assign(this, { client, sessionId, session, signal, remember, throughClient });
    /** What the next call is told to do: ask first, stay open, be a subagent's. */
    Object.assign(this, { asks: false, leaves: false, sub: false });
  }

  /** The same conversation after this prompt has ended: nobody cancels it. */
  afterwards() {
    return new Turn({ ...this, signal: new AbortController().signal });
  }

  tell(update) {
    if (['agent_message_chunk', 'tool_call', 'tool_call_update'].includes(update.sessionUpdate))
      this.remember(this.sessionId, update);
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
    if (!this.throughClient) return fs.readFileSync(file, 'utf8');
    return (await this.client.request(acp.methods.client.fs.readTextFile, { sessionId: this.sessionId, path: file }))
      .content;
  }

  async writeFile(file, content) {
    if (this.throughClient)
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
}
