/** A fenced listing: coloured when the page is at rest, a diff line by line, copied by one press. */
'use client';

import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { Piece } from '@/components/diff/drawn-lines';
import { languageOf } from '@/components/diff/language';
import { IconButton } from '@/components/ui/button';
import { copyText } from '@/lib/client/copy-text';
import styles from './code-listing.module.css';
import { DiffLines } from './diff-lines-view';

/** Milliseconds that a listing must not have grown before it is coloured: one that streams stays plain. */
const REST_MS = 250;
/** Milliseconds that the copied mark stays. */
const COPIED_MS = 1_500;

const KIND_CLASS: Record<string, string | undefined> = {
  k: styles.keyword,
  s: styles.string,
  n: styles.number,
  c: styles.comment,
  t: styles.title,
};

export function CodeListing({ code, info }: { code: string; info: string | null }) {
  const name = info?.split(/[\s{,:]/)[0]?.toLowerCase() ?? '';
  return (
    <figure className={styles.listing}>
      <figcaption className={styles.head}>
        <span>{name}</span>
        <CopyButton code={code} />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways must be reachable by the keyboard */}
      <pre className={styles.code} tabIndex={0}>
        <code>{name === 'diff' ? <DiffLines lines={code.split('\n')} /> : <Coloured code={code} name={name} />}</code>
      </pre>
    </figure>
  );
}

function Coloured({ code, name }: { code: string; name: string }) {
  const lines = useColours(code, name);
  if (lines === null) return code;
  return code.split('\n').map((line, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place
    <span key={at}>
      {at > 0 && '\n'}
      {(lines[at] ?? []).length === 0 ? line : <Pieces pieces={lines[at] as Piece[]} line={line} />}
    </span>
  ));
}

function Pieces({ pieces, line }: { pieces: Piece[]; line: string }) {
  // The worker cuts endless lines for patches; here the rest is plain.
  const shown = pieces.filter(({ kind }) => kind !== 'more');
  const length = shown.reduce((sum, { text }) => sum + text.length, 0);
  return (
    <>
      {shown.map(({ text, kind }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a piece is its place
        <span key={at} className={KIND_CLASS[kind]}>
          {text}
        </span>
      ))}
      {line.slice(length)}
    </>
  );
}

/** Pieces of each line once the code has stopped growing; null until then, and where it stays plain. */
function useColours(code: string, name: string): (Piece[] | null)[] | null {
  const [coloured, setColoured] = useState<{ code: string; lines: (Piece[] | null)[] } | null>(null);
  useEffect(() => {
    if (name === '') return;
    let isGone = false;
    const timer = setTimeout(async () => {
      // The worker and its languages are loaded with the first listing that wants them.
      const { listingColours } = await import('@/components/diff/colours');
      const lines = await listingColours(code, languageOf(`x.${name}`) ?? name);
      if (!isGone && lines !== null) setColoured({ code, lines });
    }, REST_MS);
    return () => {
      isGone = true;
      clearTimeout(timer);
    };
  }, [code, name]);
  return coloured?.code === code ? coloured.lines : null;
}

function CopyButton({ code }: { code: string }) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), COPIED_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  return (
    <IconButton
      icon={copied ? Check : Copy}
      label={copied ? 'Copied' : 'Copy'}
      className={styles.copy}
      onClick={async () => setCopied(await copyText(code))}
    />
  );
}
