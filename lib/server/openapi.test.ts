import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { openApiDocument } from './openapi';

const api = fileURLToPath(new URL('../../app/api', import.meta.url));
const document = openApiDocument('http://127.0.0.1:4777') as {
  paths: Record<string, Record<string, { operationId: string; parameters: { name: string; in: string }[] }>>;
  components: { schemas: Record<string, object> };
};

/** Every request that a handler answers, as `get /api/runs/{}`. */
function handled(): string[] {
  return readdirSync(api, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('/route.ts') && !name.startsWith('[...'))
    .flatMap((name) => {
      const path = `/api/${name.slice(0, -'/route.ts'.length).replace(/\[\w+\]/g, '{}')}`;
      const source = readFileSync(join(api, name), 'utf8');
      return [...source.matchAll(/^export const (GET|POST|PATCH|DELETE|PUT) /gm)].map(
        ([, method]) => `${method?.toLowerCase()} ${path}`,
      );
    });
}

it('names every request that is answered, and no other', () => {
  const named = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method} ${path.replace(/\{\w+\}/g, '{}')}`),
  );
  expect(named.toSorted()).toEqual(handled().toSorted());
});

it('refers to nothing that it does not hold', () => {
  const text = JSON.stringify(document);
  const refs = [...text.matchAll(/"\$ref":"([^"]+)"/g)].map(([, ref]) => ref);
  expect(refs.length).toBeGreaterThan(30);
  for (const ref of refs)
    expect(Object.keys(document.components.schemas).map((id) => `#/components/schemas/${id}`)).toContain(ref);
  expect(text).not.toContain('__shared');
});

it('gives each request an id of its own and its path’s parameters', () => {
  const ids = new Set<string>();
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const { operationId, parameters } of Object.values(methods)) {
      expect(ids.has(operationId)).toBe(false);
      ids.add(operationId);
      const inPath = parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => `{${name}}`);
      expect(path.match(/\{\w+\}/g) ?? []).toEqual(inPath);
    }
  }
});

it('says what a handler takes, from the schema that the handler uses', () => {
  expect(document.components.schemas.CreateSession).toMatchObject({
    type: 'object',
    required: ['workspace'],
    properties: {
      workspace: { type: 'string', minLength: 1, maxLength: 4096 },
      session_id: { pattern: '^[A-Za-z0-9._-]{1,64}$' },
    },
  });
  // Fields may be added: no schema forbids them.
  expect(JSON.stringify(document)).not.toContain('"additionalProperties":false');
});
