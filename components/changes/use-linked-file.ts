/** Opens the file that the page's address names, once its row is there, and brings it into the window. */
'use client';

import { useEffect, useState } from 'react';
import type { ChangedFile } from '@/lib/domain/change';
import { fileAnchor, parseAnchor } from '@/lib/domain/line-anchor';

export function useLinkedFile({
  active,
  rows,
  open,
}: {
  active: boolean;
  rows: readonly ChangedFile[];
  open: (path: string) => void;
}): void {
  const hash = useHash(active);
  const [done, setDone] = useState<string | null>(null);
  useEffect(() => {
    if (hash === null || hash === done) return;
    const anchor = parseAnchor(hash);
    const file = anchor && rows.find(({ path }) => fileAnchor(path) === anchor.file);
    if (!file) return;
    setDone(hash);
    open(file.path);
    // Lines are scrolled to by the patch itself, once it is there.
    if (anchor.lines === null) {
      requestAnimationFrame(() => {
        document.querySelector<HTMLElement>(`button[data-row="${CSS.escape(file.path)}"]`)?.scrollIntoView();
      });
    }
  }, [hash, done, rows, open]);
}

function useHash(active: boolean): string | null {
  const [hash, setHash] = useState<string | null>(null);
  useEffect(() => {
    if (!active) return;
    const read = () => setHash(location.hash);
    read();
    addEventListener('hashchange', read);
    return () => removeEventListener('hashchange', read);
  }, [active]);
  return hash;
}
