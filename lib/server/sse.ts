/** A session's events as a stream that a browser resumes by itself. */
import type { SessionId } from '@/lib/domain/ids';
import { type PublishedEvent, subscribe } from '@/lib/runs/event-bus';
import type { House } from '@/lib/runs/house';
import { processState } from './process-state';

/** Milliseconds between comments that keep proxies from closing a quiet stream. */
const HEARTBEAT_MS = 15_000;
/** Milliseconds a browser waits before it reconnects. */
const RETRY_MS = 1_000;
/** Bytes that may wait for a slow reader; past it the stream is closed and the reader resumes by id. */
const MAX_WAITING_BYTES = 16 * 1024 * 1024;

/** Open streams, so that a stop can end them. */
const openStreams = () => processState('streams', () => new Set<() => void>());

/** Ends every open stream. */
export function endStreams(): void {
  for (const end of openStreams()) end();
}

/** The stream of a session's events from the one after `after` on; null: from now. */
export function eventStream(house: House, sessionId: SessionId, after: number | null, signal: AbortSignal): Response {
  const encoder = new TextEncoder();
  let close: () => void = () => undefined;
  const stream = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        let open = true;
        const send = (text: string) => {
          if (!open) return;
          controller.enqueue(encoder.encode(text));
          if ((controller.desiredSize ?? 0) < -MAX_WAITING_BYTES) close();
        };
        const subscription = subscribe(house, sessionId, after, (event) => {
          send(framed(event));
          if (event.name === 'session.deleted') close();
        });
        const heartbeat = setInterval(send, HEARTBEAT_MS, ': still here\n\n');
        // The signal aborts and then `cancel` is called: closing twice must do nothing.
        close = () => {
          if (!open) return;
          open = false;
          clearInterval(heartbeat);
          subscription.unsubscribe();
          openStreams().delete(close);
          signal.removeEventListener('abort', close);
          try {
            controller.close();
          } catch {
            // The reader is gone already.
          }
        };
        openStreams().add(close);
        signal.addEventListener('abort', close, { once: true });
        send(`retry: ${RETRY_MS}\n\n`);
        for (const event of subscription.missed) send(framed(event));
        if (signal.aborted || house.stopping) close();
      },
      cancel: () => close(),
    },
    { highWaterMark: 0, size: (chunk) => chunk.byteLength },
  );
  return new Response(stream, {
    headers: {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
    },
  });
}

function framed(event: PublishedEvent): string {
  return `id: ${event.id}\nevent: ${event.name}\ndata: ${event.data}\n\n`;
}
