import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { cache } from 'react';
import { RunPage, type RunPageView } from '@/components/runs/run-page';
import { isAppError } from '@/lib/domain/errors';
import { readRun } from '@/lib/server/read-models';

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

/** One run: what was asked, how it went, what it changed; `?view=calls` shows it call by call. */
export default async function Page({ params, searchParams }: PageProps<'/runs/[runId]'>) {
  const { view } = await searchParams;
  const shown: RunPageView = view === 'calls' ? 'calls' : 'run';
  return <RunPage read={await read((await params).runId)} view={shown} />;
}
