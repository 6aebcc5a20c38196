/** The agent's plan, step by step with its state; folded to one line once every step is done. */
'use client';

import { Circle, CircleCheck, CircleDot } from 'lucide-react';
import { plainText } from '@/components/changes/plain-text';
import { classNames } from '@/components/ui/class-names';
import { Disclosure } from '@/components/ui/disclosure';
import type { PlanEntry } from '@/lib/domain/conversation';
import styles from './plan-card.module.css';

const ICON = { pending: Circle, in_progress: CircleDot, completed: CircleCheck };
const STATE_IN_WORDS = { pending: 'to do', in_progress: 'in progress', completed: 'done' };

export function PlanCard({ entries }: { entries: readonly PlanEntry[] }) {
  if (entries.length === 0) return null;
  const done = entries.filter(({ status }) => status === 'completed').length;
  const current = entries.find(({ status }) => status === 'in_progress');
  const isDone = done === entries.length;
  return (
    <section aria-label="Plan" className={styles.plan}>
      <Disclosure
        // Opens and folds by itself when the plan begins and ends; a reader's own choice holds in between.
        key={String(isDone)}
        defaultOpen={!isDone}
        label={`Plan, ${done} of ${entries.length} done`}
        summary={
          <span className={styles.head}>
            <span className={styles.word}>plan</span>
            <span className={styles.now}>
              {current ? plainText(current.content) : isDone ? 'All steps done' : 'Not begun'}
            </span>
            <span className={styles.count}>
              {done}/{entries.length}
            </span>
          </span>
        }
      >
        <ol className={styles.steps}>
          {entries.map(({ content, status, priority }, at) => {
            const Icon = ICON[status];
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: a plan is replaced as a whole
              <li key={at} className={classNames(styles.step, styles[status])}>
                <Icon aria-hidden="true" className={styles.icon} />
                <span>
                  <span className={styles.text}>{plainText(content)}</span>
                  <span className="sr">, {STATE_IN_WORDS[status]}</span>
                  {priority === 'high' && status !== 'completed' && (
                    <span className={styles.priority}> · high priority</span>
                  )}
                </span>
              </li>
            );
          })}
        </ol>
      </Disclosure>
    </section>
  );
}
