/** One agent process that speaks ACP: started, introduced, asked and told, ended with everything it started. */
import { Readable, Writable } from 'node:stream';
import * as acp from '@agentclientprotocol/sdk';
import { type Child, type ChildExit, startChild } from '@/lib/process/child';
import { descendantsOf } from '@/lib/process/process-list';
import { type AuthMethod, authMethodsOf, type FailedAgent, failureInWords, withoutSecrets } from './acp-failure';
import type { AcpFiles } from './acp-files';

/** Characters of an agent's error output that are remembered for its failure. */
const STDERR_CHARS = 8_000;
/** Characters of its first output, told where it never spoke ACP. */
const FIRST_OUTPUT_CHARS = 300;
/** Milliseconds between the end of the process and the end of the conversation, for what is still in the pipe. */
const LAST_WORDS_MS = 300;
/** Bytes of one message; an agent that sends more is stopped. */
const MAX_MESSAGE_BYTES = 32 * 1024 * 1024;

export interface AcpHandlers {
  /** Every `session/update`, raw, in the order of arrival, before the answer that followed it. */
  update(params: unknown): void;
  /** A permission request was read; called in the same order as updates. */
  permissionSeen(params: unknown): void;
  /** Answers the next permission request that was seen, with an option's id or null for cancelled. */
  permission(signal: AbortSignal): Promise<string | null>;
}

export interface AcpLaunch {
  name: string;
  command: string;
  args: string[];
  cwd: string;
  env: Readonly<Record<string, string | undefined>>;
  version: string;
  /** Serves the agent's file requests; null where they are not offered. */
  files: AcpFiles | null;
  handlers: AcpHandlers;
  /** Milliseconds that `initialize` may take: agents start slowly (AGENT-FACTS §0.16). */
  startMs: number;
  onProcess(event: { type: 'started' | 'ended'; pid: number; startTime: string }): void;
}

export interface AcpConnection {
  /** The answer to `initialize`. */
  capabilities: unknown;
  /** Sends a request; rejects with the agent's error, or in words where it died or took longer than `ms`. */
  request(method: string, params: unknown, ms?: number): Promise<unknown>;
  notify(method: string, params: unknown): void;
  /** Resolves when the process is gone and everything it said was heard. */
  ended: Promise<void>;
  isOpen(): boolean;
  /** Groups of commands that the agent runs now: descendants outside its own group. */
  commandGroups(): Promise<Set<number>>;
  /** Why a request was rejected, in a sentence. */
  failure(error: unknown): string;
  /** Ends the agent with its process group. */
  stop(graceMs?: number): Promise<void>;
}

export type AcpStart = { connection: AcpConnection } | { failure: string };

/** A wait that took too long. */
class TimeoutError extends Error {
  override name = 'TimeoutError';
}

/** Starts an agent and introduces us. Never rejects; what went wrong is a sentence. An aborted signal ends the start. */
export async function startAcp(launch: AcpLaunch, signal: AbortSignal): Promise<AcpStart> {
  const { name, command, args, cwd, env } = launch;
  const start = await startChild({ command, args, cwd, env, stdin: 'pipe' });
  if (!start.started) {
    const why = start.code === 'ENOENT' ? 'its command was not found' : start.code;
    return { failure: `${name} could not be started: ${why} (${command}).` };
  }
  const link = connect(start.child, launch);
  const stop = () => void link.stop();
  signal.addEventListener('abort', stop, { once: true });
  try {
    if (signal.aborted) stop();
    const answer = (await link.request(
      acp.methods.agent.initialize,
      {
        protocolVersion: acp.PROTOCOL_VERSION,
        clientCapabilities: {
          fs: { readTextFile: launch.files !== null, writeTextFile: launch.files !== null },
          terminal: false,
        },
        clientInfo: { name: 'tidemark', title: 'Tidemark', version: launch.version },
      },
      launch.startMs,
    )) as { protocolVersion?: unknown } | null;
    if (answer?.protocolVersion !== acp.PROTOCOL_VERSION) {
      await link.stop();
      return {
        failure: `${name} speaks version ${String(answer?.protocolVersion)} of the Agent Client Protocol; Tidemark speaks version ${acp.PROTOCOL_VERSION}.`,
      };
    }
    link.authMethods = authMethodsOf(answer);
    return { connection: { ...link, capabilities: answer } };
  } catch (error) {
    const words = error instanceof TimeoutError ? link.silence(error) : link.failure(error);
    await link.stop();
    return { failure: words };
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** The conversation with a child that was just started. */
function connect(child: Child, launch: AcpLaunch) {
  const { name, env, handlers, files, onProcess } = launch;
  let stderr = '';
  child.stderr.on('data', (bytes: Uint8Array) => {
    stderr = (stderr + Buffer.from(bytes).toString()).slice(-STDERR_CHARS);
  });
  let firstOutput = '';
  const firstLook = (bytes: Uint8Array) => {
    firstOutput += Buffer.from(bytes).toString();
    if (firstOutput.length >= FIRST_OUTPUT_CHARS) child.stdout.off('data', firstLook);
  };
  child.stdout.on('data', firstLook);

  const asked = new Set<unknown>();
  const stream = acp.ndJsonStream(
    Writable.toWeb(child.stdin as Writable) as WritableStream<Uint8Array>,
    Readable.toWeb(child.stdout) as ReadableStream<Uint8Array>,
    { maxMessageBytes: MAX_MESSAGE_BYTES },
  );
  const client = acp
    .client({ name: 'tidemark' })
    .onRequest(acp.methods.client.session.requestPermission, unparsed, async ({ signal }) => {
      const optionId = await handlers.permission(signal);
      return { outcome: optionId === null ? { outcome: 'cancelled' } : { outcome: 'selected', optionId } };
    });
  if (files) {
    client
      .onRequest(acp.methods.client.fs.readTextFile, unparsed, ({ params }) => files.read(params))
      .onRequest(acp.methods.client.fs.writeTextFile, unparsed, ({ params }) => files.write(params));
  }
  const connection = client.connect({
    writable: noting(stream.writable, asked),
    readable: stream.readable.pipeThrough(tap(handlers, asked)),
  });

  // Who does not listen any more will never answer.
  child.stdin?.once('error', () => connection.close());
  let exit: ChildExit | null = null;
  let isStopped = false;
  const exited = child.exited.then((how) => {
    exit = how;
  });
  const announced = child.startTime.then((startTime) => {
    onProcess({ type: 'started', pid: child.pid, startTime });
    return startTime;
  });
  const stop = (graceMs?: number): Promise<void> => {
    isStopped ||= exit === null;
    return child.stop(graceMs);
  };
  const ended = (async () => {
    await Promise.race([exited, connection.closed]);
    // Its last words may still be in the pipe; a child of its own that holds the pipe must not hold us up.
    if (exit !== null)
      await Promise.race([connection.closed, new Promise((resolve) => setTimeout(resolve, LAST_WORDS_MS))]);
    // Who closed the conversation may be about to exit by itself, and its exit code is worth a moment.
    else await Promise.race([exited, new Promise((resolve) => setTimeout(resolve, LAST_WORDS_MS))]);
    connection.close();
    await stop();
    await exited;
    onProcess({ type: 'ended', pid: child.pid, startTime: await announced });
  })();

  const self = (): FailedAgent => ({ name, authMethods: link.authMethods, exit, stderr, env });
  const link = {
    authMethods: [] as AuthMethod[],
    ended,
    stop,
    isOpen: () => !connection.signal.aborted,
    async commandGroups(): Promise<Set<number>> {
      const family = await descendantsOf(child.pid);
      return new Set(family.map(({ group }) => group).filter((group) => group !== child.pid));
    },
    notify(method: string, params: unknown): void {
      // Who is gone needs no notice; whoever waits for an answer learns of the end by `request`.
      connection.agent.notify(method, params).catch(() => undefined);
    },
    async request(method: string, params: unknown, ms?: number): Promise<unknown> {
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<never>((_, reject) => {
        if (ms !== undefined) timer = setTimeout(() => reject(new TimeoutError(secondsInWords(ms))), ms);
      });
      try {
        return await Promise.race([connection.agent.request(method, params), late]);
      } catch (error) {
        // A connection that broke says nothing; the exit of the process does, a moment later.
        if (connection.signal.aborted) await exited;
        throw error;
      } finally {
        clearTimeout(timer);
      }
    },
    failure(error: unknown): string {
      if (error instanceof TimeoutError) return `${name} did not answer within ${error.message} and was stopped.`;
      const broken = connection.signal.aborted ? connection.signal.reason : null;
      const isTooLarge = broken instanceof Error && broken.name === 'MessageTooLargeError';
      if (broken !== null && isStopped && !isTooLarge) {
        return failureInWords(new Error('it closed the conversation'), { ...self(), exit: null });
      }
      return failureInWords(isTooLarge ? broken : error, {
        ...self(),
        exit: broken !== null && !isTooLarge ? exit : null,
      });
    },
    /** Why nothing was heard at all. */
    silence(error: TimeoutError): string {
      const said = firstOutput.trim().slice(0, FIRST_OUTPUT_CHARS);
      const words = said === '' ? '' : ` It printed something else instead: ${said}`;
      return withoutSecrets(`${name} did not answer within ${error.message} and was stopped.${words}`, env);
    },
  };
  return link;
}

/** Takes every `session/update` out of the stream: the SDK would reorder, strip or drop them (AGENT-FACTS §0.5, §0.6). */
function tap(handlers: AcpHandlers, asked: Set<unknown>): TransformStream<acp.AnyMessage, acp.AnyMessage> {
  return new TransformStream({
    transform(message, controller) {
      const frame = message as { id?: unknown; method?: unknown; params?: unknown };
      if (frame.method === acp.methods.client.session.update && frame.id === undefined) {
        handlers.update(frame.params);
        return;
      }
      if (frame.method === acp.methods.client.session.requestPermission) handlers.permissionSeen(frame.params);
      // An answer to nothing that was asked is nobody's.
      if (frame.method === undefined && !asked.delete(frame.id)) return;
      controller.enqueue(message);
    },
  });
}

/** Remembers the ids of our requests on their way out. */
function noting(writable: WritableStream<acp.AnyMessage>, asked: Set<unknown>): WritableStream<acp.AnyMessage> {
  const writer = writable.getWriter();
  return new WritableStream({
    write(message) {
      const frame = message as { id?: unknown; method?: unknown };
      if (frame.method !== undefined && frame.id !== undefined) asked.add(frame.id);
      return writer.write(message);
    },
  });
}

/** Parameters as they came: our own translation is calmer than the SDK's schemas. */
const unparsed = (params: unknown): unknown => params;

function secondsInWords(ms: number): string {
  return ms < 1_000 ? `${ms} ms` : `${Math.round(ms / 1_000)} seconds`;
}
