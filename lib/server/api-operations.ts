/** Every request of the API, with the schemas that its handler uses: what the API document is made of. */
import { z } from 'zod';
import type { ErrorCode } from '@/lib/domain/errors';
import { INTAKE_AGENTS } from '@/lib/domain/hooks';
import * as request from '@/lib/domain/requests';
import * as wire from '@/lib/domain/wire-schemas';

export interface ApiOperation {
  method: 'get' | 'post' | 'patch' | 'delete';
  /** With `{parameters}`. */
  path: string;
  id: string;
  tag: 'Server' | 'Sessions' | 'Runs' | 'Changes' | 'Shares' | 'Terminals';
  summary: string;
  description?: string;
  /** Free of the token. */
  open?: true;
  query?: z.ZodObject;
  body?: z.ZodType;
  /** What it answers: by status, a schema of JSON, a content type, or nothing. */
  answers: { [status: number]: { says: string; json?: z.ZodType; type?: string; headers?: Record<string, string> } };
  errors: ErrorCode[];
}

const list = { next_cursor: z.string().nullable().describe('Null at the end') };
const change = wire.changeSchema;
const RUNS = '/api/sessions/{session_id}/runs';
const CHANGES = '/api/sessions/{session_id}/workspace-run-changes';

const timelineItem = z.object({
  type: z.enum(['message', 'run', 'tool_call', 'change', 'drift']),
  id: z.string(),
  run_id: z.string().nullable(),
  created_at: z.int(),
  at: z.int().describe('Its place: grows within a session, never reused'),
  message: wire.messageSchema.optional(),
  run: wire.runSchema.optional(),
  tool_call: wire.toolCallSchema.optional(),
  change: change.optional(),
  drift: change.optional(),
});

export const API_OPERATIONS: ApiOperation[] = [
  {
    method: 'get',
    path: '/api/health',
    id: 'getHealth',
    tag: 'Server',
    summary: 'Whether the server is up',
    open: true,
    answers: { 200: { says: 'It is', json: z.object({ status: z.literal('ok'), version: z.string() }) } },
    errors: [],
  },
  {
    method: 'get',
    path: '/api/agents',
    id: 'listAgents',
    tag: 'Server',
    summary: 'The agents that this server may start',
    answers: { 200: { says: 'All of them', json: z.object({ agents: z.array(wire.agentSchema) }) } },
    errors: [],
  },
  {
    method: 'get',
    path: '/api/openapi.json',
    id: 'getOpenApi',
    tag: 'Server',
    summary: 'This document',
    answers: { 200: { says: 'OpenAPI 3.1', type: 'application/json' } },
    errors: [],
  },
  {
    method: 'get',
    path: '/api/search',
    id: 'searchRuns',
    tag: 'Runs',
    summary: 'Runs by title, prompt, folder or changed path',
    query: request.searchQuerySchema,
    answers: { 200: { says: 'Newest first', json: z.object({ runs: z.array(wire.runSchema) }) } },
    errors: [],
  },
  {
    method: 'get',
    path: '/api/sessions',
    id: 'listSessions',
    tag: 'Sessions',
    summary: 'Sessions, those last active first',
    query: request.sessionsQuerySchema,
    answers: { 200: { says: 'A page', json: z.object({ sessions: z.array(wire.sessionSchema), ...list }) } },
    errors: [],
  },
  {
    method: 'post',
    path: '/api/sessions',
    id: 'createSession',
    tag: 'Sessions',
    summary: 'Make a session in a folder',
    description:
      'Without `agent` it only records the runs of an outside host. The same `session_id` and body again answer what exists.',
    body: request.createSessionSchema,
    answers: {
      201: { says: 'Made', json: z.object({ session: wire.sessionSchema }) },
      200: { says: 'It exists already', json: z.object({ session: wire.sessionSchema }) },
    },
    errors: ['workspace_not_allowed', 'workspace_unavailable', 'agent_unavailable', 'run_id_in_use'],
  },
  {
    method: 'get',
    path: '/api/sessions/{session_id}',
    id: 'getSession',
    tag: 'Sessions',
    summary: 'One session',
    answers: { 200: { says: 'It', json: z.object({ session: wire.sessionSchema }) } },
    errors: [],
  },
  {
    method: 'patch',
    path: '/api/sessions/{session_id}',
    id: 'renameSession',
    tag: 'Sessions',
    summary: 'Give a session another title',
    body: request.patchSessionSchema,
    answers: { 200: { says: 'As it is now', json: z.object({ session: wire.sessionSchema }) } },
    errors: [],
  },
  {
    method: 'delete',
    path: '/api/sessions/{session_id}',
    id: 'deleteSession',
    tag: 'Sessions',
    summary: 'Delete a session with everything of it',
    description: 'A run that goes on is stopped first; nothing is written after.',
    answers: { 204: { says: 'Gone' } },
    errors: [],
  },
  {
    method: 'get',
    path: '/api/sessions/{session_id}/timeline',
    id: 'getTimeline',
    tag: 'Sessions',
    summary: 'A page of the timeline',
    description: 'The newest without a cursor; oldest first inside a page; the cursor leads to older items.',
    query: request.pageSchema,
    answers: {
      200: { says: 'A page', json: z.object({ items: z.array(timelineItem), ...list, last_event_id: z.int() }) },
    },
    errors: [],
  },
  {
    method: 'get',
    path: '/api/sessions/{session_id}/events',
    id: 'streamEvents',
    tag: 'Sessions',
    summary: 'What happens in a session, as server-sent events',
    description:
      '`Last-Event-ID`, or `last_event_id`, resumes; when the gap cannot be filled the first event is `resync`. `workspace.diff.completed` always precedes the last event of its run: `run.completed`, `run.failed`, `run.cancelled` or `run.interrupted`.',
    query: request.eventsQuerySchema,
    answers: { 200: { says: 'The stream', type: 'text/event-stream' } },
    errors: [],
  },
  {
    method: 'get',
    path: '/api/sessions/{session_id}/snapshot',
    id: 'getSnapshot',
    tag: 'Sessions',
    summary: 'The workspace as it was when the last run in it ended',
    answers: { 200: { says: 'A fingerprint of every file', json: wire.snapshotSchema } },
    errors: [],
  },
  {
    method: 'post',
    path: '/api/sessions/{session_id}/snapshot',
    id: 'compareSnapshot',
    tag: 'Sessions',
    summary: 'Compare an earlier snapshot with the last one',
    body: wire.snapshotSchema,
    answers: { 200: { says: 'What differs', json: wire.snapshotDeltaSchema } },
    errors: [],
  },
  {
    method: 'post',
    path: '/api/sessions/{session_id}/permissions/{permission_id}',
    id: 'answerPermission',
    tag: 'Sessions',
    summary: 'Answer what an agent asked',
    description: '`option_id` null denies.',
    body: request.answerPermissionSchema,
    answers: { 200: { says: 'Answered', json: z.object({ permission: wire.permissionSchema }) } },
    errors: [],
  },
  {
    method: 'get',
    path: '/api/runs',
    id: 'listRuns',
    tag: 'Runs',
    summary: 'Runs, newest first, of all sessions, of one, or of one folder',
    query: request.runsQuerySchema,
    answers: { 200: { says: 'A page', json: z.object({ runs: z.array(wire.runSchema), ...list }) } },
    errors: [],
  },
  {
    method: 'get',
    path: '/api/runs/{run_id}',
    id: 'getRun',
    tag: 'Runs',
    summary: 'One run with its change and its calls',
    answers: {
      200: {
        says: 'It',
        json: z.object({
          run: wire.runSchema,
          change: change.nullable(),
          tool_calls: z.array(wire.toolCallSchema),
          messages: z.array(wire.messageSchema),
          permissions: z.array(wire.permissionSchema),
          plan: z.array(wire.planEntrySchema),
          last_event_id: z.int(),
        }),
      },
    },
    errors: [],
  },
  {
    method: 'get',
    path: '/api/runs/{run_id}/tool-calls/{tool_call_id}',
    id: 'getToolCall',
    tag: 'Runs',
    summary: 'One tool call in full',
    answers: { 200: { says: 'It', json: z.object({ tool_call: wire.toolCallSchema }) } },
    errors: [],
  },
  {
    method: 'post',
    path: RUNS,
    id: 'startRun',
    tag: 'Runs',
    summary: 'Start a run',
    description:
      'With `external` true an outside host runs it: the answer comes after the baseline exists, and the host may write as soon as it has it. Else the agent of the session runs the prompt, and the answer comes at once.',
    body: request.startRunSchema,
    answers: {
      201: { says: 'Of an outside host; the baseline exists', json: z.object({ run: wire.runSchema }) },
      202: { says: 'Of the agent; it runs', json: z.object({ run: wire.runSchema }) },
      200: { says: 'It exists already', json: z.object({ run: wire.runSchema }) },
    },
    errors: [
      'run_in_progress',
      'run_id_in_use',
      'workspace_not_allowed',
      'workspace_unavailable',
      'agent_unavailable',
      'storage_full',
    ],
  },
  {
    method: 'post',
    path: `${RUNS}/{run_id}/tool-calls`,
    id: 'startToolCall',
    tag: 'Runs',
    summary: 'A tool call of an outside host begins',
    description: 'The answer comes after the files in `paths` are captured.',
    body: request.startToolCallSchema,
    answers: {
      201: { says: 'Begun', json: z.object({ tool_call: wire.toolCallSchema }) },
      200: { says: 'It exists already', json: z.object({ tool_call: wire.toolCallSchema }) },
    },
    errors: ['run_already_finished', 'run_id_in_use'],
  },
  {
    method: 'post',
    path: `${RUNS}/{run_id}/tool-calls/{tool_call_id}/complete`,
    id: 'completeToolCall',
    tag: 'Runs',
    summary: 'A tool call of an outside host ends',
    body: request.completeToolCallSchema,
    answers: {
      200: {
        says: 'With what it changed by itself',
        json: z.object({ tool_call: wire.toolCallSchema, change: change.nullable() }),
      },
    },
    errors: ['run_already_finished'],
  },
  {
    method: 'post',
    path: `${RUNS}/{run_id}/complete`,
    id: 'completeRun',
    tag: 'Runs',
    summary: 'A run of an outside host ends',
    description: 'The same end again answers what is stored; another one is refused.',
    body: request.completeRunSchema,
    answers: {
      200: { says: 'With what it changed', json: z.object({ run: wire.runSchema, change: change.nullable() }) },
    },
    errors: ['run_already_finished'],
  },
  {
    method: 'post',
    path: `${RUNS}/{run_id}/cancel`,
    id: 'cancelRun',
    tag: 'Runs',
    summary: 'Cancel a run',
    description: 'That of an outside host is cancelled at once; an agent is asked to stop.',
    answers: { 202: { says: 'Asked', json: z.object({ run: wire.runSchema }) } },
    errors: ['run_already_finished'],
  },
  {
    method: 'get',
    path: CHANGES,
    id: 'listChanges',
    tag: 'Changes',
    summary: 'What the runs of a session changed, oldest first, without bodies',
    query: request.changesQuerySchema,
    answers: { 200: { says: 'A page', json: z.object({ changes: z.array(change), ...list }) } },
    errors: [],
  },
  {
    method: 'get',
    path: `${CHANGES}/{change_id}`,
    id: 'getChange',
    tag: 'Changes',
    summary: 'One change',
    answers: { 200: { says: 'It', json: z.object({ change }) } },
    errors: [],
  },
  {
    method: 'get',
    path: `${CHANGES}/{change_id}/files`,
    id: 'listFiles',
    tag: 'Changes',
    summary: 'Every row of a change',
    query: request.filesQuerySchema,
    answers: { 200: { says: 'A page', json: z.object({ files: z.array(wire.changedFileSchema), ...list }) } },
    errors: [],
  },
  {
    method: 'get',
    path: `${CHANGES}/{change_id}/files/{file_id}`,
    id: 'getFile',
    tag: 'Changes',
    summary: 'One row with its patch',
    answers: { 200: { says: 'It', json: z.object({ file: wire.changedFileBodySchema }) } },
    errors: [],
  },
  {
    method: 'get',
    path: `${CHANGES}/{change_id}/files/{file_id}/comparison`,
    id: 'getComparison',
    tag: 'Changes',
    summary: 'One file compared in full',
    query: request.comparisonQuerySchema,
    answers: { 200: { says: 'The hunks, or why there are none', json: wire.comparisonSchema } },
    errors: ['expired'],
  },
  {
    method: 'get',
    path: `${CHANGES}/{change_id}/files/{file_id}/content`,
    id: 'getContent',
    tag: 'Changes',
    summary: 'The bytes of one side, up to 2 MiB',
    query: request.contentQuerySchema,
    answers: { 200: { says: 'To download', type: 'application/octet-stream' } },
    errors: ['expired'],
  },
  {
    method: 'get',
    path: `${CHANGES}/{change_id}/patch`,
    id: 'getPatch',
    tag: 'Changes',
    summary: 'The whole change as `git apply` takes it at the root of the repository',
    query: request.patchQuerySchema,
    answers: {
      200: {
        says: 'What cannot be in it is named in # lines before it',
        type: 'text/x-diff',
        headers: {
          'X-Tidemark-Apply-From': "The repository's root, relative to the workspace",
          'X-Tidemark-Omitted': 'Rows that are not in it',
        },
      },
    },
    errors: ['expired'],
  },
  {
    method: 'get',
    path: `${CHANGES}/{change_id}/current`,
    id: 'getChangedSince',
    tag: 'Changes',
    summary: 'Which files on disk are no longer what the change left',
    answers: { 200: { says: 'Ids of rows', json: z.object({ changed_since: z.array(z.string()) }) } },
    errors: [],
  },
  {
    method: 'get',
    path: '/api/hooks',
    id: 'listHooks',
    tag: 'Terminals',
    summary: 'When events of each terminal agent last came',
    answers: { 200: { says: 'All of them', json: z.object({ hooks: z.array(wire.hookStateSchema) }) } },
    errors: [],
  },
  {
    method: 'post',
    path: '/api/hooks/{agent}',
    id: 'postHook',
    tag: 'Terminals',
    summary: 'One hook event of a terminal agent',
    description: `In the agent's own words. Agents: ${INTAKE_AGENTS.join(', ')}. Answers at once; to a prompt after the baseline, at most 2 s; to a file tool after its capture, at most 250 ms.`,
    body: z.looseObject({}),
    answers: { 200: { says: 'Taken', json: z.object({}) } },
    errors: [],
  },
  {
    method: 'post',
    path: '/api/mcp',
    id: 'mcp',
    tag: 'Terminals',
    summary: 'MCP over streamable HTTP',
    description:
      'Tools: `edit`, `write`, `list_runs`, `run_changes`, `run_patch`. `?workspace=` or `?session=` says what they are about.',
    body: z.looseObject({}),
    answers: { 200: { says: 'A JSON-RPC answer', type: 'application/json' }, 202: { says: 'Taken' } },
    errors: [],
  },
  {
    method: 'delete',
    path: '/api/mcp',
    id: 'leaveMcp',
    tag: 'Terminals',
    summary: 'An MCP client leaves',
    answers: { 204: { says: 'The run of its own edits is over' } },
    errors: [],
  },
];
