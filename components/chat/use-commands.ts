/** The commands that an agent announced, offered while a message begins with a slash: which they are, and what keys do. */
'use client';

import { type KeyboardEvent, useId, useState } from 'react';
import type { AgentCommand } from '@/lib/domain/conversation';

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
