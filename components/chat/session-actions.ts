/** What can be done in a session; server actions, handed down by its page. */
import type { Action } from '@/lib/client/action-result';
import type { PermissionId, RunId, SessionId } from '@/lib/domain/ids';

/** As the wire has it. */
export interface PromptImage {
  mime_type: string;
  /** Base64. */
  data: string;
}

export interface SessionActions {
  startRun: Action<{ sessionId: SessionId; prompt: string; images: PromptImage[] }, { runId: RunId }>;
  cancelRun: Action<{ sessionId: SessionId; runId: RunId }>;
  answerPermission: Action<{ sessionId: SessionId; permissionId: PermissionId; optionId: string | null }>;
  chooseAgentOption: Action<{ sessionId: SessionId; choiceId: string; value: string }>;
  renameSession: Action<{ sessionId: SessionId; title: string }>;
  deleteSession: Action<{ sessionId: SessionId }>;
}
