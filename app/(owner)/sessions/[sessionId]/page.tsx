import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { cache } from 'react';
import { SessionView } from '@/components/chat/session-view';
import { isAppError } from '@/lib/domain/errors';
import { readTimeline } from '@/lib/server/read-models';
import { deleteSession, renameSession } from '../actions';
import { answerPermission, cancelRun, chooseAgentOption, startRun } from './actions';

const read = cache(async (sessionId: string) => {
  try {
    return await readTimeline(sessionId);
  } catch (error) {
    if (isAppError(error) && error.code === 'not_found') notFound();
    throw error;
  }
});

export async function generateMetadata({ params }: PageProps<'/sessions/[sessionId]'>): Promise<Metadata> {
  const { session } = await read((await params).sessionId);
  return { title: session.title };
}

/** A session's timeline, opened at its end. */
export default async function Page({ params }: PageProps<'/sessions/[sessionId]'>) {
  const { session, slice, agentName } = await read((await params).sessionId);
  return (
    <SessionView
      key={session.id}
      slice={slice}
      displayWorkspace={session.displayWorkspace}
      agentName={agentName}
      actions={{ startRun, cancelRun, answerPermission, chooseAgentOption, renameSession, deleteSession }}
    />
  );
}
