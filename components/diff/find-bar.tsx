/** Searches the lines of one patch, also those that the browser's own search cannot see. */
'use client';

import { ChevronDown, ChevronUp, X } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import { IconButton } from '@/components/ui/button';
import styles from './find-bar.module.css';
import { findInLines, type Hit, MOST_HITS } from './find-in-lines';
import type { PatchLines } from './patch-lines';

export function FindBar({
  path,
  lines,
  onHit,
  onClose,
}: {
  path: string;
  lines: PatchLines;
  onHit: (hit: Hit | null) => void;
  onClose: () => void;
}) {
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const hits = useMemo(() => findInLines(lines, text), [lines, text]);
  const current = hits.length === 0 ? null : hits[((at % hits.length) + hits.length) % hits.length]!;

  // biome-ignore lint/correctness/useExhaustiveDependencies: tells of each new hit once
  useEffect(() => onHit(current), [current]);

  const place = current === null ? 0 : hits.indexOf(current) + 1;
  const all = hits.length === MOST_HITS ? `${MOST_HITS} or more` : hits.length;
  return (
    <div className={styles.bar}>
      <input
        type="search"
        className={styles.field}
        aria-label={`Find in ${path}`}
        placeholder="Find in this patch"
        // biome-ignore lint/a11y/noAutofocus: it was just asked for, to be typed into
        autoFocus
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value);
          setAt(0);
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter') setAt(at + (event.shiftKey ? -1 : 1));
          else if (event.key === 'Escape') onClose();
          else return;
          event.preventDefault();
          event.stopPropagation();
        }}
      />
      <span role="status" className={styles.count}>
        {text === '' ? '' : `${place} of ${all}`}
      </span>
      <IconButton label="Previous hit" icon={ChevronUp} disabled={hits.length === 0} onClick={() => setAt(at - 1)} />
      <IconButton label="Next hit" icon={ChevronDown} disabled={hits.length === 0} onClick={() => setAt(at + 1)} />
      <IconButton label="Close search" icon={X} onClick={onClose} />
    </div>
  );
}
