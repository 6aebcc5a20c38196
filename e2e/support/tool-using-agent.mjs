/** An agent that speaks ACP and works only with the MCP tools it is offered: `edit`, then it checks itself. */
import { Readable, Writable } from 'node:stream';
import * as acp from '@agentclientprotocol/sdk';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';

const offered = new Map();

acp
  .agent({ name: 'tool-using-agent' })
  .onRequest(acp.methods.agent.initialize, () => ({
    protocolVersion: acp.PROTOCOL_VERSION,
    agentCapabilities: {},
    agentInfo: { name: 'tool-using-agent', version: '1.0.0' },
  }))
  .onRequest(acp.methods.agent.session.new, ({ params }) => {
    offered.set('s1', params.mcpServers);
    return { sessionId: 's1' };
  })
  .onRequest(acp.methods.agent.session.prompt, async ({ params, client }) => {
    const say = (text) =>
      client.notify(acp.methods.client.session.update, {
        sessionId: params.sessionId,
        update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } },
      });
    const [server] = offered.get(params.sessionId);
    if (!server) {
      await say('no tools');
      return { stopReason: 'end_turn' };
    }
    const tools = new Client({ name: 'tool-using-agent', version: '1' });
    const env = { ...process.env, ...Object.fromEntries(server.env.map(({ name, value }) => [name, value])) };
    await tools.connect(new StdioClientTransport({ command: server.command, args: server.args, env }));
    for (const call of JSON.parse(params.prompt[0].text)) {
      const { content } = await tools.callTool(call);
      await say(`${content[0].text}\n`);
    }
    await tools.close();
    return { stopReason: 'end_turn' };
  })
  .connect(acp.ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin)));
