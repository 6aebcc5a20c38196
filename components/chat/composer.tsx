/** Where one says what comes next: write, send, stop, queue; what the agent offers stands under it. */
'use client';

import { ArrowUp, ImagePlus, Square } from 'lucide-react';
import {
  type ClipboardEvent,
  type FormEvent,
  type KeyboardEvent,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from 'react';
import { Button, IconButton } from '@/components/ui/button';
import { Later, LaterPart } from '@/components/ui/later';
import { Notice } from '@/components/ui/notice';
import { callAction } from '@/lib/client/action-result';
import { folderName } from '@/lib/client/format';
import type { RunRecord } from '@/lib/client/timeline';
import type { AgentState, Session } from '@/lib/domain/conversation';
import { AgentChoices } from './agent-choices';
import styles from './composer.module.css';
import { ComposerFacts } from './composer-facts';
import type { PromptImage, SessionActions } from './session-actions';
import { useCommands } from './use-commands';
import { useImages } from './use-images';
import type { Queue } from './use-queue';

// What most messages do without.
const commandList = new LaterPart(() => import('./command-list').then(({ CommandList }) => CommandList));
const imageStrip = new LaterPart(() => import('./image-strip').then(({ ImageStrip }) => ImageStrip));
const queuedMessage = new LaterPart(() => import('./queued-message').then(({ QueuedMessage }) => QueuedMessage));

interface ComposerProps {
  session: Session;
  agent: AgentState | null;
  agentName: string | null;
  last: RunRecord | null;
  queue: Queue;
  actions: Pick<SessionActions, 'startRun' | 'cancelRun' | 'chooseAgentOption'>;
  /** Called as a message goes off. */
  onSend: () => void;
  /** Nothing can be sent: the session is gone, or the browser is not let in. */
  disabled: boolean;
}

/** A message on its way: the run that was the last one before it, and what the server said. */
interface Sending {
  after: string | undefined;
  state: 'asked' | 'taken' | 'refused';
}

export function Composer(props: ComposerProps) {
  if (props.session.agent === null) {
    return <p className={styles.outside}>An outside host works in this session; what it does is recorded here.</p>;
  }
  return <Field {...props} />;
}

function Field({ session, agent, agentName, last, queue, actions, onSend, disabled }: ComposerProps) {
  const { draft, setDraft, queued } = queue;
  const field = useRef<HTMLTextAreaElement>(null);
  const [sending, setSending] = useState<Sending | null>(null);
  const [stopping, setStopping] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const images = useImages(agent?.takesImages ?? false, setProblem);
  const commands = useCommands(agent?.commands ?? [], draft, setDraft);
  const isRunning = last?.run?.status === 'running';
  // A message is on its way until its run stands in the timeline, which may be before or after the action's answer.
  const isSending = sending?.state === 'asked' || (sending?.state === 'taken' && last?.id === sending.after);
  const isStopping = isRunning && stopping === last?.id;

  const start = async (prompt: string, pictures: PromptImage[]): Promise<boolean> => {
    const after = last?.id;
    setSending({ after, state: 'asked' });
    setProblem(null);
    onSend();
    const started = await callAction(actions.startRun, { sessionId: session.id, prompt, images: pictures });
    // Another tab was faster: the message waits for its run to end.
    const isQueued = !started.ok && started.error.code === 'run_in_progress';
    if (isQueued) queue.enqueue(prompt, true);
    else if (!started.ok) setProblem(started.error.message);
    const isTaken = started.ok || isQueued;
    setSending({ after, state: isTaken ? 'taken' : 'refused' });
    return isTaken;
  };

  const send = async () => {
    const prompt = draft.trim() === '' && images.list.length > 0 ? 'See the picture.' : draft;
    if (prompt.trim() === '' || disabled) return;
    if (isRunning || isSending) {
      queue.enqueue(prompt);
      setDraft('');
      return;
    }
    setDraft('');
    const pictures = images.take();
    if (await start(prompt, pictures)) return;
    queue.giveBack(prompt);
    images.give(pictures);
  };

  const stop = async () => {
    if (!last || isStopping) return;
    setStopping(last.id);
    setProblem(null);
    const stopped = await callAction(actions.cancelRun, { sessionId: session.id, runId: last.id });
    if (stopped.ok || stopped.error.code === 'run_already_finished') return;
    setStopping(null);
    setProblem(stopped.error.message);
  };

  const sendQueued = (text: string) => {
    queue.clearQueued();
    void start(text, []).then((isTaken) => {
      if (!isTaken) queue.giveBack(text);
    });
  };

  const editQueued = (text: string) => {
    queue.clearQueued();
    queue.giveBack(text);
  };

  useRunEnd(last?.run?.status, isSending, (status) => {
    // What was said after a message that was refused is not sent without it.
    if (queued === null || sending?.state === 'refused') return;
    // Whoever stopped a run wants to think again before the next begins.
    if (status === 'cancelled' || status === 'interrupted') editQueued(queued);
    else sendQueued(queued);
  });

  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.nativeEvent.isComposing || commands.onKey(event)) return;
    if (event.key === 'Enter' && !event.shiftKey && !event.altKey) {
      event.preventDefault();
      void send();
    } else if (event.key === 'Escape' && isRunning) {
      event.preventDefault();
      void stop();
    } else if (event.key === 'ArrowUp' && draft === '' && last?.run?.prompt) {
      event.preventDefault();
      setDraft(last.run.prompt);
    }
  };

  const onPaste = (event: ClipboardEvent) => {
    if (images.add([...event.clipboardData.files])) event.preventDefault();
  };

  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    void send();
    field.current?.focus();
  };

  return (
    <>
      {problem && <Notice kind="error">{problem}</Notice>}
      {queued !== null && (
        <Later
          part={queuedMessage}
          props={{
            text: queued,
            isWaiting: isRunning || isSending,
            onEdit: () => {
              editQueued(queued);
              field.current?.focus();
            },
            onRemove: queue.clearQueued,
            onSend: () => sendQueued(queued),
          }}
        />
      )}
      <form className={styles.composer} onSubmit={onSubmit}>
        {commands.isOpen && <Later part={commandList} props={commands} />}
        {images.list.length > 0 && <Later part={imageStrip} props={{ images }} />}
        <textarea
          ref={field}
          className={styles.text}
          aria-label="Message"
          rows={1}
          placeholder={
            session.agent === 'shell'
              ? `A command to run in ${folderName(session.workspace)}`
              : `Ask ${agentName} to change something in ${folderName(session.workspace)}`
          }
          value={draft}
          maxLength={1_000_000}
          disabled={disabled}
          spellCheck={session.agent !== 'shell'}
          onChange={(event) => setDraft(event.target.value)}
          onKeyDown={onKeyDown}
          onPaste={onPaste}
          {...commands.fieldProps}
        />
        <div className={styles.bar}>
          {images.isOffered && <IconButton label="Add a picture" icon={ImagePlus} onClick={images.choose} />}
          {agent && (
            <AgentChoices
              agent={agent}
              choose={(choiceId, value) =>
                callAction(actions.chooseAgentOption, { sessionId: session.id, choiceId, value }).then((chosen) => {
                  if (!chosen.ok) setProblem(chosen.error.message);
                })
              }
            />
          )}
          <ComposerFacts run={last?.run ?? null} agent={agent} />
          {isRunning && (
            <Button icon={Square} busy={isStopping} onClick={() => void stop()} shortcut="Esc">
              Stop
            </Button>
          )}
          <Button
            type="submit"
            look="primary"
            icon={ArrowUp}
            busy={isSending}
            disabled={disabled || (draft.trim() === '' && images.list.length === 0)}
            title={isRunning || isSending ? 'Sends when the run ends' : undefined}
          >
            Send
          </Button>
        </div>
      </form>
    </>
  );
}

/** Calls back once when the run that was being started, or was going on, has ended; `status` is that of the last run. */
function useRunEnd(status: string | undefined, isSending: boolean, onEnd: (status: string) => void): void {
  const ended = useEffectEvent(onEnd);
  const isAwaited = useRef(false);
  useEffect(() => {
    if (isSending || status === 'running') isAwaited.current = true;
    else if (status && isAwaited.current) {
      isAwaited.current = false;
      ended(status);
    }
  }, [isSending, status]);
}
