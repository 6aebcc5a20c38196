import { describe, expect, it, vi } from 'vitest';
import { AppError } from '@/lib/domain/errors';
import { canonical, errorResponse, exactParams, readBody, readJson } from './http';

const chunked = (size: number) =>
  new Request('http://x/', {
    method: 'POST',
    body: new ReadableStream({
      start(controller) {
        for (let sent = 0; sent < size; sent += 1000) controller.enqueue(new Uint8Array(1000));
        controller.close();
      },
    }),
    duplex: 'half',
  } as RequestInit);

describe('readBody', () => {
  it('refuses by Content-Length before it reads', async () => {
    const request = new Request('http://x/', { method: 'POST', body: 'x', headers: { 'content-length': '9000000' } });
    await expect(readBody(request, 8_000_000)).rejects.toMatchObject({ code: 'too_large' });
  });
  it('counts a body that does not say its length', async () => {
    await expect(readBody(chunked(5000), 4000)).rejects.toMatchObject({ code: 'too_large' });
    expect((await readBody(chunked(4000), 4000)).byteLength).toBe(4000);
  });
});

describe('readJson', () => {
  const post = (body: string) => new Request('http://x/', { method: 'POST', body });
  it('takes no body for an empty object and refuses what is no JSON', async () => {
    expect(await readJson(post(''))).toEqual({});
    expect(await readJson(post('{"a":1}'))).toEqual({ a: 1 });
    await expect(readJson(post('{"a":'))).rejects.toMatchObject({ code: 'invalid_request' });
  });
});

describe('exactParams', () => {
  // What the framework makes of a segment: decoded twice, once where the second time fails.
  const given = (segment: string) => {
    const once = decodeURIComponent(segment);
    try {
      return decodeURIComponent(once);
    } catch {
      return once;
    }
  };
  it.each(['a b', 'a/b', 'a%b', 'a%2Fb', 'a%20b', 'call/1: %2F', '%', '%25', 'é', 'a?b#c', 'tool:r:a%252Fb'])(
    'reads %s as the address writes it',
    (id) => {
      const segment = encodeURIComponent(id);
      const request = { url: `http://x/api/runs/run_1/tool-calls/${segment}/complete?limit=1` };
      expect(exactParams(request, { runId: 'run_1', toolCallId: given(segment) })).toEqual({
        runId: 'run_1',
        toolCallId: id,
      });
    },
  );
});

describe('exactParams of a route without parameters', () => {
  it('are none', () => expect(exactParams({ url: 'http://x/api/health' }, undefined)).toEqual({}));
});

describe('canonical', () => {
  it('is one text for one JSON, whatever the order of its fields', () => {
    expect(canonical({ b: [1, { d: 1, c: 2 }], a: null })).toBe(canonical({ a: null, b: [1, { c: 2, d: 1 }] }));
    expect(canonical({ a: [1, 2] })).not.toBe(canonical({ a: [2, 1] }));
  });
});

describe('errorResponse', () => {
  it('answers our codes with their status', async () => {
    const response = errorResponse(new AppError('run_in_progress', 'One at a time.'));
    expect(response.status).toBe(409);
    expect(await response.json()).toEqual({ error: { code: 'run_in_progress', message: 'One at a time.' } });
  });
  it('tells nothing of what is not ours, and says that the disk is full', async () => {
    vi.mocked(console.error).mockImplementation(() => undefined);
    const response = errorResponse(new Error('ENOENT /home/me/secret'));
    expect(vi.mocked(console.error)).toHaveBeenCalledOnce();
    vi.mocked(console.error).mockClear();
    expect(response.status).toBe(500);
    expect(await response.text()).not.toContain('secret');
    const full = Object.assign(new Error('write'), { code: 'ENOSPC' });
    expect(errorResponse(new Error('x', { cause: full })).status).toBe(507);
  });
});
