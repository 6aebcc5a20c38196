/** The MCP server: the tools by name, with what a model is told about them. */
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import type { Json } from '@/lib/domain/conversation';
import { isAppError } from '@/lib/domain/errors';
import { VERSION } from '@/lib/domain/version';
import { type EditTools, edit, write } from './edit-tools';
import { listRuns, type RunReader, runChanges, runPatch } from './run-tools';
import { type ToolAnswer, ToolFailure } from './tool-answer';

/** A call that changes a file, for the record. */
export interface ChangingCall {
  tool: 'edit' | 'write';
  /** As the model named it. */
  path: string;
  input: { [key: string]: Json };
}

/** What the server works with; opened for each request. */
export interface ToolDoor {
  /** Throws `ToolFailure` where the client did not say which folder it works in. */
  editTools(): Promise<EditTools>;
  reader: RunReader;
  /** Records a call from before its change to after it; answers with what it answers, and with where it is recorded. */
  recorded(call: ChangingCall, change: () => Promise<ToolAnswer>): Promise<ToolAnswer>;
  /** Lines of a diff shown to a model. */
  maxLines: number;
}

const path = z.string().min(1).max(4096).describe('Inside the workspace; absolute, or relative to it');
const runId = z
  .string()
  .max(64)
  .optional()
  .describe('The id of a run; without it the run that goes on, else the last one');

export const editShape = {
  path,
  old_string: z.string().describe('The text to replace, exactly as it stands in the file'),
  new_string: z.string().describe('What stands there afterwards'),
  replace_all: z.boolean().optional().describe('Replace every one; without it old_string must be there once'),
};
export const writeShape = { path, content: z.string().describe('The whole content of the file') };
export const listRunsShape = { limit: z.number().int().min(1).max(200).optional() };
export const runChangesShape = {
  run_id: runId,
  drift: z.boolean().optional().describe('What changed outside runs, between the run before and this one'),
};
export const runPatchShape = { run_id: runId };

const READS = { readOnlyHint: true, openWorldHint: false } as const;
const CHANGES = { readOnlyHint: false, destructiveHint: true, openWorldHint: false } as const;

export function createToolServer(door: ToolDoor): McpServer {
  const server = new McpServer(
    { name: 'tidemark', version: VERSION },
    {
      instructions:
        'Tidemark records what each run changed. `edit` and `write` answer with the diff of what is on the disk afterwards; `run_changes` and `run_patch` show everything this run changed, also by shell commands.',
    },
  );
  server.registerTool(
    'edit',
    {
      title: 'Edit a file',
      description: 'Replaces a text in a file and answers with the unified diff of what is on the disk afterwards.',
      inputSchema: editShape,
      annotations: { ...CHANGES, idempotentHint: false },
    },
    (input) => answering(() => door.recorded(changing('edit', input), async () => edit(await door.editTools(), input))),
  );
  server.registerTool(
    'write',
    {
      title: 'Write a file',
      description:
        'Writes a whole file, new or not; where it replaced text, the answer holds the unified diff of what is on the disk afterwards.',
      inputSchema: writeShape,
      annotations: { ...CHANGES, idempotentHint: true },
    },
    (input) =>
      answering(() => door.recorded(changing('write', input), async () => write(await door.editTools(), input))),
  );
  server.registerTool(
    'list_runs',
    {
      title: 'List runs',
      description: 'The runs recorded in this folder, newest first.',
      inputSchema: listRunsShape,
      annotations: READS,
    },
    (input) => answering(() => listRuns(door.reader, input)),
  );
  server.registerTool(
    'run_changes',
    {
      title: 'What a run changed',
      description:
        'Every file that a run changed, with line counts; so far, where it goes on. With drift: what changed outside runs before it.',
      inputSchema: runChangesShape,
      annotations: READS,
    },
    (input) => answering(() => runChanges(door.reader, input)),
  );
  server.registerTool(
    'run_patch',
    {
      title: 'The patch of a run',
      description: 'The unified diff of everything that a run changed.',
      inputSchema: runPatchShape,
      annotations: READS,
    },
    (input) => answering(() => runPatch(door.reader, input, door)),
  );
  return server;
}

function changing(tool: ChangingCall['tool'], input: { path: string; [key: string]: Json | undefined }): ChangingCall {
  const given = Object.entries(input).filter((entry): entry is [string, Json] => entry[1] !== undefined);
  return { tool, path: input.path, input: Object.fromEntries(given) };
}

/** A refusal is an answer that says so: a model reads it and tries again. What is none of ours is not explained. */
async function answering(tool: () => Promise<ToolAnswer>): Promise<CallToolResult> {
  try {
    const { text, meta } = await tool();
    return { content: [{ type: 'text', text }], ...(meta && { _meta: meta }) };
  } catch (error) {
    if (!(error instanceof ToolFailure) && !isAppError(error)) {
      console.error('A tool failed inside Tidemark:', error);
      return { content: [{ type: 'text', text: 'Something failed inside Tidemark.' }], isError: true };
    }
    return { content: [{ type: 'text', text: error.message }], isError: true };
  }
}
