/** A session as it is worked with: its head, its timeline, and the field in which one says what comes next. */
'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useRef } from 'react';
import { callAction } from '@/lib/client/action-result';
import { lookAtSessions } from '@/lib/client/sessions-query';
import { useSessionEvents } from '@/lib/client/use-session-events';
import type { TimelineSlice } from '@/lib/domain/events';
import { Announcements } from './announcements';
import { Composer } from './composer';
import { ConnectionNotice } from './connection-notice';
import type { RunArticleActions } from './run-article';
import type { SessionActions } from './session-actions';
import { SessionHeader } from './session-header';
import styles from './session-view.module.css';
import { Timeline } from './timeline';
import { useQueue } from './use-queue';

export function SessionView({
  slice,
  displayWorkspace,
  agentName,
  actions,
}: {
  slice: TimelineSlice;
  displayWorkspace: string;
  agentName: string | null;
  actions: SessionActions;
}) {
  const sessionId = slice.session.id;
  const queue = useQueue(sessionId);
  const feed = useSessionEvents(slice, { staysOpen: queue.queued !== null });
  const { session, runs, agent, deleted } = feed.timeline;
  const last = runs.at(-1);
  const isAwaited = useRef(false);

  useFreshRail(`${session.title} ${last?.id} ${last?.run?.status} ${deleted}`);

  const articleActions = useMemo<RunArticleActions>(
    () => ({
      answerPermission: async (permissionId, optionId) => {
        const answered = await callAction(actions.answerPermission, { sessionId, permissionId, optionId });
        if (!answered.ok) throw new Error(answered.error.message);
      },
    }),
    [actions, sessionId],
  );

  return (
    <div className={styles.view}>
      <SessionHeader
        session={session}
        displayWorkspace={displayWorkspace}
        agentName={agentName}
        runs={last?.number ?? 0}
        actions={actions}
      />
      <Timeline
        feed={feed}
        agentName={agentName}
        loadOlder={feed.loadOlder}
        isAwaited={isAwaited}
        actions={articleActions}
      />
      <div className={styles.foot}>
        <ConnectionNotice connection={feed.connection} deleted={deleted} />
        <Announcements record={last ?? null} />
        <Composer
          session={session}
          agent={agent}
          agentName={agentName}
          last={last ?? null}
          queue={queue}
          actions={actions}
          onSend={() => {
            isAwaited.current = true;
          }}
          disabled={deleted || feed.connection === 'out'}
        />
      </div>
    </div>
  );
}

/** The rail looks again when something happened here that it shows. */
function useFreshRail(shown: string): void {
  const client = useQueryClient();
  useEffect(() => {
    if (shown !== '') lookAtSessions(client);
  }, [client, shown]);
}
