/** The way from the command line to the server: finds it by `<data>/server.json` and speaks JSON with it. */
import { readFileSync } from 'node:fs';
import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { dataDirOf } from '@/lib/domain/data-folder';
import { CommandFailure, EXIT } from './exit-codes';

/** Milliseconds an ordinary answer may take; a run's start and end say their own. */
const ANSWER_MS = 15_000;

/** What the server writes about itself into the data folder. */
export interface ServerFile {
  url: string;
  pid: number;
  tokenFile: string;
  version: string;
}

export interface Door {
  /** Where the server is, without a slash at the end. */
  url: string;
  server: ServerFile;
  token: string;
  /** Asks for JSON. Throws `CommandFailure` for everything but a 2xx answer. */
  json<Answer>(method: string, path: string, body?: unknown, options?: { timeoutMs?: number }): Promise<Answer>;
  /** Asks for bytes, as they come. Throws `CommandFailure` for everything but a 2xx answer. */
  bytes(path: string): Promise<{ headers: IncomingHttpHeaders; chunks: AsyncIterable<Uint8Array> }>;
}

/** Absolute. */
export function dataFolder(): string {
  return resolve(dataDirOf({ env: process.env, platform: process.platform, home: homedir() }));
}

/** The server file of a data folder, or null where there is none or it is half written. */
export function readServerFile(dataDir: string): ServerFile | null {
  let parsed: unknown;
  try {
    parsed = JSON.parse(readFileSync(join(dataDir, 'server.json'), 'utf8'));
  } catch {
    return null;
  }
  if (typeof parsed !== 'object' || parsed === null) return null;
  const { url, pid, token_file: tokenFile, version } = parsed as Record<string, unknown>;
  if (typeof url !== 'string' || typeof pid !== 'number' || typeof tokenFile !== 'string') return null;
  return { url: url.replace(/\/+$/, ''), pid, tokenFile, version: typeof version === 'string' ? version : '' };
}

/** The failure that everything ends in where no server answers. */
export function away(detail: string): CommandFailure {
  return new CommandFailure(
    EXIT.away,
    `Tidemark is not running (${detail}).`,
    'Start it with `tidemark start`, or with `npm start` in its folder.',
  );
}

/** Opens the way to the server of a data folder. Throws exit 69 where there is none. */
export function openDoor(dataDir: string): Door {
  const server = readServerFile(dataDir);
  if (server === null) throw away(`no server.json in ${dataDir}`);
  const token = readToken(server.tokenFile);

  const send = (method: string, path: string, body: unknown, timeoutMs: number): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      const payload = body === undefined ? null : Buffer.from(JSON.stringify(body));
      const sent = request(
        `${server.url}${path}`,
        {
          method,
          // One question, one connection: nothing is kept that could hold the process.
          agent: false,
          timeout: timeoutMs,
          headers: {
            authorization: `Bearer ${token}`,
            accept: 'application/json',
            ...(payload && { 'content-type': 'application/json', 'content-length': payload.length }),
          },
        },
        resolve,
      );
      sent.on('timeout', () => sent.destroy(new Error(`no answer within ${timeoutMs / 1000} s`)));
      sent.on('error', (error: NodeJS.ErrnoException) =>
        reject(away(error.code === 'ECONNREFUSED' ? `nothing answers at ${server.url}` : error.message)),
      );
      sent.end(payload);
    });

  const accepted = async (answer: IncomingMessage): Promise<IncomingMessage> => {
    const status = answer.statusCode ?? 0;
    if (status >= 200 && status < 300) return answer;
    throw refusal(status, await textOf(answer));
  };

  return {
    url: server.url,
    server,
    token,
    async json<Answer>(method: string, path: string, body?: unknown, { timeoutMs = ANSWER_MS } = {}) {
      const text = await textOf(await accepted(await send(method, path, body, timeoutMs)));
      if (text === '') return null as Answer;
      try {
        return JSON.parse(text) as Answer;
      } catch {
        throw new CommandFailure(EXIT.failed, `What answers at ${server.url} is not Tidemark.`);
      }
    },
    bytes: async (path) => {
      const answer = await accepted(await send('GET', path, undefined, ANSWER_MS));
      return { headers: answer.headers, chunks: whole(answer) };
    },
  };
}

function readToken(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    if (process.env.TIDEMARK_TOKEN) return process.env.TIDEMARK_TOKEN;
    throw new CommandFailure(EXIT.notAllowed, `The token of Tidemark cannot be read: ${(error as Error).message}`);
  }
}

/** What an answer holds, piece by piece; one that breaks off is a failure. */
async function* whole(answer: IncomingMessage): AsyncIterable<Uint8Array> {
  try {
    for await (const chunk of answer) yield chunk as Buffer;
  } catch (error) {
    throw away(`the answer broke off: ${(error as Error).message}`);
  }
}

async function textOf(answer: IncomingMessage): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of whole(answer)) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

/** The server's refusal as a failure with its own sentence. */
function refusal(status: number, text: string): CommandFailure {
  let message = `Tidemark answered ${status}.`;
  let code = '';
  try {
    const { error } = JSON.parse(text) as { error?: { code?: unknown; message?: unknown } };
    if (typeof error?.message === 'string') message = error.message;
    if (typeof error?.code === 'string') code = error.code;
  } catch {
    // Not ours, or broken: the status says what is known.
  }
  const failure = new Refusal(
    code === 'unauthorized' ? EXIT.notAllowed : code === 'not_found' ? EXIT.notFound : EXIT.failed,
    message,
  );
  failure.code = code;
  return failure;
}

/** What the server said no to; `code` is CONTRACT's. */
export class Refusal extends CommandFailure {
  code = '';
}
