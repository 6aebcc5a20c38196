/** Ids as they come from outside, parsed; apart from `ids`, so that the browser does without a parser. */
import { z } from 'zod';
import { ID_PATTERN, type RunId, type SessionId, type ToolCallId } from './ids';

export const sessionIdSchema = z
  .string()
  .regex(ID_PATTERN, 'must be 1 to 64 of A-Z a-z 0-9 . _ -')
  .transform((value) => value as SessionId);
export const runIdSchema = z
  .string()
  .regex(ID_PATTERN, 'must be 1 to 64 of A-Z a-z 0-9 . _ -')
  .transform((value) => value as RunId);
export const toolCallIdSchema = z
  .string()
  .min(1)
  .max(256)
  .transform((value) => value as ToolCallId);
