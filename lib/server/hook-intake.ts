/** The door that terminal agents' hooks knock at: takes events, remembers that they came, never makes an agent fail. */
import 'server-only';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { HOOK_AGENTS, type HookIntakeState, INTAKE_AGENTS, type IntakeAgent } from '@/lib/domain/hooks';
import { type HookBook, intakeOf, openHookBook } from '@/lib/runs/hook-book';
import type { HookRequest } from '@/lib/runs/hook-event';
import { endSilentTalks, takeHookRequest } from '@/lib/runs/hook-runs';
import { processState } from './process-state';
import { house } from './runtime';

/** Milliseconds between two notes that events of an agent come. */
const NOTE_MS = 30_000;

function book(): HookBook {
  return processState('hooks', openHookBook);
}

/** Takes one event. Resolves when the agent may go on. */
export async function takeHook(agent: IntakeAgent, request: HookRequest): Promise<void> {
  const opened = house();
  if (opened.stopping) return;
  const before = intakeOf(book(), agent).lastEventAt;
  await takeHookRequest(opened, book(), agent, request);
  if (before === null || Date.now() - before > NOTE_MS) void noteSeen(opened.settings.dataDir, agent);
}

/** What `tidemark hooks status` reads, also while no server runs. */
async function noteSeen(dataDir: string, agent: IntakeAgent): Promise<void> {
  try {
    const folder = join(dataDir, 'hooks', 'seen');
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeFile(join(folder, agent), '', { mode: 0o600 });
  } catch {
    // A note that is missing costs nobody a run.
  }
}

/** How it stands with the events of each agent, those first whose hooks can be installed. */
export function hookStates(): HookIntakeState[] {
  const known = new Set<IntakeAgent>([...HOOK_AGENTS, ...INTAKE_AGENTS]);
  return [...known].map((agent) => ({ ...intakeOf(book(), agent) }));
}

/** Ends runs whose agents have been silent since they stopped. */
export function endSilentHooks(now: number): Promise<void> {
  return endSilentTalks(house(), book(), now);
}
