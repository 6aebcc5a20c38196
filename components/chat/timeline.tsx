/** The runs of a session, oldest first, opened at their end; older ones come by scrolling up. */
'use client';

import { ArrowDown, MessageSquareText } from 'lucide-react';
import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react';
import { Button } from '@/components/ui/button';
import { EmptyState } from '@/components/ui/empty-state';
import { Notice } from '@/components/ui/notice';
import { Spinner } from '@/components/ui/spinner';
import type { FeedState } from '@/lib/client/session-feed';
import type { RunId } from '@/lib/domain/ids';
import { RunArticle, type RunArticleActions } from './run-article';
import styles from './timeline.module.css';
import { useTimelineScroll } from './use-timeline-scroll';

export function Timeline({
  feed,
  agentName,
  loadOlder,
  isAwaited,
  actions,
}: {
  feed: FeedState;
  agentName: string | null;
  loadOlder: () => void;
  /** A message was sent whose run is not here yet. */
  isAwaited: RefObject<boolean>;
  actions: RunArticleActions;
}) {
  const { runs, nextCursor } = feed.timeline;
  const last = runs.at(-1);
  const isRunning = last?.run?.status === 'running';
  const hasBlock = last?.items.some((item) => item.type === 'change') ?? false;
  const { scroller, content, isFarFromEnd, toEnd } = useTimelineScroll(
    isRunning && !hasBlock,
    last?.id ?? null,
    isAwaited,
  );
  const lively = useLively(last?.id ?? null, isRunning);

  return (
    <div className={styles.frame}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <div ref={scroller} className={styles.scroller} role="log" aria-label="Timeline" aria-live="off" tabIndex={0}>
        <div ref={content} className={styles.content}>
          {nextCursor !== null && <Older state={feed.older} loadOlder={loadOlder} />}
          {runs.length === 0 && (
            <EmptyState icon={MessageSquareText} title="Nothing has run here yet">
              <p>
                {agentName === null
                  ? 'Runs that an outside host records appear here as they happen.'
                  : `Say what ${agentName} should do. Under its answer stands the list of the files that it changed.`}
              </p>
            </EmptyState>
          )}
          {runs.map((record) => (
            <RunArticle
              key={record.id}
              record={record}
              agentName={agentName}
              isShell={feed.timeline.session.agent === 'shell'}
              actions={actions}
              isLively={record.id === lively}
            />
          ))}
        </div>
      </div>
      {isFarFromEnd && (
        <Button className={styles.toEnd} icon={ArrowDown} onClick={toEnd}>
          Latest
        </Button>
      )}
    </div>
  );
}

/**
 * The newest run, if it went on or began while this page was looked at: it has the height of the window, so that its
 * answer and its block arrive in room that is there already.
 */
function useLively(last: RunId | null, isRunning: boolean): RunId | null {
  const [ended] = useState(isRunning ? null : last);
  return last === ended ? null : last;
}

function Older({ state, loadOlder }: { state: FeedState['older']; loadOlder: () => void }) {
  const mark = useRef<HTMLDivElement>(null);
  const load = useEffectEvent(loadOlder);
  const isIdle = state === 'idle';

  useEffect(() => {
    const element = mark.current;
    if (!element || !isIdle) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) load();
      },
      { root: element.closest('[role=log]'), rootMargin: '900px 0px 0px' },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [isIdle]);

  return (
    <div ref={mark} className={styles.older}>
      {typeof state === 'object' ? (
        <Notice kind="error" title="Older runs could not be read." onRetry={loadOlder}>
          {state.message}
        </Notice>
      ) : (
        <>
          <Spinner /> Older runs
        </>
      )}
    </div>
  );
}
