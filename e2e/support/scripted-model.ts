/** A model that plays scripts, on loopback, in the four wire forms that real agents speak; without memory, so that any number may ask. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerAnthropic, answerChat, answerGemini, answerResponses, type Body, sendJson } from './model-wires';

export interface ScriptedModel {
  url: string;
  /** Prompts that were played, in order. */
  played: string[];
  close(): Promise<void>;
}

export async function startScriptedModel(): Promise<ScriptedModel> {
  const played: string[] = [];
  const server = createServer((request, response) => {
    void readBody(request).then((body) => {
      const prompt = /SCRIPT:\w+/.exec(JSON.stringify(body))?.[0];
      if (prompt && played.at(-1) !== prompt) played.push(prompt);
      route(request, response, body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    played,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

function route(request: IncomingMessage, response: ServerResponse, body: Body): ServerResponse {
  const { pathname } = new URL(request.url ?? '/', 'http://localhost');
  const gemini = /\/models\/([^:]+):(streamGenerateContent|generateContent)$/.exec(pathname);
  if (request.method === 'POST') {
    if (pathname.endsWith('/count_tokens')) return sendJson(response, { input_tokens: 100 });
    if (pathname.endsWith(':countTokens')) return sendJson(response, { totalTokens: 100 });
    if (pathname.endsWith('/messages')) return answerAnthropic(response, body);
    if (pathname.endsWith('/chat/completions')) return answerChat(response, body);
    if (pathname.endsWith('/responses')) return answerResponses(response, body);
    if (gemini) return answerGemini(response, body, gemini[2] === 'streamGenerateContent');
  }
  if (pathname.endsWith('/models')) {
    return sendJson(response, {
      object: 'list',
      data: [{ id: 'fake-model', object: 'model', type: 'model' }],
      models: [],
    });
  }
  return sendJson(
    response,
    { error: { type: 'not_found_error', message: 'The scripted model has no such route' } },
    404,
  );
}

async function readBody(request: IncomingMessage): Promise<Body> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  try {
    return JSON.parse(Buffer.concat(chunks).toString()) as Body;
  } catch {
    return {};
  }
}
