/** The door for MCP clients: streamable HTTP, one request at a time, so that a restart of ours breaks no client. */
import 'server-only';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import { z } from 'zod';
import { sessionIdSchema } from '@/lib/domain/id-schemas';
import { parseRequest } from '@/lib/domain/requests';
import { clientOf, dismissClient, dismissSilentClients, type ToolClients } from '@/lib/runs/tool-clients';
import { openToolDoor, type ToolBinding } from '@/lib/runs/tool-door';
import { createToolServer } from '@/lib/tools/tool-server';
import { queryOf, readJson } from './http';
import { processState } from './process-state';
import { house } from './runtime';

/** What a client says of itself in the address it uses. */
const addressSchema = z.object({
  /** The session of an agent of ours. */
  session: sessionIdSchema.optional(),
  /** The folder it works in. */
  workspace: z.string().startsWith('/', 'must be an absolute path').max(4096).optional(),
  /** Tells one process from another in the same folder. */
  client: z
    .string()
    .regex(/^[A-Za-z0-9._-]{1,64}$/)
    .optional(),
});

const introductionSchema = z.object({
  method: z.literal('initialize'),
  params: z.object({ clientInfo: z.object({ name: z.string().min(1) }) }),
});

function clients(): ToolClients {
  return processState('tool-clients', (): ToolClients => new Map());
}

function bindingOf(request: Request): ToolBinding {
  const { session = null, workspace = null, client } = parseRequest(addressSchema, queryOf(request));
  return { sessionId: session, folder: workspace, client: client ?? session ?? workspace ?? 'anybody' };
}

/** Answers one MCP message, or a batch of them. */
export async function answerMcp(request: Request): Promise<Response> {
  const binding = bindingOf(request);
  const body = await readJson(request);
  const client = clientOf(clients(), binding.client, Date.now());
  const introduction = introductionSchema.safeParse(body);
  if (introduction.success) client.name = introduction.data.params.clientInfo.name.slice(0, 80);
  const server = createToolServer(openToolDoor(house(), clients(), binding));
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    return await transport.handleRequest(request, { parsedBody: body });
  } finally {
    await server.close();
  }
}

/** A client leaves: the run of its own edits ends. */
export async function dismissMcpClient(request: Request): Promise<void> {
  await dismissClient(house(), clients(), bindingOf(request).client);
}

/** Ends the runs of clients that left without a word. */
export function dismissSilentMcpClients(now: number): Promise<void> {
  return dismissSilentClients(house(), clients(), now);
}
