/** What an agent asks before it acts: its own options as buttons, answered by a press or by their number. */
'use client';

import { useEffect, useState } from 'react';
import { plainText } from '@/components/changes/plain-text';
import { Button } from '@/components/ui/button';
import { Notice } from '@/components/ui/notice';
import type { PermissionOption, PermissionRequest } from '@/lib/domain/conversation';
import styles from './permission-prompt.module.css';

/** Keys that choose: as many as a row of digits has. */
const MAX_KEYS = 9;

export interface PermissionPromptProps {
  permission: PermissionRequest;
  /** Who asks, as people call it; null where it is unknown. */
  agent: string | null;
  /** Whether digits answer this one: the oldest that waits. */
  keys: boolean;
  /** Answers; null denies without choosing. Rejects with a sentence where the answer did not arrive. */
  onAnswer: (optionId: string | null) => Promise<void>;
}

export function PermissionPrompt({ permission, agent, keys, onAnswer }: PermissionPromptProps) {
  const { options, title } = permission;
  const [chosen, setChosen] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [isSending, setIsSending] = useState(false);

  const answer = async (optionId: string | null) => {
    if (isSending) return;
    setIsSending(true);
    setChosen(optionId);
    setProblem(null);
    try {
      await onAnswer(optionId);
    } catch (error) {
      setProblem(error instanceof Error ? error.message : 'The answer did not arrive.');
      setIsSending(false);
    }
  };
  useDigits(keys && !isSending, options, answer);

  return (
    <section className={styles.ask} aria-label="Permission needed">
      <p role="status" className={styles.question}>
        <b>{agent ?? 'The agent'} asks for permission:</b>{' '}
        <span className={styles.what}>{plainText(title || 'a tool call')}</span>
      </p>
      <div className={styles.options}>
        {options.map((option, at) => (
          <Button
            key={option.optionId}
            look={at === options.findIndex(({ kind }) => kind === 'allow_once') ? 'primary' : 'plain'}
            busy={isSending && chosen === option.optionId}
            aria-disabled={isSending || undefined}
            {...(keys && at < MAX_KEYS && { shortcut: String(at + 1), 'aria-keyshortcuts': String(at + 1) })}
            onClick={() => void answer(option.optionId)}
          >
            {option.name}
          </Button>
        ))}
        {!options.some(({ kind }) => kind.startsWith('reject')) && (
          <Button onClick={() => void answer(null)} aria-disabled={isSending || undefined}>
            Deny
          </Button>
        )}
      </div>
      {problem && <Notice kind="error">{problem}</Notice>}
    </section>
  );
}

/** Digits choose, unless somebody is typing or holds a modifier. */
function useDigits(
  active: boolean,
  options: readonly PermissionOption[],
  answer: (optionId: string) => Promise<void>,
): void {
  useEffect(() => {
    if (!active) return;
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.repeat || event.ctrlKey || event.metaKey || event.altKey) return;
      if (isTyping(event.target) || document.querySelector('dialog[open]')) return;
      const option = /^[1-9]$/.test(event.key) ? options[Number(event.key) - 1] : undefined;
      if (!option) return;
      event.preventDefault();
      void answer(option.optionId);
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  });
}

/** An empty message field is no typing: the reader who just sent a message has the focus there. */
function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLTextAreaElement) return target.value !== '';
  return target.isContentEditable || target instanceof HTMLInputElement || target instanceof HTMLSelectElement;
}
