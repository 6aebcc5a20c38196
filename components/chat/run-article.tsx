/** One run in the timeline: what changed before it, the prompt, what was said and done, how it ended, what it changed. */
'use client';

import { useRouter } from 'next/navigation';
import { lazy, type MouseEvent, memo, Suspense, useCallback, useMemo } from 'react';
import { ChangeBlock } from '@/components/changes/change-block';
import { ShareButton } from '@/components/share/share-button';
import { ButtonLink } from '@/components/ui/button';
import { classNames } from '@/components/ui/class-names';
import { Later, LaterPart } from '@/components/ui/later';
import { viewRun } from '@/lib/client/run-view';
import type { RunRecord } from '@/lib/client/timeline';
import { fileAnchor, formatAnchor, parseAnchor } from '@/lib/domain/line-anchor';
import type { FileLink } from './markdown';
import { Prompt } from './prompt';
import styles from './run-article.module.css';
import { RunOutcome } from './run-outcome';
import { type AnswerPermission, Steps } from './steps';

const progressBlock = new LaterPart(() =>
  import('@/components/changes/change-progress-block').then((module) => module.ChangeProgressBlock),
);

// Most runs have neither; a page that comes with one shows it at once, written by the server.
const DriftNotice = lazy(() => import('./drift-notice').then((module) => ({ default: module.DriftNotice })));
const PlanCard = lazy(() => import('./plan-card').then((module) => ({ default: module.PlanCard })));

export interface RunArticleActions {
  answerPermission: AnswerPermission;
}

export const RunArticle = memo(function RunArticle({
  record,
  agentName,
  isShell,
  actions,
  isLively,
}: {
  record: RunRecord;
  agentName: string | null;
  isShell: boolean;
  actions: RunArticleActions;
  /** It went on while the page was looked at, and is the newest. */
  isLively: boolean;
}) {
  const view = useMemo(() => viewRun(record), [record]);
  const { run, change, progress, isRunning } = view;
  const label = `run ${record.number}`;
  const fileLink = useFileLink(change?.files);
  const onFileLink = useFileLinkClick(record.id);

  return (
    <article className={classNames(styles.run, isLively && styles.lively)} aria-label={`Run ${record.number}`}>
      <Suspense>{view.drift && <DriftNotice drift={view.drift} label={label} />}</Suspense>
      <Prompt text={view.prompt} run={run} isCommand={isShell} />
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: it hears the clicks of links inside, which keys make too */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: as above */}
      <div className={styles.agent} onClick={onFileLink}>
        <Suspense>{view.plan.length > 0 && <PlanCard entries={view.plan} />}</Suspense>
        <Steps
          steps={view.steps}
          run={run}
          runNumber={record.number}
          agentName={agentName}
          isShell={isShell}
          fileLink={fileLink}
          answerPermission={actions.answerPermission}
        />
        {run && <RunOutcome run={run} hasSteps={view.steps.length > 0} />}
        {change ? (
          <ChangeBlock
            change={change}
            label={label}
            actions={
              <>
                <ButtonLink href={`/runs/${record.id}`} look="ghost">
                  Review
                </ButtonLink>
                <ShareButton runId={record.id} files={change.files.filter(({ origin }) => origin !== 'git')} />
              </>
            }
          />
        ) : (
          isRunning && progress && <Later part={progressBlock} props={{ progress, label }} />
        )}
      </div>
    </article>
  );
});

/** Files of the run's block, as its answer may mention them: by path, or by what a path ends in. */
function useFileLink(files: { path: string }[] | undefined): FileLink {
  return useMemo(() => {
    if (!files || files.length === 0) return () => null;
    const paths = files.map(({ path }) => path);
    const known = new Set(paths);
    return (mentioned) => {
      const wanted = mentioned.replace(/^\.\//, '').replace(/:\d+(:\d+)?$/, '');
      if (known.has(wanted)) return formatAnchor(wanted);
      const ending = paths.filter((path) => path.endsWith(`/${wanted}`) || wanted.endsWith(`/${path}`));
      return ending.length === 1 && ending[0] ? formatAnchor(ending[0]) : null;
    };
  }, [files]);
}

/** A link to a file leads to its row in this run's block; where the row is not listed here, to the run's page. */
function useFileLinkClick(runId: string) {
  const router = useRouter();
  return useCallback(
    (event: MouseEvent<HTMLElement>) => {
      const link = (event.target as Element).closest('a');
      const hash = link?.getAttribute('href') ?? '';
      const anchor = parseAnchor(hash);
      if (!anchor || event.metaKey || event.ctrlKey || event.shiftKey) return;
      event.preventDefault();
      const rows = event.currentTarget.querySelectorAll<HTMLElement>('[data-row]');
      const row = [...rows].find((candidate) => fileAnchor(candidate.dataset.row ?? '') === anchor.file);
      if (!row) {
        router.push(`/runs/${runId}${hash}` as '/');
        return;
      }
      row.scrollIntoView({ block: 'nearest' });
      row.focus();
    },
    [router, runId],
  );
}
