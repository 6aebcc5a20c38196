/** An agent that speaks ACP, as the catalog offers it: whether it could be started, and a session of it. */
import { AcpSession } from './acp-session';
import type { AcpAgentEntry, AcpSettings } from './acp-settings';
import type { Agent } from './agent';
import { findCommand } from './find-command';

export function createAcpAgent(entry: AcpAgentEntry, settings: AcpSettings): Agent {
  const env = { ...settings.env, ...entry.env };
  return {
    id: entry.id,
    name: entry.name,
    kind: 'acp',
    async availability() {
      if ((await findCommand(entry.command, env.PATH)) !== null) return { available: true };
      return { available: false, reason: `The command ${entry.command} was not found. ${entry.install}` };
    },
    open: (options) => new AcpSession(entry, { ...settings, env }, options),
  };
}
