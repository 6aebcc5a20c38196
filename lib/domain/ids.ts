/** The identities of things, branded so that one kind is never passed for another. */

declare const brand: unique symbol;
type Branded<Name extends string> = string & { readonly [brand]: Name };

export type SessionId = Branded<'SessionId'>;
export type RunId = Branded<'RunId'>;
export type MessageId = Branded<'MessageId'>;
export type ToolCallId = Branded<'ToolCallId'>;
export type ChangeId = Branded<'ChangeId'>;
export type FileId = Branded<'FileId'>;
export type ShareId = Branded<'ShareId'>;
export type PermissionId = Branded<'PermissionId'>;

/** What session and run ids look like (CONTRACT, "Requests"). */
export const ID_PATTERN = /^[A-Za-z0-9._-]{1,64}$/;

export function isRunId(text: string): text is RunId {
  return ID_PATTERN.test(text);
}

export function isToolCallId(text: string): text is ToolCallId {
  return text.length >= 1 && text.length <= 256;
}

/** A fresh id, e.g. `run_9f1c…`: unguessable, sortable by nothing. */
export function mintId<Id extends SessionId | RunId | MessageId | FileId | ShareId | PermissionId | ToolCallId>(
  prefix: 'ses' | 'run' | 'msg' | 'file' | 'share' | 'perm' | 'call',
): Id {
  return `${prefix}_${crypto.randomUUID().replaceAll('-', '')}` as Id;
}

/** What a change is the change of. */
export type ChangeSubject =
  | { source: 'run'; runId: RunId }
  | { source: 'tool'; runId: RunId; toolCallId: ToolCallId }
  | { source: 'drift'; runId: RunId };

/** `run:<run>`, `tool:<run>:<call>` (the call percent-encoded) or `drift:<run>`. */
export function changeIdOf(subject: ChangeSubject): ChangeId {
  return (
    subject.source === 'tool'
      ? `tool:${subject.runId}:${encodeURIComponent(subject.toolCallId)}`
      : `${subject.source}:${subject.runId}`
  ) as ChangeId;
}

/** The subject that a change id names, or null where it is none. */
export function parseChangeId(text: string): ChangeSubject | null {
  const [source, run, call, ...rest] = text.split(':');
  if (run === undefined || !isRunId(run) || rest.length > 0) return null;
  if (source === 'run' || source === 'drift') return call === undefined ? { source, runId: run } : null;
  if (source !== 'tool' || call === undefined) return null;
  try {
    const toolCallId = decodeURIComponent(call);
    return isToolCallId(toolCallId) ? { source, runId: run, toolCallId } : null;
  } catch {
    return null;
  }
}
