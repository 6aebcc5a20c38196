import { json, ownerRoute } from '@/lib/server/http';
import { readAgents } from '@/lib/server/read-models';

export { notAllowed as DELETE, notAllowed as PATCH, notAllowed as POST, notAllowed as PUT } from '@/lib/server/http';

/** The agents that this server may start, and whether each could be started now. */
export const GET = ownerRoute(async () => json({ agents: await readAgents() }));
