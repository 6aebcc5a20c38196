/** What a tool answers: text for the model, facts for programs. */
import type { Json } from '@/lib/domain/conversation';

export interface ToolAnswer {
  text: string;
  /** Stands in `_meta` of the answer. */
  meta?: { [key: string]: Json };
}

/** A tool could not do what it was asked; the message tells a model what to do about it. */
export class ToolFailure extends Error {
  override name = 'ToolFailure';
}
