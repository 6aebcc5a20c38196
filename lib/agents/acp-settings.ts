/** What is known of an agent that speaks ACP before it is started, and how long it is waited for. */

/** One agent, as the catalog or the user's file names it. */
export interface AcpAgentEntry {
  id: string;
  name: string;
  command: string;
  args: string[];
  env: Record<string, string>;
  /** Offer to read and write files for it (AGENT-FACTS §0.4: off unless asked for). */
  fs: boolean;
  /** How a person gets it. */
  install: string;
}

export interface AcpSettings {
  /** The environment that agents are given. */
  env: Readonly<Record<string, string | undefined>>;
  /** Our version, told to the agent. */
  version: string;
  /** Bytes of one file that an agent may read or write through us. */
  fileBytes: number;
  patience: Patience;
}

/** Milliseconds that an agent gets. */
export interface Patience {
  /** To introduce itself; cold starts take up to 40 s (AGENT-FACTS §0.16). */
  startMs: number;
  /** To open or resume a conversation. */
  openMs: number;
  /** To stop after it was asked to; then its process group is ended. */
  cancelMs: number;
  /** To make a choice. */
  chooseMs: number;
}

export const DEFAULT_PATIENCE: Readonly<Patience> = {
  startMs: 60_000,
  openMs: 60_000,
  cancelMs: 10_000,
  chooseMs: 15_000,
};
