/** What Tidemark offers to an agent of ours where a setting says so: its tools, and one line about what changed outside runs. */
import { join } from 'node:path';
import type { AgentSessionOptions } from '@/lib/agents/agent';
import { counted } from '@/lib/domain/change-words';
import { changeIdOf, type SessionId } from '@/lib/domain/ids';
import { findChange } from '@/lib/store/change-store';
import type { House } from './house';
import type { LiveRun } from './live-run';
import { settled } from './settled';

/** Paths that the line names. */
const MAX_NAMED = 10;

/** Our MCP server as an agent starts it: over standard input and output, which every agent takes; the token stays in its file. */
export function toolServerFor(house: House, sessionId: SessionId): AgentSessionOptions['mcp'] {
  const { agentMcp, dataDir } = house.settings;
  if (!agentMcp) return null;
  const program = join(process.cwd(), 'dist', 'tidemark.mjs');
  return { command: process.execPath, args: [program, 'mcp', '--session', sessionId, '--data-dir', dataDir], env: [] };
}

/** The prompt with a line before it about what changed since the last run, where that is wanted and anything did. */
export async function withDriftNote(house: House, live: LiveRun, text: string): Promise<string> {
  if (!house.settings.agentDriftNote) return text;
  await settled(live);
  const drift = findChange(house.store, changeIdOf({ source: 'drift', runId: live.run.id }), MAX_NAMED);
  if (!drift || drift.changedCount === 0) return text;
  const named = drift.files.filter(({ origin }) => origin !== 'git').map(({ path }) => path);
  const more = drift.changedCount - named.length;
  const paths = `${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  return `(Since the last run, ${counted(drift.changedCount, 'file')} changed outside runs: ${paths})\n\n${text}`;
}
