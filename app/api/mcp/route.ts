import { ownerRoute } from '@/lib/server/http';
import { answerMcp, dismissMcpClient } from '@/lib/server/mcp-door';

export { notAllowed as GET, notAllowed as PATCH, notAllowed as PUT } from '@/lib/server/http';

/** MCP over streamable HTTP; `?workspace=` or `?session=` says what it is about. */
export const POST = ownerRoute((request) => answerMcp(request));

/** A client leaves. */
export const DELETE = ownerRoute(async (request) => {
  await dismissMcpClient(request);
  return new Response(null, { status: 204 });
});
