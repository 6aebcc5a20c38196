/** Ends the commands that a cancelled prompt left running. */
import { endGroup } from '@/lib/process/process-group';
import type { AcpConnection } from './acp-connection';

/** Milliseconds that they get to end by themselves, and then by SIGTERM. */
const LEFT_COMMANDS_MS = 1_000;
/** Milliseconds between two looks at them. */
const LOOK_MS = 50;

/**
 * Codex says that it was cancelled and lets its command run on. `before` are the groups that ran when the prompt was
 * sent: servers and helpers of the agent are not its commands.
 */
export async function endLeftCommands(connection: AcpConnection, before: Set<number>): Promise<void> {
  const left = async () => [...(await connection.commandGroups())].filter((group) => !before.has(group));
  const deadline = performance.now() + LEFT_COMMANDS_MS;
  let groups = await left();
  while (groups.length > 0 && performance.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    groups = await left();
  }
  await Promise.all(groups.map((group) => endGroup(group, LEFT_COMMANDS_MS)));
}
