/** What the API document says of one request. */
import type { z } from 'zod';
import type { ErrorCode } from '@/lib/domain/errors';

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
