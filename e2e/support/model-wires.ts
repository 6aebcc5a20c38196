/** The wire forms of four model APIs, as far as agents use them: what was said comes in, one answer goes out as a stream or whole. */
import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { type Answer, nextAnswer, type Said } from './model-scripts';

// Foreign JSON of four kinds: looked into, never trusted.
// biome-ignore lint/suspicious/noExplicitAny: the shapes of four foreign APIs, read field by field
export type Body = any;

const id = (prefix: string) => `${prefix}${randomUUID().slice(0, 8)}`;
const chunks = (text: string) => text.match(/.{1,16}/gs) ?? [];

export function sendJson(response: ServerResponse, body: object, status = 200): ServerResponse {
  response.writeHead(status, { 'content-type': 'application/json' });
  return response.end(JSON.stringify(body));
}

function openStream(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
}

const prompt = (text: unknown): Said[] => (typeof text === 'string' && text !== '' ? [{ type: 'prompt', text }] : []);
const parts = (content: Body): Body[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : (content ?? []);

/** Anthropic Messages: Claude Code. */
export function answerAnthropic(response: ServerResponse, body: Body): ServerResponse {
  const said = (body.messages ?? []).flatMap((message: Body) =>
    parts(message.content).flatMap((part: Body): Said[] => {
      if (part.type === 'tool_result') return [{ type: 'result' }];
      return message.role === 'user' && part.type === 'text' ? prompt(part.text) : [];
    }),
  );
  const { text, call } = nextAnswer(
    said,
    (body.tools ?? []).map((tool: Body) => tool.name),
  );
  const content = [
    { type: 'text', text },
    ...(call ? [{ type: 'tool_use', id: id('toolu_'), name: call.tool, input: call.args }] : []),
  ];
  const message = { id: id('msg_'), type: 'message', role: 'assistant', model: body.model, stop_sequence: null };
  const stopReason = call ? 'tool_use' : 'end_turn';
  const usage = { input_tokens: 100, output_tokens: 20, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };
  if (!body.stream) return sendJson(response, { ...message, content, stop_reason: stopReason, usage });
  openStream(response);
  const send = (type: string, fields: object) =>
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`);
  send('message_start', { message: { ...message, content: [], stop_reason: null, usage } });
  for (const [index, block] of content.entries()) {
    if ('text' in block) {
      send('content_block_start', { index, content_block: { type: 'text', text: '' } });
      for (const piece of chunks(block.text))
        send('content_block_delta', { index, delta: { type: 'text_delta', text: piece } });
    } else {
      send('content_block_start', { index, content_block: { ...block, input: {} } });
      const json = JSON.stringify(block.input);
      send('content_block_delta', { index, delta: { type: 'input_json_delta', partial_json: json } });
    }
    send('content_block_stop', { index });
  }
  send('message_delta', { delta: { stop_reason: stopReason, stop_sequence: null }, usage: { output_tokens: 20 } });
  send('message_stop', {});
  return response.end();
}

/** OpenAI Chat Completions: opencode, Qwen Code. */
export function answerChat(response: ServerResponse, body: Body): ServerResponse {
  const said = (body.messages ?? []).flatMap((message: Body): Said[] => {
    if (message.role === 'tool') return [{ type: 'result' }];
    return message.role === 'user' ? parts(message.content).flatMap((part: Body) => prompt(part.text)) : [];
  });
  const { text, call } = nextAnswer(
    said,
    (body.tools ?? []).map((tool: Body) => tool.function?.name),
  );
  const base = { id: id('chatcmpl-'), created: Math.floor(Date.now() / 1000), model: body.model };
  const usage = { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 };
  const calls = call
    ? [
        {
          index: 0,
          id: id('call_'),
          type: 'function',
          function: { name: call.tool, arguments: JSON.stringify(call.args) },
        },
      ]
    : undefined;
  const reason = call ? 'tool_calls' : 'stop';
  if (!body.stream) {
    const message = { role: 'assistant', content: text, tool_calls: calls };
    return sendJson(response, {
      ...base,
      object: 'chat.completion',
      choices: [{ index: 0, message, finish_reason: reason }],
      usage,
    });
  }
  openStream(response);
  const send = (delta: object, finish: string | null = null) =>
    response.write(
      `data: ${JSON.stringify({ ...base, object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`,
    );
  send({ role: 'assistant', content: '' });
  for (const piece of chunks(text)) send({ content: piece });
  if (calls) send({ tool_calls: calls });
  send({}, reason);
  response.write(`data: ${JSON.stringify({ ...base, object: 'chat.completion.chunk', choices: [], usage })}\n\n`);
  return response.end('data: [DONE]\n\n');
}

/** OpenAI Responses: Codex. */
export function answerResponses(response: ServerResponse, body: Body): ServerResponse {
  const input: Body[] = typeof body.input === 'string' ? [{ role: 'user', content: body.input }] : (body.input ?? []);
  const said = input.flatMap((item): Said[] => {
    if (/_output$/.test(item.type ?? '')) return [{ type: 'result' }];
    return item.role === 'user' ? parts(item.content).flatMap((part: Body) => prompt(part.text)) : [];
  });
  const tools: Body[] = (body.tools ?? []).flatMap((tool: Body) =>
    tool.type === 'namespace' ? (tool.tools ?? []).map((inner: Body) => ({ ...inner, namespace: tool.name })) : [tool],
  );
  const answer = nextAnswer(
    said,
    tools.map((tool) => tool.name ?? tool.type),
  );
  const output = [
    {
      type: 'message',
      id: id('msg_'),
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text: answer.text, annotations: [] }],
    },
    ...(answer.call ? [responseCall(answer.call, tools)] : []),
  ];
  const whole = (status: string, fields: object = {}) => ({
    id: id('resp_'),
    object: 'response',
    created_at: Math.floor(Date.now() / 1000),
    model: body.model,
    status,
    output: [],
    ...fields,
  });
  const usage = {
    input_tokens: 100,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: 20,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: 120,
  };
  if (!body.stream) return sendJson(response, whole('completed', { output, usage }));
  openStream(response);
  let sequence = 0;
  const send = (type: string, fields: object) => {
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: sequence, ...fields })}\n\n`);
    sequence += 1;
  };
  send('response.created', { response: whole('in_progress') });
  for (const [index, item] of output.entries()) {
    send('response.output_item.added', { output_index: index, item: { ...item, status: 'in_progress' } });
    if (item.type === 'message') {
      for (const delta of chunks(answer.text)) {
        send('response.output_text.delta', { output_index: index, item_id: item.id, content_index: 0, delta });
      }
    }
    send('response.output_item.done', { output_index: index, item });
  }
  send('response.completed', { response: whole('completed', { output, usage }) });
  return response.end();
}

function responseCall(call: NonNullable<Answer['call']>, tools: Body[]): Body {
  const namespace = tools.find((tool) => tool.name === call.tool)?.namespace;
  const common = { call_id: id('call_'), name: call.tool, status: 'completed' };
  return call.freeform
    ? { type: 'custom_tool_call', id: id('ctc_'), ...common, input: call.args.input }
    : {
        type: 'function_call',
        id: id('fc_'),
        ...common,
        ...(namespace ? { namespace } : {}),
        arguments: JSON.stringify(call.args),
      };
}

/** Gemini generateContent: Gemini CLI. */
export function answerGemini(response: ServerResponse, body: Body, isStream: boolean): ServerResponse {
  const said = (body.contents ?? []).flatMap((content: Body) =>
    (content.parts ?? []).flatMap((part: Body): Said[] => {
      if (part.functionResponse) return [{ type: 'result' }];
      return content.role === 'user' ? prompt(part.text) : [];
    }),
  );
  const tools = (body.tools ?? []).flatMap((tool: Body) =>
    (tool.functionDeclarations ?? []).map((one: Body) => one.name),
  );
  const { text, call } = nextAnswer(said, tools);
  // Its router asks for JSON before the real question.
  const wantsJson = body.generationConfig?.responseMimeType === 'application/json';
  const spoken = wantsJson
    ? JSON.stringify({ reasoning: 'scripted', model_choice: 'flash', complexity_score: 1, next_speaker: 'user' })
    : text;
  const usageMetadata = { promptTokenCount: 100, candidatesTokenCount: 20, totalTokenCount: 120 };
  const whole = (answerParts: object[], finishReason?: string) => ({
    candidates: [
      { content: { role: 'model', parts: answerParts }, index: 0, ...(finishReason ? { finishReason } : {}) },
    ],
    usageMetadata,
    responseId: id('r'),
  });
  const callPart = call && !wantsJson ? [{ functionCall: { id: id('fc_'), name: call.tool, args: call.args } }] : [];
  if (!isStream) return sendJson(response, whole([{ text: spoken }, ...callPart], 'STOP'));
  openStream(response);
  for (const piece of chunks(spoken)) response.write(`data: ${JSON.stringify(whole([{ text: piece }]))}\n\n`);
  return response.end(`data: ${JSON.stringify(whole(callPart.length > 0 ? callPart : [{ text: '' }], 'STOP'))}\n\n`);
}
