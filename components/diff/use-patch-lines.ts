/** The lines of an opened file: its stored patch at first, a comparison from the server where the reader asks for more. */
'use client';

import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { ChangeBodies } from '@/lib/client/change-bodies';
import type { ChangedFileBody } from '@/lib/domain/change';
import { comparisonQuery } from './file-query';
import type { MarkedLines } from './line-marks';
import {
  type LineRange,
  linesOfComparison,
  type PatchLines,
  parsePatch,
  rangesAroundChanges,
  withRange,
} from './patch-lines';

/** Unchanged lines around a change, as git shows them. */
const CONTEXT_LINES = 3;
/** Lines shown by one press on an expander. */
export const EXPANDED_LINES = 20;

export type ExpandHow = 'up' | 'down' | 'all';
/** What the reader asked to see besides the changes and the lines right around them. */
type Step = { gap: Gap; how: ExpandHow } | { marked: MarkedLines } | 'everything';

/** A place between two hunks: the one before it (-1 at the top) and the one after it. */
export interface Gap {
  before: number;
  after: number;
}

export interface PatchLinesState {
  lines: PatchLines;
  /** How the lines were compared; part of what colours are remembered by. */
  source: string;
  /** Something was asked of the server and is on its way. */
  loading: boolean;
  /** Bytes of it that have come, and of all where known. */
  progress: { bytes: number; total: number | null } | null;
  error: Error | null;
  retry: () => void;
  /** The comparison's line pairs were not sought: it ran out of time. */
  coarse: boolean;
  /** What the server said in place of lines. */
  instead: 'binary' | 'oversized' | null;
  expand: (gap: Gap, how: ExpandHow) => void;
  /** Makes lines visible that a link names. */
  showLines: (marked: MarkedLines) => void;
  /** Loads the whole comparison, shown around its changes, or line by line. */
  loadWhole: (everything: boolean) => void;
}

export function usePatchLines(body: ChangedFileBody, bodies: ChangeBodies, ignoreWhitespace: boolean): PatchLinesState {
  const stored = useMemo(() => parsePatch(body.patch ?? ''), [body.patch]);
  const [wholeWanted, setWholeWanted] = useState(false);
  const [progress, setProgress] = useState<PatchLinesState['progress']>(null);
  const [steps, setSteps] = useState<Step[]>([]);

  const wanted = bodies.comparison !== null && (wholeWanted || ignoreWhitespace);
  const query = useQuery({
    ...comparisonQuery(
      bodies,
      body.id,
      { context: wholeWanted ? 'all' : CONTEXT_LINES, ignoreWhitespace },
      (bytes, total) => setProgress({ bytes, total }),
    ),
    enabled: wanted,
  });
  const answer = wanted ? query.data : undefined;

  const compared = useMemo(
    () => (answer?.kind === 'text' ? linesOfComparison(answer, wholeWanted) : null),
    [answer, wholeWanted],
  );
  const lines = useMemo(() => {
    if (compared === null) return stored;
    return compared.whole ? { ...compared, hunks: expanded(compared, steps) } : compared;
  }, [compared, stored, steps]);

  return {
    lines,
    source: compared === null ? 'stored' : `${ignoreWhitespace ? 'blind' : 'exact'} ${wholeWanted} ${steps.length}`,
    loading: wanted && query.isFetching,
    progress: wanted && query.isFetching ? progress : null,
    error: wanted ? query.error : null,
    retry: () => void query.refetch(),
    coarse: answer?.kind === 'text' && answer.coarse,
    instead: answer?.kind === 'binary' || answer?.kind === 'oversized' ? answer.kind : null,
    expand: (gap, how) => {
      setSteps((before) => [...before, { gap, how }]);
      setWholeWanted(true);
    },
    showLines: (marked) => {
      setSteps((before) => [...before, { marked }]);
      setWholeWanted(true);
    },
    loadWhole: (everything) => {
      if (everything) setSteps((before) => [...before, 'everything']);
      setWholeWanted(true);
    },
  };
}

/** What is shown of the whole file after all that the reader expanded, step by step. */
function expanded(whole: PatchLines, steps: readonly Step[]): LineRange[] {
  const all = { from: 0, to: whole.texts.length };
  return steps.reduce<LineRange[]>(
    (ranges, step) => {
      if (step === 'everything') return withRange([], all);
      if ('marked' in step) return withMarked(whole, ranges, step.marked);
      const { gap, how } = step;
      const top = ranges[gap.before]?.to ?? 0;
      const bottom = ranges[gap.after]?.from ?? all.to;
      if (how === 'all') return withRange(ranges, { from: top, to: bottom });
      return how === 'down'
        ? withRange(ranges, { from: top, to: Math.min(bottom, top + EXPANDED_LINES) })
        : withRange(ranges, { from: Math.max(top, bottom - EXPANDED_LINES), to: bottom });
    },
    rangesAroundChanges(whole, CONTEXT_LINES),
  );
}

function withMarked(whole: PatchLines, ranges: LineRange[], { side, from, to }: MarkedLines): LineRange[] {
  const numbers = side === 'L' ? whole.oldNumbers : whole.newNumbers;
  const first = numbers.indexOf(from);
  if (first < 0) return ranges;
  const last = Math.max(first, numbers.lastIndexOf(to));
  return withRange(ranges, {
    from: Math.max(0, first - CONTEXT_LINES),
    to: Math.min(whole.texts.length, last + 1 + CONTEXT_LINES),
  });
}
