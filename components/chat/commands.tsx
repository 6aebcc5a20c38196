/** The commands that an agent announced, offered while a message begins with a slash. */
'use client';

import { type KeyboardEvent, useId, useState } from 'react';
import { classNames } from '@/components/ui/class-names';
import type { AgentCommand } from '@/lib/domain/conversation';
import styles from './commands.module.css';

/** Commands listed at once. */
const SHOWN = 8;

export interface Commands {
  isOpen: boolean;
  list: AgentCommand[];
  active: number;
  id: string;
  choose: (command: AgentCommand) => void;
  /** Whether the key was for the list. */
  onKey: (event: KeyboardEvent) => boolean;
  fieldProps: {
    'aria-controls'?: string;
    'aria-activedescendant'?: string;
    'aria-autocomplete'?: 'list';
  };
}

export function useCommands(commands: AgentCommand[], draft: string, setDraft: (text: string) => void): Commands {
  const id = useId();
  const [active, setActive] = useState(0);
  const [closedFor, setClosedFor] = useState<string | null>(null);
  const typed = /^\/(\S*)$/.exec(draft)?.[1];
  const list =
    typed === undefined
      ? []
      : commands.filter(({ name }) => name.toLowerCase().startsWith(typed.toLowerCase())).slice(0, SHOWN);
  const isOpen = list.length > 0 && closedFor !== draft;
  const at = Math.min(active, Math.max(0, list.length - 1));

  const choose = (command: AgentCommand) => {
    setDraft(`/${command.name} `);
    setActive(0);
  };

  const onKey = (event: KeyboardEvent): boolean => {
    const command = list[at];
    if (!isOpen || !command) return false;
    if (event.key === 'ArrowDown') setActive((at + 1) % list.length);
    else if (event.key === 'ArrowUp') setActive((at - 1 + list.length) % list.length);
    else if (event.key === 'Escape') setClosedFor(draft);
    // A command that is written out is sent by Enter as any message.
    else if (event.key === 'Tab' || (event.key === 'Enter' && command.name !== typed)) choose(command);
    else return false;
    event.preventDefault();
    return true;
  };

  return {
    isOpen,
    list,
    active: at,
    id,
    choose,
    onKey,
    fieldProps: isOpen
      ? { 'aria-controls': id, 'aria-activedescendant': `${id}-${at}`, 'aria-autocomplete': 'list' }
      : {},
  };
}

export function CommandList({ list, active, id, choose }: Commands) {
  return (
    <div id={id} role="listbox" aria-label="Commands" className={styles.list}>
      {list.map((command, at) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: keys go to the field, which names the active option
        <div
          key={command.name}
          id={`${id}-${at}`}
          role="option"
          tabIndex={-1}
          aria-selected={at === active}
          className={classNames(styles.command, at === active && styles.active)}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => choose(command)}
        >
          <span className={styles.name}>
            /{command.name} {command.hint && <i>{command.hint}</i>}
          </span>
          <span className={styles.does}>{command.description}</span>
        </div>
      ))}
    </div>
  );
}
