/** The lines of one file that are marked, kept in step with the page's address where the page is the change's own. */
'use client';

import { useEffect, useState } from 'react';
import { fileAnchor, formatAnchor, parseAnchor } from '@/lib/domain/line-anchor';
import { extended, type MarkedLines, markedIndices } from './line-marks';
import type { Reveal } from './patch-view';
import { useReviewedChange } from './reviewed-change';
import type { PatchLinesState } from './use-patch-lines';

export function useMarkedLines(
  path: string,
  patch: PatchLinesState,
): {
  marked: MarkedLines | null;
  /** Where the page's address leads in this file. */
  linked: Reveal | null;
  mark: (line: MarkedLines, extend: boolean) => void;
} {
  const { here } = useReviewedChange();
  const [marked, setMarked] = useState<MarkedLines | null>(null);
  /** Lines the address named, until they have been shown. */
  const [wanted, setWanted] = useState<MarkedLines | null>(null);
  const [linked, setLinked] = useState<Reveal | null>(null);

  useEffect(() => {
    if (!here) return;
    const read = () => {
      const anchor = parseAnchor(location.hash);
      if (anchor?.file !== fileAnchor(path) || anchor.lines === null) return;
      setMarked(anchor.lines);
      setWanted(anchor.lines);
    };
    read();
    addEventListener('hashchange', read);
    return () => removeEventListener('hashchange', read);
  }, [here, path]);

  const { lines, loading, showLines } = patch;
  useEffect(() => {
    if (wanted === null || loading) return;
    const first = Math.min(...markedIndices(lines, wanted));
    if (Number.isFinite(first)) {
      setLinked({ line: first, focus: true, hit: null });
      setWanted(null);
    } else if (!lines.whole && lines.texts.length > 0) showLines(wanted);
    else if (lines.whole) setWanted(null);
  }, [wanted, lines, loading, showLines]);

  return {
    marked,
    linked,
    mark: (line, extend) => {
      const next = extend ? extended(marked, line) : same(marked, line) ? null : line;
      setMarked(next);
      if (here) history.replaceState(history.state, '', next ? formatAnchor(path, next) : formatAnchor(path));
    },
  };
}

function same(a: MarkedLines | null, b: MarkedLines): boolean {
  return a !== null && a.side === b.side && a.from === b.from && a.to === b.to;
}
