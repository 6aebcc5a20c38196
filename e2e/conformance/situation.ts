/** What a situation is: one row of the conformance table, and the steps that build it out of real folders and commands. */
import type { Stage } from './stage';
import type { Worker } from './worker';

export interface Situation {
  id: string;
  /** Set-up and run, in words. */
  when: string;
  /** What the record must say, in words. */
  says: string;
  /** Each worker in folders of its own; the outside host alone where this is missing. */
  by?: readonly Worker[];
  /** Needs minutes or gigabytes: left out by `--quick`. */
  isLarge?: boolean;
  /** Builds it and looks. What is wrong is told to the stage; what throws is wrong too. */
  steps: (stage: Stage) => Promise<void>;
}

export interface Section {
  id: string;
  title: string;
  situations: readonly Situation[];
}

export type Verdict = 'right' | 'wrong' | 'skipped';

/** How a situation came out. */
export interface Outcome {
  id: string;
  section: string;
  when: string;
  says: string;
  verdict: Verdict;
  /** Complaints of a wrong row; the reason of a skipped one; parts left out of a right one. */
  notes: string[];
  complaints: { what: string; expected?: string; came?: string }[];
  /** The longest that whoever runs the agent waited for us, ms: at the start of a run, and at its end. */
  startMs: number | null;
  endMs: number | null;
  /** The whole row with its set-up, ms. */
  tookMs: number;
}
