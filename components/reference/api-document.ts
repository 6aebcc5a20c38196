/** The parts of an OpenAPI 3.1 document that the page shows. */

/** A JSON Schema, as far as it is drawn; anything else in it is left out. */
export interface ApiSchema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  description?: string;
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  maxItems?: number;
  properties?: Record<string, ApiSchema>;
  required?: string[];
  items?: ApiSchema;
  anyOf?: ApiSchema[];
  oneOf?: ApiSchema[];
  additionalProperties?: boolean | ApiSchema;
}

interface Content {
  [type: string]: { schema?: ApiSchema };
}

export interface ApiParameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  description?: string;
  schema?: ApiSchema;
}

export interface ApiOperation {
  operationId: string;
  summary: string;
  description?: string;
  tags?: string[];
  security?: unknown[];
  parameters?: ApiParameter[];
  requestBody?: { required?: boolean; content: Content };
  responses: Record<string, { description: string; content?: Content }>;
}

export interface ApiDocument {
  info: { title: string; version: string; description?: string };
  servers: { url: string }[];
  tags: { name: string }[];
  paths: Record<string, Record<string, ApiOperation>>;
  components: { schemas: Record<string, ApiSchema> };
}

/** The name that a reference leads to. */
export function referenceName(ref: string): string {
  return ref.slice(ref.lastIndexOf('/') + 1);
}

/** A schema in a few words: `string`, `integer or null`, `list of Run`, `"lf" or "crlf"`. */
export function schemaInWords(schema: ApiSchema | undefined): string {
  if (!schema) return 'any JSON';
  if (schema.$ref) return referenceName(schema.$ref);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' or ');
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return [...new Set(choices.map(schemaInWords))].join(' or ');
  if (schema.type === 'array') return `list of ${schemaInWords(schema.items)}`;
  if (Array.isArray(schema.type)) return schema.type.join(' or ');
  if (schema.type === 'object') return 'object';
  return schema.type ?? 'any JSON';
}

/** What a value must be beside its type: `1 to 200`, `at most 4096 characters`, a pattern. */
export function boundsInWords(schema: ApiSchema): string[] {
  const { minimum, maximum, minLength, maxLength, maxItems, pattern } = schema;
  const bounds: string[] = [];
  const isSafe = (value: number | undefined) => value !== undefined && Math.abs(value) < Number.MAX_SAFE_INTEGER;
  if (isSafe(minimum) && isSafe(maximum)) bounds.push(`${minimum} to ${maximum}`);
  else if (isSafe(minimum)) bounds.push(`at least ${minimum}`);
  else if (isSafe(maximum)) bounds.push(`at most ${maximum}`);
  if (maxLength !== undefined) bounds.push(`${minLength ? `${minLength} to` : 'at most'} ${maxLength} characters`);
  if (maxItems !== undefined) bounds.push(`at most ${maxItems}`);
  if (pattern !== undefined) bounds.push(pattern);
  if (schema.default !== undefined) bounds.push(`default ${JSON.stringify(schema.default)}`);
  return bounds;
}
