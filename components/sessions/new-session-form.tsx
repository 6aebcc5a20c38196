/** Chooses the folder and the agent of a new session; a wrong folder is told before anything is made. */
'use client';

import { useQueryClient } from '@tanstack/react-query';
import { FolderOpen } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { type FormEvent, useState } from 'react';
import { Button } from '@/components/ui/button';
import { Field } from '@/components/ui/field';
import { Later, LaterPart } from '@/components/ui/later';
import { Notice } from '@/components/ui/notice';
import { type Action, type ActionFailure, callAction } from '@/lib/client/action-result';
import { folderName } from '@/lib/client/format';
import { lookAtSessions } from '@/lib/client/sessions-query';
import type { SessionId } from '@/lib/domain/ids';
import type { WorkspaceKind } from '@/lib/domain/workspace';
import type { FolderListing } from './folder-picker';
import styles from './new-session-form.module.css';
import { useWorkspaceCheck, type WorkspaceCheck } from './use-workspace-check';

const folderPicker = new LaterPart(() => import('./folder-picker').then((module) => module.FolderPicker));

export interface AgentOption {
  id: string;
  name: string;
  available: boolean;
  /** Why not, and what to type. */
  reason?: string;
}

export interface NewSessionFormProps {
  agents: AgentOption[];
  /** Folders used before, most recent first. */
  recent: { workspace: string; displayWorkspace: string; kind: WorkspaceKind }[];
  initialWorkspace: string;
  actions: {
    createSession: Action<{ workspace: string; agent: string }, { sessionId: SessionId }>;
    checkWorkspace: Action<{ path: string }, WorkspaceCheck>;
    listFolders: Action<{ path: string }, FolderListing>;
  };
}

export function NewSessionForm({ agents, recent, initialWorkspace, actions }: NewSessionFormProps) {
  const router = useRouter();
  const client = useQueryClient();
  const [workspace, setWorkspace] = useState(initialWorkspace);
  const [agentId, setAgentId] = useState(() => firstChoice(agents));
  const [picking, setPicking] = useState(false);
  const [starting, setStarting] = useState(false);
  const [failure, setFailure] = useState<ActionFailure | null>(null);
  const check = useWorkspaceCheck(actions.checkWorkspace, workspace);

  const agent = agents.find((candidate) => candidate.id === agentId);
  const isAboutFolder = failure?.code.startsWith('workspace') || failure?.message.startsWith('workspace');
  const folderProblem = isAboutFolder ? failure?.message : check.state === 'wrong' ? check.message : null;

  const choose = (path: string) => {
    setWorkspace(path);
    setFailure(null);
  };

  const start = async (event: FormEvent) => {
    event.preventDefault();
    if (starting) return;
    setStarting(true);
    setFailure(null);
    const made = await callAction(actions.createSession, { workspace: workspace.trim(), agent: agentId });
    if (made.ok) {
      lookAtSessions(client);
      router.push(`/sessions/${made.value.sessionId}`);
    } else {
      setFailure(made.error);
      setStarting(false);
    }
  };

  return (
    <form className={styles.form} onSubmit={start}>
      <Field label="Workspace folder" error={folderProblem ?? null} hint="An absolute path on this computer, or ~/…">
        {(field) => (
          <div className={styles.folder}>
            <input
              {...field}
              value={workspace}
              onChange={(event) => choose(event.target.value)}
              required
              maxLength={4096}
              list="folders-used-before"
              placeholder="~/code/my-project"
              spellCheck={false}
              autoCapitalize="off"
              autoComplete="off"
            />
            <Button icon={FolderOpen} onClick={() => setPicking(true)}>
              Browse
            </Button>
          </div>
        )}
      </Field>
      <datalist id="folders-used-before">
        {recent.map((entry) => (
          <option key={entry.workspace} value={entry.workspace} />
        ))}
      </datalist>

      {check.state === 'fine' && <WorkspaceNote found={check.found} />}

      {recent.length > 0 && (
        <fieldset className={styles.recent}>
          <legend>Used before</legend>
          <ul>
            {recent.slice(0, 6).map((entry) => (
              <li key={entry.workspace}>
                <button type="button" className={styles.used} onClick={() => choose(entry.workspace)}>
                  <b>{folderName(entry.workspace)}</b>
                  <span>{entry.displayWorkspace}</span>
                </button>
              </li>
            ))}
          </ul>
        </fieldset>
      )}

      <Field
        label="Agent"
        hint={agent && !agent.available ? undefined : 'It works in the folder with your rights, as in a terminal.'}
      >
        {(field) => (
          <select {...field} value={agentId} onChange={(event) => setAgentId(event.target.value)}>
            {agents.map((option) => (
              <option key={option.id} value={option.id}>
                {option.available ? option.name : `${option.name} (not available)`}
              </option>
            ))}
          </select>
        )}
      </Field>
      {agent && !agent.available && (
        <Notice kind="warning" title={`${agent.name} cannot be started.`} onRetry={() => router.refresh()}>
          {agent.reason}
        </Notice>
      )}

      {failure && !isAboutFolder && (
        <Notice kind="error" title="No session was made.">
          {failure.message}
        </Notice>
      )}

      <div className={styles.end}>
        <Button
          type="submit"
          look="primary"
          busy={starting}
          disabled={workspace.trim() === '' || (agent !== undefined && !agent.available)}
        >
          Start session
        </Button>
      </div>

      {picking && (
        <Later
          part={folderPicker}
          props={{
            from: workspace,
            listFolders: actions.listFolders,
            onChoose: (path) => {
              choose(path);
              setPicking(false);
            },
            onClose: () => setPicking(false),
          }}
        />
      )}
    </form>
  );
}

/** An agent that speaks, where one is there; else whatever could be started. */
function firstChoice(agents: AgentOption[]): string {
  const available = agents.filter((agent) => agent.available);
  return (available.find((agent) => agent.id !== 'shell') ?? available[0] ?? agents[0])?.id ?? '';
}

function WorkspaceNote({ found }: { found: WorkspaceCheck }) {
  if (found.wholeFolder) {
    return (
      <Notice kind="warning" title="This folder is too broad to watch whole.">
        Only files that the agent’s own tools name will be recorded, not what its commands change. Choose a folder
        inside it to have every change recorded.
      </Notice>
    );
  }
  return (
    <p className={styles.note} role="status">
      {found.repository !== null && found.repository !== found.workspace
        ? `A folder inside the git repository ${found.repository}.`
        : found.kind === 'git'
          ? 'A git repository.'
          : 'No git here: Tidemark compares the files itself.'}
    </p>
  );
}
