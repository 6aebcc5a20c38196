/** How long something has been going on, counted in the browser, from its second second on. */
'use client';

import { useEffect, useState } from 'react';
import { formatDuration } from '@/lib/client/format';

export function Elapsed({ since }: { since: number }) {
  const [now, setNow] = useState<number | null>(null);
  useEffect(() => {
    const tick = () => setNow(Date.now());
    tick();
    const timer = setInterval(tick, 1_000);
    return () => clearInterval(timer);
  }, []);
  if (now === null || now - since < 1_000) return null;
  return <span>{formatDuration(Math.floor((now - since) / 1_000) * 1_000).replace(/\.0 s$/, ' s')}</span>;
}
