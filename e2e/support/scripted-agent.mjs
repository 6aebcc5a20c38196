#!/usr/bin/env node
/**
 * A real ACP agent over stdio whose prompts are scripts: what it says, does and breaks is written in the message.
 *
 * `scripted-steps.mjs` has the words of a script.
 * Start-up faults, by argument: --exit CODE · --silent · --garbage · --version N · --slow MS · --auth · --hang-new · --no-resume
 *   --no-such-resume (offered, but not there)
 *   --load (history is repeated), --load-late (after the answer) · --no-images · --options (configOptions instead of modes) · --fs (reads and writes through the client)
 * History is kept in $SCRIPTED_AGENT_HOME, so that a restarted agent can resume.
 * $SCRIPTED_AGENT_STORY names a JSON file of plain prompts and the script that each stands for.
 */
import fs from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import * as acp from '@agentclientprotocol/sdk';
import { playStep } from './scripted-steps.mjs';
import { Turn } from './scripted-turn.mjs';

const args = process.argv.slice(2);
const has = (flag) => args.includes(flag);
const argument = (flag, fallback) => (has(flag) ? args[args.indexOf(flag) + 1] : fallback);
const home = process.env.SCRIPTED_AGENT_HOME ?? null;
const STORY = process.env.SCRIPTED_AGENT_STORY
  ? JSON.parse(fs.readFileSync(process.env.SCRIPTED_AGENT_STORY, 'utf8'))
  : {};
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

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
    const turn = new Turn({
      client,
      sessionId: params.sessionId,
      session,
      signal: session.cancel.signal,
      remember,
      throughClient: has('--fs'),
    });
    for (const line of (STORY[text] ?? text).split(/\n| ;; /)) {
      const result = await playStep(turn, line.trim());
      if (session.cancel.signal.aborted) return { stopReason: 'cancelled' };
      if (result) return result;
    }
    return { stopReason: 'end_turn', usage: { totalTokens: 5, inputTokens: 3, outputTokens: 2 } };
  })
  .connect(acp.ndJsonStream(output, Readable.toWeb(process.stdin)));

// As well-behaved agents do: no client, no agent.
process.stdin.on('end', () => process.exit(0));
