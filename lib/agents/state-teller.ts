/** Keeps what an agent offers and how it is, and tells whoever listens: at once what matters, seldom what only ticks. */
import type { AgentState, AgentUsage } from '@/lib/domain/conversation';
import { type Choice, withChosen } from './acp-choices';
import type { StateChange } from './acp-translate';

/** Milliseconds between two words about a slow start. */
const PROGRESS_MS = 1_000;
/** Milliseconds that a mere count of tokens may wait: some agents tell it with every word. */
const USAGE_MS = 500;

const NO_USAGE: AgentUsage = { used: null, size: null, inputTokens: null, outputTokens: null, cost: null };

export class StateTeller {
  private state: AgentState = { phase: 'off', note: null, choices: [], commands: [], usage: null, takesImages: false };
  private known: Choice[] = [];
  private usageTimer: NodeJS.Timeout | null = null;

  constructor(private readonly tell: (state: AgentState) => void) {
    tell(this.state);
  }

  get choices(): readonly Choice[] {
    return this.known;
  }

  get takesImages(): boolean {
    return this.state.takesImages;
  }

  /** Changes the state and tells it. */
  set(change: Partial<AgentState>): void {
    if (this.usageTimer !== null) clearTimeout(this.usageTimer);
    this.usageTimer = null;
    this.state = { ...this.state, ...change };
    this.tell(this.state);
  }

  /** Takes what an update says of the session. */
  apply({ choices, mode, commands, usage }: StateChange): void {
    if (choices) this.known = choices;
    if (mode !== undefined) this.known = withChosen(this.known, (choice) => choice.category === 'mode', mode);
    const hasUsage = usage !== undefined && Object.keys(usage).length > 0;
    if (hasUsage) this.state = { ...this.state, usage: { ...NO_USAGE, ...this.state.usage, ...usage } };
    if (choices || mode !== undefined || commands) {
      this.set({ choices: this.known.map(withoutRequest), ...(commands ? { commands } : {}) });
    } else if (hasUsage) {
      this.usageTimer ??= setTimeout(() => this.set({}), USAGE_MS);
    }
  }

  /** Tells what is held back. */
  flush(): void {
    if (this.usageTimer !== null) this.set({});
  }

  /** Says every second how long a start has been going on, until `end`. */
  progress(): { now(note: string): void; end(): void } {
    const startedAt = performance.now();
    let note = '';
    const tell = () => {
      const seconds = Math.round((performance.now() - startedAt) / 1_000);
      this.set({ phase: 'starting', note: seconds < 2 ? note : `${note} (${seconds} s)` });
    };
    const timer = setInterval(tell, PROGRESS_MS);
    return {
      now: (words) => {
        note = words;
        tell();
      },
      end: () => clearInterval(timer),
    };
  }
}

function withoutRequest({ request: _, ...choice }: Choice) {
  return choice;
}
