/** What the scripted agent sends past its SDK: frames that are broken, unknown, too many or too large. */

const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);

const update = (sessionId, fields) =>
  send({ method: 'session/update', params: { sessionId, ...(fields && { update: fields }) } });

const say = (sessionId, text) =>
  update(sessionId, { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } });

const call = (sessionId, fields) => update(sessionId, { sessionUpdate: 'tool_call', ...fields });

const callUpdate = (sessionId, fields) => update(sessionId, { sessionUpdate: 'tool_call_update', ...fields });

/** Step → what it sends into a session, by its number or nothing. */
export const FRAMES = {
  garbage() {
    process.stdout.write(
      'this is not json\n\n[]\n5\n"text"\n{"jsonrpc":"2.0","method":"session/update"}\n{"jsonrpc":"2.0","id":null,"result":1}\n{"jsonrpc":"2.0","id":999,"result":1}\n{"id":3}\n',
    );
  },

  unknown(id) {
    update(id, { sessionUpdate: 'brand_new_thing', x: 1 });
    call(id, {
      toolCallId: 'odd',
      title: 'odd',
      kind: 'teleport',
      status: 'weird',
      extraField: 5,
      _meta: { a: 1 },
      rawOutput: { structuredContent: { k: [1] }, _meta: { z: 2 } },
    });
    send({ method: '_vendor/ping', params: { a: 1 } });
    update(id);
    call(id, { toolCallId: '' });
    callUpdate(id, { toolCallId: 7, title: {} });
    send({ id: 'x1', method: '_vendor/ask', params: {} });
  },

  badcontent(id) {
    callUpdate(id, {
      toolCallId: 'bad',
      title: 'bad',
      content: [
        { type: 'diff', path: '/a', newText: 'x' },
        { type: 'hologram', foo: 1 },
        { type: 'terminal', terminalId: 'nope' },
        null,
        { type: 'diff' },
        { type: 'content', content: { type: 'text', text: 'still here' } },
      ],
    });
    update(id, { sessionUpdate: 'agent_message_chunk', content: { type: 'smell' } });
  },

  utf8(id) {
    const [before, after] = JSON.stringify({
      jsonrpc: '2.0',
      method: 'session/update',
      params: {
        sessionId: id,
        update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'bad | bytes' } },
      },
    }).split('|');
    process.stdout.write(Buffer.concat([Buffer.from(before), Buffer.from([0xff, 0xc3]), Buffer.from(`${after}\n`)]));
  },

  flood(id, count) {
    for (let at = 0; at < count; at += 1) say(id, `${at},`);
  },

  floodtools(id, count) {
    for (let at = 0; at < count; at += 1)
      call(id, { toolCallId: `flood${at}`, title: `call ${at}`, kind: 'read', status: 'completed' });
  },

  floodcall(id, count) {
    call(id, { toolCallId: 'busy', title: 'busy', kind: 'execute', status: 'in_progress' });
    for (let at = 0; at < count; at += 1)
      callUpdate(id, {
        toolCallId: 'busy',
        _meta: { terminal_output_delta: { data: `line ${at}\n`, terminal_id: 'busy' } },
      });
    callUpdate(id, { toolCallId: 'busy', status: 'completed' });
  },

  big(id, mebibytes) {
    say(id, 'b'.repeat(mebibytes * 1024 * 1024));
  },

  bigtool(id, mebibytes) {
    const much = 't'.repeat(mebibytes * 1024 * 1024);
    call(id, {
      toolCallId: 'big',
      title: 'big',
      kind: 'edit',
      status: 'completed',
      rawInput: { content: much },
      rawOutput: much,
      content: [{ type: 'diff', path: '/a', oldText: null, newText: much }],
    });
  },
};
