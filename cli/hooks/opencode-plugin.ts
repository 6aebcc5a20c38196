/** The plugin that tells Tidemark what opencode does: opencode has no hook commands, but loads modules. */

/**
 * The text of `plugins/tidemark.js`. It knows the data folder and no token; posts in order, waits at most two seconds
 * for an answer, and never throws into opencode.
 */
export function opencodePlugin(dataDir: string): string {
  return `// Tells Tidemark what opencode does: posts prompts and tool calls to the server on this computer.
// Written by \`tidemark hooks install opencode\`. It never fails opencode; TIDEMARK_HOOKS=off switches it off.
import { existsSync, readFileSync } from 'node:fs';

const DATA = ${JSON.stringify(dataDir)};
const MAX_CHARS = 200_000;
const WANTED = new Set(['session.created', 'session.updated', 'session.idle', 'session.error', 'session.deleted']);

export const Tidemark = async ({ directory }) => {
  if (process.env.TIDEMARK_HOOKS === 'off' || !existsSync(DATA)) return {};
  let queue = Promise.resolve();
  let slow = false;
  const assistants = new Set();
  const answers = new Map();

  const send = async (event, body) => {
    try {
      const server = JSON.parse(readFileSync(\`\${DATA}/server.json\`, 'utf8'));
      const token = readFileSync(server.token_file, 'utf8').trim();
      const query = new URLSearchParams({ event, directory });
      const answer = await fetch(\`\${server.url}/api/hooks/opencode?\${query}\`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: \`Bearer \${token}\` },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(slow ? 500 : 2000),
      });
      await answer.arrayBuffer();
      slow = false;
    } catch (error) {
      slow = error?.name === 'TimeoutError';
    }
  };
  const post = (event, body) => (queue = queue.then(() => send(event, body)));
  const cut = (value) => {
    if (typeof value === 'string') return value.length > MAX_CHARS ? value.slice(0, MAX_CHARS) : value;
    if (Array.isArray(value)) return value.map(cut);
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, cut(item)]));
  };

  return {
    event: async ({ event }) => {
      const { type, properties } = event;
      if (type === 'message.updated' && properties.info?.role === 'assistant') assistants.add(properties.info.id);
      if (type === 'message.part.updated' && properties.part?.type === 'text') {
        if (assistants.has(properties.part.messageID)) answers.set(properties.part.sessionID, properties.part);
        return;
      }
      if (!WANTED.has(type)) return;
      if (type === 'session.updated' && properties.info?.parentID === undefined) return;
      const sessionID = properties.sessionID ?? properties.info?.id;
      const part = answers.get(sessionID);
      const last = type === 'session.idle' && part ? { last_assistant_message: cut(part.text) } : {};
      const { id, directory: folder, parentID } = properties.info ?? {};
      const info = properties.info ? { info: { id, directory: folder, parentID } } : {};
      const error = properties.error ? { error: { name: properties.error.name, data: cut(properties.error.data) } } : {};
      await post(\`event:\${type}\`, { id: event.id, type, properties: { sessionID, ...info, ...error }, ...last });
      if (type === 'session.idle' || type === 'session.deleted') {
        answers.delete(sessionID);
        assistants.clear();
      }
    },
    'chat.message': async (input, output) => {
      const { id, sessionID } = output.message;
      const parts = output.parts.filter(({ type, synthetic }) => type === 'text' && !synthetic);
      answers.delete(sessionID);
      await post('chat.message', {
        input: { sessionID: input.sessionID },
        output: { message: { id, role: 'user', sessionID }, parts: parts.map(({ text }) => ({ type: 'text', text: cut(text) })) },
      });
    },
    'tool.execute.before': async ({ tool, sessionID, callID }, { args }) => {
      await post('tool.execute.before', { input: { tool, sessionID, callID }, output: { args: cut(args) } });
    },
    'tool.execute.after': async ({ tool, sessionID, callID, args }, result) => {
      const { title, output, metadata } = result ?? {};
      const { diff, filediff, filepath, exit } = metadata ?? {};
      await post('tool.execute.after', {
        input: { tool, sessionID, callID, args: cut(args) },
        output: cut({ title, output, metadata: { diff, filediff, filepath, exit } }),
      });
    },
  };
};
`;
}
