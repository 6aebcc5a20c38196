/** Makes the OpenAPI 3.1 document of the API from the table of its requests and the schemas that the handlers use. */
import { z } from 'zod';
import { type ErrorCode, HTTP_STATUS } from '@/lib/domain/errors';
import * as request from '@/lib/domain/requests';
import { VERSION } from '@/lib/domain/version';
import * as wire from '@/lib/domain/wire-schemas';
import type { ApiOperation } from './api-operation';
import { API_OPERATIONS } from './api-operations';

type Node = { [key: string]: unknown };

/** Schemas that the document names; all others stand where they are used. */
const NAMED: Record<string, z.ZodType> = {
  Session: wire.sessionSchema,
  Run: wire.runSchema,
  Message: wire.messageSchema,
  ToolCall: wire.toolCallSchema,
  Change: wire.changeSchema,
  ChangedFile: wire.changedFileSchema,
  ChangedFileBody: wire.changedFileBodySchema,
  Comparison: wire.comparisonSchema,
  Permission: wire.permissionSchema,
  Gap: wire.gapSchema,
  Agent: wire.agentSchema,
  Snapshot: wire.snapshotSchema,
  Error: wire.errorSchema,
  CreateSession: request.createSessionSchema,
  StartRun: request.startRunSchema,
  StartToolCall: request.startToolCallSchema,
  CompleteToolCall: request.completeToolCallSchema,
  CompleteRun: request.completeRunSchema,
};

/** Answers that any request of the owner may get. */
const ALWAYS: ErrorCode[] = ['unauthorized', 'forbidden_host', 'forbidden_origin', 'internal'];

/** The document. `url` is where this server answers. */
export function openApiDocument(url: string): Node {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(NAMED)) registry.add(schema, { id });
  // Schemas without a name get one for a moment, so that one call sees them all and refers to the named ones.
  const inline = new Map<z.ZodType, string>();
  for (const { query, body, answers } of API_OPERATIONS) {
    for (const schema of [query, body, ...Object.values(answers).map(({ json }) => json)]) {
      if (!schema || registry.has(schema)) continue;
      const id = `inline${inline.size}`;
      inline.set(schema, id);
      registry.add(schema, { id });
    }
  }
  const { schemas } = z.toJSONSchema(registry, {
    io: 'input',
    uri: (id) => `#/components/schemas/${id}`,
    override: ({ zodSchema, jsonSchema }) => {
      // Any JSON: said by saying nothing.
      if (zodSchema._zod.def.type === 'lazy') for (const key of Object.keys(jsonSchema)) delete jsonSchema[key];
    },
  }) as { schemas: Record<string, Node> };
  const shared = (schemas.__shared?.$defs ?? {}) as Record<string, Node>;
  for (const schema of Object.values(schemas)) {
    delete schema.$schema;
    delete schema.$id;
    putShared(schema, shared);
  }
  const schemaOf = (schema: z.ZodType): Node => {
    const id = inline.get(schema);
    if (id !== undefined) return schemas[id] as Node;
    return { $ref: `#/components/schemas/${registry.get(schema)?.id}` };
  };
  const paths: { [path: string]: Node } = {};
  for (const operation of API_OPERATIONS) {
    paths[operation.path] = { ...paths[operation.path], [operation.method]: operationNode(operation, schemaOf) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Tidemark',
      version: VERSION,
      summary: 'Which files each run of a coding agent changed',
      description:
        'Times are milliseconds since the epoch. Fields may be added. Repeats are safe: the same id with the same body answers what exists.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url }],
    security: [{ token: [] }],
    tags: [...new Set(API_OPERATIONS.map(({ tag }) => tag))].map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer', description: 'The token in the data folder' } },
      schemas: Object.fromEntries(Object.keys(NAMED).map((id) => [id, schemas[id]])),
    },
  };
}

/** What several schemas share without a name is put where it is used: all of it is "any JSON". */
function putShared(node: unknown, shared: Record<string, Node>): void {
  if (typeof node !== 'object' || node === null) return;
  const { $ref } = node as Node;
  const name = typeof $ref === 'string' ? /__shared#\/\$defs\/(\w+)$/.exec($ref)?.[1] : undefined;
  if (name !== undefined) {
    delete (node as Node).$ref;
    Object.assign(node, shared[name]);
  }
  for (const inner of Object.values(node)) putShared(inner, shared);
}

function operationNode(operation: ApiOperation, schemaOf: (schema: z.ZodType) => Node): Node {
  const { id, tag, summary, description, open, query, body, answers } = operation;
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(description && { description }),
    ...(open && { security: [] }),
    parameters: [...pathParameters(operation.path), ...(query ? queryParameters(schemaOf(query)) : [])],
    ...(body && { requestBody: { required: true, content: { 'application/json': { schema: schemaOf(body) } } } }),
    responses: { ...successes(answers, schemaOf), ...failures(operation, schemaOf(wire.errorSchema)) },
  };
}

function pathParameters(path: string): Node[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    ...(name === 'change_id' && { description: 'Encoded once more: `run:x` and `run%3Ax` both work' }),
    schema: { type: 'string' },
  }));
}

function queryParameters(schema: Node): Node[] {
  const required = (schema.required ?? []) as string[];
  return Object.entries(schema.properties as Record<string, Node>).map(([name, property]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema: property,
  }));
}

function successes(answers: ApiOperation['answers'], schemaOf: (schema: z.ZodType) => Node): Node {
  return Object.fromEntries(
    Object.entries(answers).map(([status, { says, json, type, headers }]) => [
      status,
      {
        description: says,
        ...(json && { content: { 'application/json': { schema: schemaOf(json) } } }),
        ...(type && { content: { [type]: {} } }),
        ...(headers && {
          headers: Object.fromEntries(
            Object.entries(headers).map(([name, about]) => [name, { description: about, schema: { type: 'string' } }]),
          ),
        }),
      },
    ]),
  );
}

/** Failures by status, with the codes that each may have. */
function failures({ path, query, body, open, errors }: ApiOperation, error: Node): Node {
  const codes = new Set<ErrorCode>([...errors, ...(open ? (['forbidden_host', 'internal'] as const) : ALWAYS)]);
  if (query || body) codes.add('invalid_request');
  if (body) codes.add('too_large');
  if (path.includes('{')) codes.add('not_found');
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of codes) byStatus.set(HTTP_STATUS[code], [...(byStatus.get(HTTP_STATUS[code]) ?? []), code]);
  return Object.fromEntries(
    [...byStatus].map(([status, known]) => [
      status,
      {
        description: known.map((code) => `\`${code}\``).join(', '),
        content: { 'application/json': { schema: error } },
      },
    ]),
  );
}
