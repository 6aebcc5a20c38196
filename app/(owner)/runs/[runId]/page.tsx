import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { cache } from 'react';
import { RunPage, type RunPageView } from '@/components/runs/run-page';
import { isAppError } from '@/lib/domain/errors';
import { readRun } from '@/lib/server/read-models';
import { sessionChange } from '@/lib/server/session-change';

const read = cache(async (runId: string) => {
  try {
    return await readRun(runId);
  } catch (error) {
    if (isAppError(error) && error.code === 'not_found') notFound();
    throw error;
  }
});

export async function generateMetadata({ params }: PageProps<'/runs/[runId]'>): Promise<Metadata> {
  const { number, session } = await read((await params).runId);
  return { title: `Run ${number}, ${session.title}` };
}

const VIEWS: readonly string[] = ['run', 'calls', 'session'] satisfies RunPageView[];

/** One run: what was asked, how it went, what it changed; `?view=` shows it call by call, or its session first to last. */
export default async function Page({ params, searchParams }: PageProps<'/runs/[runId]'>) {
  const { view } = await searchParams;
  const shown = typeof view === 'string' && VIEWS.includes(view) ? (view as RunPageView) : 'run';
  const run = await read((await params).runId);
  const joined = shown === 'session' ? await sessionChange(run.session) : null;
  return <RunPage read={run} view={shown} sessionChange={joined?.change ?? null} />;
}
