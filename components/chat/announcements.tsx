/** Tells those who listen how the newest run goes: its start, its end with what changed, and nothing in between. */
'use client';

import { useState } from 'react';
import type { RunRecord } from '@/lib/client/timeline';
import { changeTitle, countsInWords } from '@/lib/domain/change-words';

export function Announcements({ record }: { record: RunRecord | null }) {
  const words = record ? wordsOf(record) : '';
  // What was so when the page opened is read with the page; only news are announced.
  const [atOpening] = useState(words);
  return (
    <p className="sr" role="status">
      {words === atOpening ? '' : words}
    </p>
  );
}

function wordsOf({ number, run, items }: RunRecord): string {
  if (!run) return '';
  if (run.status === 'running') return `Run ${number} started`;
  const change = items.find((item) => item.type === 'change')?.change;
  const changed = change ? `. ${changeTitle(change)}. ${countsInWords(change) ?? ''}` : '';
  return `Run ${number} ${run.status}${changed}`;
}
