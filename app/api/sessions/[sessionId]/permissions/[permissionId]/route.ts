import type { PermissionId } from '@/lib/domain/ids';
import { answerPermissionSchema, parseRequest } from '@/lib/domain/requests';
import { answerPermission } from '@/lib/server/commands';
import { json, ownerRoute, readJson } from '@/lib/server/http';
import { requireSession } from '@/lib/server/lookups';

export { notAllowed as DELETE, notAllowed as GET, notAllowed as PATCH, notAllowed as PUT } from '@/lib/server/http';

type Params = { sessionId: string; permissionId: string };

/** Answers what an agent asked; `option_id` null denies. */
export const POST = ownerRoute<Params>(async (request, { sessionId, permissionId }) => {
  const session = requireSession(sessionId);
  const { option_id } = parseRequest(answerPermissionSchema, await readJson(request));
  return json({ permission: answerPermission(session.id, permissionId as PermissionId, option_id) });
});
