/** Hears a session's event stream and keeps what came, in the order in which it came. */

export interface HeardEvent {
  id: number;
  name: string;
  // biome-ignore lint/suspicious/noExplicitAny: what stands in an event is what the checks are about
  data: any;
}

/** Milliseconds an event may take to arrive after its cause was answered. */
const PATIENCE_MS = 30_000;

/** Cuts a stream of server-sent events into events; what is incomplete waits for more. */
export class EventReader {
  private rest = '';

  /** The events that `text` completes. Comments and `retry` are left out. */
  read(text: string): HeardEvent[] {
    const blocks = (this.rest + text).split('\n\n');
    this.rest = blocks.pop() ?? '';
    return blocks.flatMap((block) => {
      const fields = new Map<string, string>();
      for (const line of block.split('\n')) {
        const colon = line.indexOf(':');
        if (colon <= 0) continue;
        const name = line.slice(0, colon);
        const value = line.slice(colon + 1).replace(/^ /, '');
        fields.set(name, fields.has(name) ? `${fields.get(name)}\n${value}` : value);
      }
      const data = fields.get('data');
      if (data === undefined) return [];
      return [{ id: Number(fields.get('id')), name: fields.get('event') ?? 'message', data: JSON.parse(data) }];
    });
  }
}

export class EventLog {
  readonly events: HeardEvent[] = [];
  private readonly waiting = new Set<() => void>();
  private failure: string | null = null;

  private constructor(private readonly abort: AbortController) {}

  /** Opens the stream; resolves once the server has answered, so that nothing later is missed. */
  static async open(url: string, token: string): Promise<EventLog> {
    const abort = new AbortController();
    const log = new EventLog(abort);
    const response = await fetch(url, { headers: { authorization: `Bearer ${token}` }, signal: abort.signal });
    if (response.status !== 200 || response.body === null) throw new Error(`${url} answered ${response.status}`);
    void log.follow(response.body);
    return log;
  }

  private async follow(body: ReadableStream<Uint8Array>): Promise<void> {
    const reader = new EventReader();
    const decoder = new TextDecoder();
    try {
      for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
        this.events.push(...reader.read(decoder.decode(chunk, { stream: true })));
        this.wake();
      }
      this.failure = 'the event stream ended';
    } catch (error) {
      this.failure = `the event stream broke: ${error instanceof Error ? error.message : String(error)}`;
    }
    this.wake();
  }

  private wake(): void {
    for (const wake of this.waiting) wake();
  }

  /** The first event that matches, heard already or later. Throws when none comes in time. */
  async until(what: string, matches: (event: HeardEvent) => boolean): Promise<HeardEvent> {
    const deadline = Date.now() + PATIENCE_MS;
    for (;;) {
      const found = this.events.find(matches);
      if (found) return found;
      const left = deadline - Date.now();
      if (this.failure !== null || left <= 0)
        throw new Error(`No event ${what}: ${this.failure ?? 'none came in time'}`);
      await new Promise<void>((resolve) => {
        const done = () => {
          clearTimeout(timer);
          this.waiting.delete(done);
          resolve();
        };
        const timer = setTimeout(done, left);
        this.waiting.add(done);
      });
    }
  }

  close(): void {
    this.abort.abort();
  }
}
