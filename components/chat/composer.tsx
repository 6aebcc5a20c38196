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
import { Notice } from '@/components/ui/notice';
import { callAction } from '@/lib/client/action-result';
import { folderName } from '@/lib/client/format';
import type { RunRecord } from '@/lib/client/timeline';
import type { AgentState, Session } from '@/lib/domain/conversation';
import { AgentChoices } from './agent-choices';
import { CommandList, useCommands } from './commands';
import styles from './composer.module.css';
import { ComposerFacts } from './composer-facts';
import { ImageStrip, useImages } from './images';
import { QueuedMessage } from './queued-message';
import type { PromptImage, SessionActions } from './session-actions';
import type { Queue } from './use-queue';

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

export function Composer(props: ComposerProps) {
  if (props.session.agent === null) {
    return <p className={styles.outside}>An outside host works in this session; what it does is recorded here.</p>;
  }
  return <Field {...props} />;
}

function Field({ session, agent, agentName, last, queue, actions, onSend, disabled }: ComposerProps) {
  const { draft, setDraft, queued, setQueued } = queue;
  const field = useRef<HTMLTextAreaElement>(null);
  const [isSending, setSending] = useState(false);
  const [stopping, setStopping] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const images = useImages(agent?.takesImages ?? false, setProblem);
  const commands = useCommands(agent?.commands ?? [], draft, setDraft);
  const isRunning = last?.run?.status === 'running';
  const isStopping = isRunning && stopping === last?.id;

  const start = async (prompt: string, pictures: PromptImage[]): Promise<boolean> => {
    setSending(true);
    setProblem(null);
    onSend();
    const started = await callAction(actions.startRun, { sessionId: session.id, prompt, images: pictures });
    setSending(false);
    if (started.ok) return true;
    // Another tab was faster: the message waits for its run to end.
    if (started.error.code === 'run_in_progress') setQueued(prompt);
    else setProblem(started.error.message);
    return started.error.code === 'run_in_progress';
  };

  const send = async () => {
    const prompt = draft.trim() === '' && images.list.length > 0 ? 'See the picture.' : draft;
    if (prompt.trim() === '' || isSending || disabled) return;
    if (isRunning) {
      setQueued(queued === null ? prompt : `${queued}\n\n${prompt}`);
      setDraft('');
      return;
    }
    setDraft('');
    const pictures = images.take();
    if (await start(prompt, pictures)) return;
    setDraft(prompt);
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

  useRunEnd(last, (status) => {
    if (queued === null) return;
    setQueued(null);
    // Whoever stopped a run wants to think again before the next begins.
    if (status === 'cancelled' || status === 'interrupted') setDraft(draft === '' ? queued : `${queued}\n\n${draft}`);
    else
      void start(queued, []).then((isStarted) => {
        if (!isStarted) setDraft(queued);
      });
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
        <QueuedMessage
          text={queued}
          isWaiting={isRunning}
          onEdit={() => {
            setDraft(draft === '' ? queued : `${queued}\n\n${draft}`);
            setQueued(null);
            field.current?.focus();
          }}
          onRemove={() => setQueued(null)}
          onSend={() => {
            setQueued(null);
            void start(queued, []).then((isStarted) => {
              if (!isStarted) setDraft(queued);
            });
          }}
        />
      )}
      <form className={styles.composer} onSubmit={onSubmit}>
        {commands.isOpen && <CommandList {...commands} />}
        <ImageStrip images={images} />
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
            title={isRunning ? 'Sends when the run ends' : undefined}
          >
            Send
          </Button>
        </div>
      </form>
    </>
  );
}

/** Calls back once when the run that was going on has ended. */
function useRunEnd(last: RunRecord | null, onEnd: (status: string) => void): void {
  const ended = useEffectEvent(onEnd);
  const status = last?.run?.status;
  const running = useRef<string | null>(null);
  useEffect(() => {
    if (!last || !status) return;
    if (status === 'running') running.current = last.id;
    else if (running.current !== null) {
      running.current = null;
      ended(status);
    }
  }, [last, status]);
}
