/** One tool call: a quiet line that says what, where, how it went and how long; opened, what it was given and what it did. */
'use client';

import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { plainText } from '@/components/changes/plain-text';
import { classNames } from '@/components/ui/class-names';
import { Counts } from '@/components/ui/counts';
import { Disclosure } from '@/components/ui/disclosure';
import { Later, LaterPart } from '@/components/ui/later';
import { Notice } from '@/components/ui/notice';
import { Spinner } from '@/components/ui/spinner';
import { formatDuration } from '@/lib/client/format';
import type { LiveOutput } from '@/lib/client/live-output';
import { bytesInWords, countsInWords } from '@/lib/domain/change-words';
import { isToolOpen, type ToolCall, type ToolKind, type ToolStatus } from '@/lib/domain/conversation';
import { readToolSummary, type ToolSummary } from '@/lib/domain/tool-summary';
import { Elapsed } from './elapsed';
import { shortPath } from './short-path';
import styles from './tool-call-card.module.css';
import { toolCallQuery } from './tool-call-query';
import { ToolInput } from './tool-input';
import { ToolOutput } from './tool-output';

const callSites = new LaterPart(() => import('./applied-hunks').then(({ CallSites }) => CallSites));

/** What a kind is called in front of its line. */
const KIND_WORD: Record<ToolKind, string> = {
  read: 'read',
  edit: 'edit',
  delete: 'delete',
  move: 'move',
  search: 'search',
  execute: 'run',
  think: 'think',
  fetch: 'fetch',
  other: 'tool',
};

/** How a call that did not simply succeed is marked. */
const STATUS_WORD: Partial<Record<ToolStatus, string>> = {
  failed: 'failed',
  rejected: 'rejected',
  cancelled: 'cancelled',
};

const STATUS_IN_WORDS: Record<ToolStatus, string> = {
  pending: 'waiting',
  in_progress: 'running',
  completed: 'completed',
  failed: 'failed',
  rejected: 'rejected',
  cancelled: 'cancelled',
};

export interface ToolCallCardProps {
  toolCall: ToolCall;
  /** Its output as it streamed in on this page; more than the brief form keeps. */
  live?: LiveOutput | undefined;
  /** The absolute path of the workspace, by which paths are shortened; null where there is none. */
  workspace: string | null;
  defaultOpen?: boolean;
  /** Its files, where the call changed some: shown under the line. */
  children?: ReactNode;
}

export function ToolCallCard({ toolCall, live, workspace, defaultOpen = false, children }: ToolCallCardProps) {
  const meta = readToolSummary(toolCall.meta);
  const places = placesOf(toolCall, workspace);
  return (
    <div
      className={classNames(styles.card, meta.parentToolCallId !== null && styles.nested)}
      data-status={toolCall.status}
    >
      <Disclosure
        label={nameOf(toolCall, meta, places)}
        defaultOpen={defaultOpen}
        summary={<Summary toolCall={toolCall} meta={meta} places={places} />}
      >
        <div className={styles.body}>
          <Body toolCall={toolCall} live={live} workspace={workspace} />
        </div>
      </Disclosure>
      {children && <div className={styles.below}>{children}</div>}
    </div>
  );
}

function Summary({ toolCall, meta, places }: { toolCall: ToolCall; meta: ToolSummary; places: string }) {
  const { kind, status, startedAt, finishedAt } = toolCall;
  const word = STATUS_WORD[status];
  const isOpen = isToolOpen(status);
  return (
    <span className={styles.summary}>
      <span className={classNames(styles.kind, kind === 'execute' && styles.run)}>{KIND_WORD[kind]}</span>
      <span className={classNames(styles.title, kind === 'execute' && styles.mono)}>
        {plainText(firstLine(toolCall.title))}
      </span>
      {places !== '' && <span className={classNames(styles.places, styles.mono)}>{plainText(places)}</span>}
      {meta.stat && <Counts additions={meta.stat.additions} deletions={meta.stat.deletions} silent />}
      {meta.exitCode !== null && kind === 'execute' && !isOpen && (
        <span className={classNames(styles.tag, meta.exitCode === 0 ? styles.good : styles.bad)}>
          exit {meta.exitCode}
        </span>
      )}
      {word && !(status === 'failed' && meta.exitCode !== null) && (
        <span className={classNames(styles.tag, status === 'failed' ? styles.bad : styles.quiet)}>{word}</span>
      )}
      <span className={styles.time}>
        {isOpen ? (
          <>
            <Elapsed since={startedAt} /> <Spinner />
          </>
        ) : (
          finishedAt !== null && formatDuration(finishedAt - startedAt)
        )}
      </span>
    </span>
  );
}

function Body({ toolCall, live, workspace }: Pick<ToolCallCardProps, 'toolCall' | 'live' | 'workspace'>) {
  const { data, error, isFetching, refetch } = useQuery({ ...toolCallQuery(toolCall), enabled: toolCall.brief });
  const whole = toolCall.brief ? data : toolCall;
  const meta = readToolSummary((whole ?? toolCall).meta);
  const isOpen = isToolOpen(toolCall.status);
  const output = outputOf(whole ?? toolCall, live);
  return (
    <>
      {meta.description && <p className={styles.description}>{plainText(meta.description)}</p>}
      {error && !whole && (
        <Notice kind="error" onRetry={() => void refetch()} retrying={isFetching}>
          {error.message}
        </Notice>
      )}
      {!whole && !error && <Spinner label="Loading the call" />}
      {whole && <ToolInput toolCall={whole} hasDiff={meta.hasSites} />}
      {meta.hasSites && <Later part={callSites} props={{ meta: (whole ?? toolCall).meta, workspace }} />}
      <ToolOutput text={output} label="Output" tail={isOpen} />
      {!isOpen && whole?.outputTruncated && (
        <p className={styles.description}>
          The whole output was {bytesInWords(whole.outputBytes)}; not all of it is kept.
        </p>
      )}
    </>
  );
}

/** The fullest output known: what was read, or what streamed in since. */
function outputOf(call: ToolCall, live: LiveOutput | undefined): string {
  const read = call.output ?? '';
  if (!live) return read;
  const isNewer = call.brief || live.start + live.text.length > read.length;
  return isToolOpen(call.status) && isNewer
    ? live.text
    : read.length >= live.text.length || !call.brief
      ? read
      : live.text;
}

/** The places a call names, unless its title names them already. */
function placesOf({ locations, title }: ToolCall, workspace: string | null): string {
  const paths = [...new Set(locations.map(({ path }) => shortPath(path, workspace)))];
  const unnamed = paths.filter(
    (path) => !title.includes(path) && !title.includes(path.slice(path.lastIndexOf('/') + 1)),
  );
  const shown = unnamed.slice(0, 3).join(', ');
  return unnamed.length > 3 ? `${shown} and ${unnamed.length - 3} more` : shown;
}

function nameOf({ kind, title, status, startedAt, finishedAt }: ToolCall, meta: ToolSummary, places: string): string {
  const parts = [
    `${KIND_WORD[kind]} ${firstLine(title)}`,
    places,
    meta.stat ? (countsInWords(meta.stat) ?? '') : '',
    meta.exitCode !== null && kind === 'execute' ? `exit ${meta.exitCode}` : '',
    STATUS_IN_WORDS[status],
    finishedAt === null ? '' : formatDuration(finishedAt - startedAt),
  ];
  return parts.filter((part) => part !== '').join(', ');
}

function firstLine(text: string): string {
  const line = text.trim().split('\n', 1)[0] ?? '';
  return line.length > 300 ? `${line.slice(0, 300)}…` : line;
}
