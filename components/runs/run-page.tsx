/** The page of one run: facts, prompt, answer and what it changed, as a whole or call by call. */
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { PageChangeBlock } from '@/components/changes/page-change-block';
import { DriftNotice } from '@/components/chat/drift-notice';
import { LazyMarkdown } from '@/components/chat/lazy-markdown';
import { Prompt } from '@/components/chat/prompt';
import { RunOutcome } from '@/components/chat/run-outcome';
import { ShareButton } from '@/components/share/share-button';
import { PageHeader } from '@/components/shell/page-header';
import { classNames } from '@/components/ui/class-names';
import { Link } from '@/components/ui/link';
import { Notice } from '@/components/ui/notice';
import type { ChangeSummary, ShownChange } from '@/lib/domain/change';
import { comparedWith } from '@/lib/domain/change-words';
import type { Message, Session, ToolCall } from '@/lib/domain/conversation';
import type { Run } from '@/lib/domain/run';
import { CallByCall } from './call-by-call';
import { NoChange } from './no-change';
import { RefreshWhileRunning } from './refresh-while-running';
import { RunFacts } from './run-facts';
import styles from './run-page.module.css';

export type RunPageView = 'run' | 'calls' | 'session';

export interface RunPageRead {
  run: Run;
  session: Session & { displayWorkspace: string };
  agentName: string | null;
  /** Its number in the session, from 1. */
  number: number;
  messages: Message[];
  toolCalls: ToolCall[];
  change: ChangeSummary | null;
  /** Changes of its tool calls, in their order. */
  toolChanges: ChangeSummary[];
  drift: ChangeSummary | null;
  previous: Run | null;
  next: Run | null;
  lastEventId: number;
}

export function RunPage({
  read,
  view,
  sessionChange,
}: {
  read: RunPageRead;
  view: RunPageView;
  /** What the session changed, first state to last; read for its view alone. */
  sessionChange: ShownChange | null;
}) {
  const { run, session, number, messages, change, drift } = read;
  const answer = messages.findLast(({ role }) => role === 'assistant');
  return (
    <>
      <PageHeader
        title={`Run ${number}`}
        sub={
          <>
            <Link href={`/sessions/${session.id}`} className={styles.session}>
              {session.title}
            </Link>
            <span className={styles.folder} title={session.workspace}>
              {session.displayWorkspace}
            </span>
          </>
        }
        actions={<Neighbours previous={read.previous} next={read.next} />}
      />
      {run.status === 'running' && <RefreshWhileRunning sessionId={session.id} lastEventId={read.lastEventId} />}
      <div className={styles.page}>
        <RunFacts run={run} agentName={read.agentName} change={change} />
        {drift && <DriftNotice drift={drift} label={`run ${number}`} />}
        <Prompt text={run.prompt} run={null} isCommand={session.agent === 'shell'} />
        {answer && <LazyMarkdown text={answer.text} />}
        <RunOutcome run={run} hasSteps={read.toolCalls.length > 0 || messages.length > 1} />
        <nav className={styles.views} aria-label="Views of this run">
          <ViewLink href={`/runs/${run.id}`} isHere={view === 'run'}>
            The whole run
          </ViewLink>
          <ViewLink href={`/runs/${run.id}?view=calls`} isHere={view === 'calls'}>
            Call by call
          </ViewLink>
          <ViewLink href={`/runs/${run.id}?view=session`} isHere={view === 'session'}>
            The whole session
          </ViewLink>
        </nav>
        {view === 'run' && (
          <>
            <p className={styles.compared}>
              {change ? `Every file is ${comparedWith(change)}.` : 'Files are compared with the start of this run.'}
            </p>
            {change ? (
              <PageChangeBlock
                change={change}
                actions={<ShareButton runId={run.id} files={change.files.filter(({ origin }) => origin !== 'git')} />}
              />
            ) : (
              <NoChange run={run} />
            )}
          </>
        )}
        {view === 'calls' && (
          <>
            <p className={styles.compared}>
              Under each call stands what changed between the moment before it and the moment after it.
            </p>
            <CallByCall run={run} toolCalls={read.toolCalls} toolChanges={read.toolChanges} />
          </>
        )}
        {view === 'session' && (
          <>
            <p className={styles.compared}>
              The state before the first run of this session is compared with the state after its last. What one run did
              and another took back is not listed; what changed between the runs is.
            </p>
            {sessionChange && sessionChange.changedCount > 0 ? (
              <PageChangeBlock change={sessionChange} />
            ) : (
              <Notice kind="info">From first to last, this session changed nothing.</Notice>
            )}
          </>
        )}
      </div>
    </>
  );
}

function ViewLink({ href, isHere, children }: { href: string; isHere: boolean; children: string }) {
  return (
    <Link
      href={href as '/'}
      className={classNames(styles.view, isHere && styles.here)}
      aria-current={isHere ? 'page' : undefined}
      scroll={false}
    >
      {children}
    </Link>
  );
}

function Neighbours({ previous, next }: { previous: Run | null; next: Run | null }) {
  return (
    <nav className={styles.neighbours} aria-label="Runs of this session">
      {previous ? (
        <Link href={`/runs/${previous.id}`} className={styles.neighbour} title={previous.prompt.slice(0, 200)}>
          <ChevronLeft aria-hidden="true" size={16} />
          <span>Previous run</span>
        </Link>
      ) : null}
      {next ? (
        <Link href={`/runs/${next.id}`} className={styles.neighbour} title={next.prompt.slice(0, 200)}>
          <span>Next run</span>
          <ChevronRight aria-hidden="true" size={16} />
        </Link>
      ) : null}
    </nav>
  );
}
