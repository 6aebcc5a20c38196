/** Carries MCP messages between standard input and output and the server's streamable HTTP endpoint, one line a message. */
import type { ClientRequest, IncomingMessage, RequestOptions } from 'node:http';

/** Longest line taken from the client, in characters; a longer one is no message. */
const MAX_LINE_CHARS = 8 * 1024 * 1024;
/** Milliseconds the goodbye to the server may take. */
const GOODBYE_MS = 2_000;

export interface McpProxyOptions {
  url: string;
  token: string;
  request: (url: string, options: RequestOptions, answered: (answer: IncomingMessage) => void) => ClientRequest;
  /** Gives one message to the client. */
  write(line: string): void;
  complain(text: string): void;
}

export interface McpProxy {
  /** Takes what came from the client, in pieces of any size. */
  take(chunk: string): void;
  /** Waits for what is under way, then ends the session. */
  close(): Promise<void>;
}

interface Message {
  id?: string | number;
  method?: string;
}

export function createMcpProxy({ url, token, request, write, complain }: McpProxyOptions): McpProxy {
  let rest = '';
  let session: string | null = null;
  let protocol: string | null = null;
  /** The first message decides on the session; all others wait for its answer. */
  let opened: Promise<void> = Promise.resolve();
  const underWay = new Set<Promise<void>>();

  const headers = () => ({
    authorization: `Bearer ${token}`,
    accept: 'application/json, text/event-stream',
    ...(session !== null && { 'mcp-session-id': session }),
    ...(protocol !== null && { 'mcp-protocol-version': protocol }),
  });

  /** Tells the client that its request failed, where it was one. */
  const fail = (message: Message, text: string) => {
    complain(text);
    if (message.id === undefined || message.method === undefined) return;
    write(JSON.stringify({ jsonrpc: '2.0', id: message.id, error: { code: -32603, message: text } }));
  };

  const deliver = (text: string) => {
    let answer: { result?: { protocolVersion?: unknown } };
    try {
      answer = JSON.parse(text);
    } catch {
      complain('the server sent something that is no message');
      return;
    }
    if (protocol === null && typeof answer.result?.protocolVersion === 'string')
      protocol = answer.result.protocolVersion;
    // A message is one line.
    write(JSON.stringify(answer));
  };

  const send = (line: string, message: Message): Promise<void> =>
    new Promise((resolve) => {
      const body = Buffer.from(line);
      const options = {
        method: 'POST',
        agent: false,
        headers: { ...headers(), 'content-type': 'application/json', 'content-length': body.length },
      };
      const sent = request(url, options, (answer) => {
        const id = answer.headers['mcp-session-id'];
        if (typeof id === 'string') session = id;
        receive(answer, deliver).then(
          (refusal) => {
            if (refusal !== null) fail(message, refusal);
            resolve();
          },
          (error: Error) => {
            fail(message, `the answer broke off: ${error.message}`);
            resolve();
          },
        );
      });
      sent.on('error', (error) => {
        fail(message, `Tidemark does not answer: ${error.message}`);
        resolve();
      });
      sent.end(body);
    });

  const handle = (line: string) => {
    if (line.trim() === '') return;
    let message: Message;
    try {
      message = JSON.parse(line) as Message;
    } catch {
      write(JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32700, message: 'Parse error' } }));
      return;
    }
    const work = opened.then(() => send(line, message));
    if (message?.method === 'initialize') opened = work;
    underWay.add(work);
    void work.finally(() => underWay.delete(work));
  };

  return {
    take(chunk) {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) handle(line);
      if (rest.length > MAX_LINE_CHARS) {
        complain('a message is longer than 8 MiB and was dropped');
        rest = '';
      }
    },
    async close() {
      if (rest !== '') handle(rest);
      await Promise.all(underWay);
      await new Promise<void>((resolve) => {
        const goodbye = request(
          url,
          { method: 'DELETE', agent: false, headers: headers(), timeout: GOODBYE_MS },
          (answer) => {
            answer.resume();
            answer.on('close', resolve);
          },
        );
        goodbye.on('timeout', () => goodbye.destroy());
        goodbye.on('error', () => resolve());
        goodbye.end();
      });
    },
  };
}

/** Hands on every message of an answer, JSON or event stream. Resolves to the refusal, where it was one. */
async function receive(answer: IncomingMessage, deliver: (text: string) => void): Promise<string | null> {
  answer.setEncoding('utf8');
  const status = answer.statusCode ?? 0;
  const isStream = String(answer.headers['content-type'] ?? '').startsWith('text/event-stream');
  let rest = '';
  let data: string[] = [];
  for await (const chunk of answer) {
    rest += chunk as string;
    if (!isStream) continue;
    const lines = rest.split(/\r?\n/);
    rest = lines.pop() ?? '';
    for (const line of lines) {
      if (line.startsWith('data:')) data.push(line.slice(5).replace(/^ /, ''));
      else if (line === '' && data.length > 0) {
        deliver(data.join('\n'));
        data = [];
      }
    }
  }
  if (isStream || status === 202 || status === 204) return null;
  if (status >= 200 && status < 300) {
    if (rest.trim() !== '') deliver(rest);
    return null;
  }
  return sentenceOf(rest) ?? `Tidemark answered ${status}`;
}

function sentenceOf(text: string): string | null {
  try {
    const { error } = JSON.parse(text) as { error?: { message?: unknown } };
    return typeof error?.message === 'string' ? error.message : null;
  } catch {
    return null;
  }
}
