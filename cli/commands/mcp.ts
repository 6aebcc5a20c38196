/** `tidemark mcp`: an MCP server over standard input and output, for the folder it is started in. */
import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { resolve } from 'node:path';
import type { Command } from '../command';
import { EXIT } from '../exit-codes';
import { createMcpProxy } from '../mcp-proxy';

export const mcp: Command = {
  name: 'mcp',
  summary: 'serve the MCP tools of Tidemark over standard input and output',
  usage: '[--workspace DIR]',
  about: [
    'An agent that starts it gets `edit` and `write`, whose answers are the diff of what is on the disk afterwards, and',
    '`list_runs`, `run_changes` and `run_patch`, to check what it changed. It speaks to the running server.',
  ].join('\n'),
  options: {
    workspace: { type: 'string', short: 'w', value: 'DIR', summary: 'the folder to work in (default: this one)' },
    session: { type: 'string', value: 'ID', summary: 'the session whose runs it belongs to' },
  },
  examples: [
    ['claude mcp add tidemark -- tidemark mcp', 'give it to Claude Code'],
    ['codex mcp add tidemark -- tidemark mcp', 'give it to Codex'],
  ],
  words: { least: 0, most: 0 },
  firstWords: null,
  async run(call) {
    const door = call.door();
    const query = new URLSearchParams({
      workspace: resolve(call.text('workspace') ?? '.'),
      // Tells this process from another one in the same folder.
      client: randomUUID(),
    });
    const session = call.text('session');
    if (session !== null) query.set('session', session);
    const proxy = createMcpProxy({
      url: `${door.url}/api/mcp?${query}`,
      token: door.token,
      request,
      write: (line) => process.stdout.write(`${line}\n`),
      complain: (text) => call.screen.note(`tidemark: ${text}`),
    });
    process.stdin.setEncoding('utf8');
    for await (const chunk of process.stdin) proxy.take(chunk as string);
    await proxy.close();
    return EXIT.done;
  },
};
