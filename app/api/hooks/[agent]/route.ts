import { AppError } from '@/lib/domain/errors';
import { isIntakeAgent } from '@/lib/domain/hooks';
import { takeHook } from '@/lib/server/hook-intake';
import { ownerRoute, queryOf, readJson } from '@/lib/server/http';

export { notAllowed as DELETE, notAllowed as GET, notAllowed as PATCH, notAllowed as PUT } from '@/lib/server/http';

/** One hook event of a terminal agent. Answers `{}` at once, to a prompt after the baseline, to a file tool after its capture. */
export const POST = ownerRoute<{ agent: string }>(async (request, { agent }) => {
  if (!isIntakeAgent(agent)) throw new AppError('not_found', 'There is no intake for hooks of this agent.');
  const { event = null, directory = null } = queryOf(request);
  await takeHook(agent, { body: await readJson(request), event, directory });
  return Response.json({});
});
