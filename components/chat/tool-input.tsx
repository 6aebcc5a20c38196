/** What a tool was given: a command as one types it, anything else field by field, folded. */
'use client';

import { Disclosure } from '@/components/ui/disclosure';
import type { Json, ToolCall } from '@/lib/domain/conversation';
import styles from './tool-call-card.module.css';
import { ToolOutput } from './tool-output';

export function ToolInput({ toolCall, hasDiff }: { toolCall: ToolCall; hasDiff: boolean }) {
  const { input, kind, title } = toolCall;
  if (input === null || (typeof input === 'object' && Object.keys(input).length === 0)) return null;
  const command = commandOf(input);
  if (kind === 'execute' && command !== null) {
    // The line above says it already, unless it says less.
    return command.trim() === title.trim() && !command.includes('\n') && command.length < 100 ? null : (
      <ToolOutput text={command} label="Command" />
    );
  }
  return (
    <Disclosure
      summary={<span className={styles.fold}>Input</span>}
      label="Input"
      defaultOpen={!hasDiff && isShort(input)}
    >
      <ToolOutput text={inputText(input)} label="Input" />
    </Disclosure>
  );
}

function commandOf(input: Json): string | null {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return null;
  const { command, cmd } = input;
  if (typeof command === 'string') return command;
  if (typeof cmd === 'string') return cmd;
  return Array.isArray(command) && command.every((part) => typeof part === 'string') ? command.join(' ') : null;
}

/** Texts stand as they are, each under its name; the rest as JSON. */
function inputText(input: Json): string {
  if (typeof input === 'string') return input;
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return JSON.stringify(input, null, 2);
  return Object.entries(input)
    .map(([name, value]) => {
      if (typeof value !== 'string') return `${name}: ${JSON.stringify(value, null, 2)}`;
      return value.includes('\n') ? `${name}:\n${value.replace(/^/gm, '  ')}` : `${name}: ${value}`;
    })
    .join('\n');
}

function isShort(input: Json): boolean {
  return JSON.stringify(input).length < 400;
}
