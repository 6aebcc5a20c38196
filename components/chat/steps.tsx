/** What was thought, done, asked and said in a run, in order; long stretches of work show their end first. */
'use client';

import { memo, useMemo, useState } from 'react';
import { Later, LaterPart } from '@/components/ui/later';
import type { Step } from '@/lib/client/run-view';
import { counted } from '@/lib/domain/change-words';
import type { PermissionId } from '@/lib/domain/ids';
import type { Run } from '@/lib/domain/run';
import { CallChange } from './call-change';
import { LazyMarkdown } from './lazy-markdown';
import type { FileLink } from './markdown';
import { PermissionAnswer } from './permission-answer';
import styles from './steps.module.css';
import { Thought } from './thought';
import { ToolCallCard } from './tool-call-card';

const permissionPrompt = new LaterPart(() =>
  import('./permission-prompt').then(({ PermissionPrompt }) => PermissionPrompt),
);

/** Steps of work that stand open at the end of a stretch; more than a few above them are folded. */
const SHOWN = 30;
const FOLDED_FROM = 40;

interface StepsProps {
  run: Run | null;
  runNumber: number;
  /** Null where nobody knows who works. */
  agentName: string | null;
  /** A shell's output is its answer: its calls stand open. */
  isShell: boolean;
  fileLink: FileLink;
  answerPermission: AnswerPermission;
}

/** Rejects with a sentence where the answer did not arrive. */
export type AnswerPermission = (id: PermissionId, optionId: string | null) => Promise<void>;

export function Steps({ steps, ...rest }: StepsProps & { steps: Step[] }) {
  const stretches = useMemo(() => stretchesOf(steps), [steps]);
  return stretches.map((stretch) =>
    stretch.type === 'text' ? (
      <LazyMarkdown key={keyOf(stretch)} text={stretch.message.text} fileLink={rest.fileLink} />
    ) : (
      <Work key={keyOf(stretch.steps[0] as Step)} steps={stretch.steps} {...rest} />
    ),
  );
}

type Stretch = Extract<Step, { type: 'text' }> | { type: 'work'; steps: Step[] };

/** Consecutive steps of work together, texts by themselves. */
function stretchesOf(steps: Step[]): Stretch[] {
  const stretches: Stretch[] = [];
  for (const step of steps) {
    const last = stretches.at(-1);
    if (step.type === 'text') stretches.push(step);
    else if (last?.type === 'work') last.steps.push(step);
    else stretches.push({ type: 'work', steps: [step] });
  }
  return stretches;
}

function Work({ steps, ...rest }: StepsProps & { steps: Step[] }) {
  const [isWhole, setWhole] = useState(false);
  const hidden = isWhole || steps.length <= FOLDED_FROM ? 0 : steps.length - SHOWN;
  const shown = steps.filter((step, at) => at >= hidden || isOpenQuestion(step));
  const asked = steps.find(isOpenQuestion);
  return (
    <div className={styles.work}>
      {hidden > 0 && (
        <button type="button" className={styles.earlier} onClick={() => setWhole(true)}>
          Show {counted(hidden, 'earlier step')}
        </button>
      )}
      {shown.map((step) => (
        <WorkStep key={keyOf(step)} step={step} hasKeys={step === asked} {...rest} />
      ))}
    </div>
  );
}

interface WorkStepProps extends StepsProps {
  step: Step;
  /** Digits answer it: the oldest question that waits. */
  hasKeys: boolean;
}

const WorkStep = memo(function WorkStep({ step, hasKeys, run, ...rest }: WorkStepProps) {
  switch (step.type) {
    case 'text':
      return null;
    case 'thought':
      return <Thought text={step.message.text} growing={step.isStreaming} />;
    case 'permission':
      return step.permission.answer ? (
        <PermissionAnswer permission={step.permission} />
      ) : (
        <Later
          part={permissionPrompt}
          props={{
            permission: step.permission,
            agent: rest.agentName,
            keys: hasKeys,
            onAnswer: (optionId) => rest.answerPermission(step.permission.id, optionId),
          }}
        />
      );
    case 'tool':
      return (
        <ToolCallCard
          toolCall={step.call}
          live={step.live ?? undefined}
          workspace={run?.workspace ?? null}
          defaultOpen={rest.isShell && (run?.status === 'running' || !step.call.brief)}
        >
          {run && step.ownFiles > 0 && (
            <CallChange
              sessionId={run.sessionId}
              runId={run.id}
              toolCallId={step.call.id}
              files={step.ownFiles}
              label={`${step.call.title}, run ${rest.runNumber}`}
            />
          )}
        </ToolCallCard>
      );
  }
}, isSameStep);

function isOpenQuestion(step: Step): boolean {
  return step.type === 'permission' && step.permission.answer === null;
}

/** Steps are made anew with every view; what they show stays the same object while nothing of it changed. */
function isSameStep(before: WorkStepProps, after: WorkStepProps): boolean {
  if (before.run?.status !== after.run?.status || before.agentName !== after.agentName) return false;
  if (before.hasKeys !== after.hasKeys) return false;
  const [a, b] = [before.step, after.step];
  if (a.type === 'tool' && b.type === 'tool')
    return a.call === b.call && a.live === b.live && a.ownFiles === b.ownFiles;
  if (a.type === 'permission' && b.type === 'permission') return a.permission === b.permission;
  if (a.type === 'thought' && b.type === 'thought') return a.message === b.message && a.isStreaming === b.isStreaming;
  return false;
}

function keyOf(step: Step): string {
  switch (step.type) {
    case 'tool':
      return `tool ${step.call.id}`;
    case 'permission':
      return `permission ${step.permission.id}`;
    case 'text':
    case 'thought':
      return `message ${step.message.id}`;
  }
}
