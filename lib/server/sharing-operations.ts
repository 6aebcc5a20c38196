/** The requests that show a run, or a whole session, to others: links, exports, first-to-last. Part of the API document. */
import { z } from 'zod';
import * as request from '@/lib/domain/requests';
import * as wire from '@/lib/domain/wire-schemas';
import type { ApiOperation } from './api-operation';

const RUN = '/api/runs/{run_id}';
const FIRST_TO_LAST = '/api/sessions/{session_id}/first-to-last';

const masked = z
  .array(z.object({ file_id: z.string(), count: z.int(), rule: z.string() }))
  .describe('What is masked in what the link shows');

const exported = (format: 'html' | 'json' | 'md', type: string, summary: string): ApiOperation => ({
  method: 'get',
  path: `${RUN}/export.${format}`,
  id: `exportRun${format[0]?.toUpperCase()}${format.slice(1)}`,
  tag: 'Shares',
  summary,
  answers: { 200: { says: 'To download, secrets masked', type } },
  errors: ['expired'],
});

export const SHARING_OPERATIONS: ApiOperation[] = [
  {
    method: 'get',
    path: `${RUN}/shares`,
    id: 'listShares',
    tag: 'Shares',
    summary: 'The links that show a run',
    answers: { 200: { says: 'All of them', json: z.object({ shares: z.array(wire.shareSchema) }) } },
    errors: [],
  },
  {
    method: 'post',
    path: `${RUN}/shares`,
    id: 'createShare',
    tag: 'Shares',
    summary: 'Make a link that shows a run and nothing else',
    body: request.createShareSchema,
    answers: { 201: { says: 'Made', json: z.object({ share: wire.shareSchema, masked }) } },
    errors: [],
  },
  {
    method: 'post',
    path: `${RUN}/shares/preview`,
    id: 'previewShare',
    tag: 'Shares',
    summary: 'What a link made with this body would mask; makes none',
    body: request.createShareSchema,
    answers: { 200: { says: 'What it would mask', json: z.object({ masked }) } },
    errors: [],
  },
  {
    method: 'delete',
    path: '/api/shares/{share_id}',
    id: 'revokeShare',
    tag: 'Shares',
    summary: 'Revoke a link',
    answers: { 204: { says: 'It opens nothing from now on' } },
    errors: [],
  },
  exported('html', 'text/html', 'The run as one page that opens from disk'),
  exported('json', 'application/json', 'The run as JSON'),
  exported('md', 'text/markdown', 'The run as Markdown for a pull request'),
  {
    method: 'get',
    path: FIRST_TO_LAST,
    id: 'getFirstToLast',
    tag: 'Sessions',
    summary: 'What a session changed, first state to last',
    answers: {
      200: { says: 'Null where no run of it has a record', json: z.object({ change: wire.changeSchema.nullable() }) },
    },
    errors: [],
  },
  {
    method: 'get',
    path: `${FIRST_TO_LAST}/files`,
    id: 'listFirstToLastFiles',
    tag: 'Sessions',
    summary: 'Every row of what a session changed',
    query: request.filesQuerySchema,
    answers: {
      200: {
        says: 'A page',
        json: z.object({ files: z.array(wire.changedFileSchema), next_cursor: z.string().nullable() }),
      },
    },
    errors: [],
  },
  {
    method: 'get',
    path: `${FIRST_TO_LAST}/files/{file_id}`,
    id: 'getFirstToLastFile',
    tag: 'Sessions',
    summary: 'One row of what a session changed, with its patch',
    answers: { 200: { says: 'It', json: z.object({ file: wire.changedFileBodySchema }) } },
    errors: ['expired'],
  },
  {
    method: 'get',
    path: `${FIRST_TO_LAST}/files/{file_id}/comparison`,
    id: 'getFirstToLastComparison',
    tag: 'Sessions',
    summary: 'One file of a session compared in full',
    query: request.comparisonQuerySchema,
    answers: { 200: { says: 'The hunks, or why there are none', json: wire.comparisonSchema } },
    errors: ['expired'],
  },
  {
    method: 'get',
    path: `${FIRST_TO_LAST}/files/{file_id}/content`,
    id: 'getFirstToLastContent',
    tag: 'Sessions',
    summary: 'The bytes of one side of a file of a session',
    query: request.contentQuerySchema,
    answers: { 200: { says: 'To download', type: 'application/octet-stream' } },
    errors: ['expired'],
  },
  {
    method: 'get',
    path: `${FIRST_TO_LAST}/patch`,
    id: 'getFirstToLastPatch',
    tag: 'Sessions',
    summary: 'What a session changed as `git apply` takes it',
    answers: { 200: { says: 'What cannot be in it is named in # lines before it', type: 'text/x-diff' } },
    errors: ['expired'],
  },
];
