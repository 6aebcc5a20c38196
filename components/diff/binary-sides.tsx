/** Both sides of a file that has no lines: sizes and hashes, and images as images. */
'use client';

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ChangeBodies } from '@/lib/client/change-bodies';
import type { ChangedFileBody } from '@/lib/domain/change';
import { bytesInWords } from '@/lib/domain/change-words';
import styles from './binary-sides.module.css';
import { comparisonQuery } from './file-query';

/** Bytes of one side that can still be fetched (CONTRACT, `…/content`). */
const CONTENT_BYTES = 2 * 1024 * 1024;
const IMAGE = /\.(png|jpe?g|gif|webp|avif|bmp|ico)$/i;

export function BinarySides({ file, bodies }: { file: ChangedFileBody; bodies: ChangeBodies }) {
  const { data } = useQuery(comparisonQuery(bodies, file.id, { context: 3, ignoreWhitespace: false }));
  const known = data?.kind === 'binary' || data?.kind === 'oversized' ? data : null;
  const sides = [
    { side: 'before' as const, path: file.oldPath ?? file.path, size: file.sizeBefore, id: known?.idBefore ?? null },
    { side: 'after' as const, path: file.path, size: file.sizeAfter, id: known?.idAfter ?? null },
  ].filter(({ side }) => (side === 'before' ? file.changeType !== 'added' : file.changeType !== 'deleted'));
  return (
    <div className={styles.sides}>
      {sides.map(({ side, path, size, id }) => (
        <figure key={side} className={styles.side}>
          {IMAGE.test(path) && file.binary && (size ?? 0) <= CONTENT_BYTES && (
            <Picture url={bodies.contentUrl(file.id, side)} alt={`${path} ${side} the change`} />
          )}
          <figcaption className={styles.caption}>
            <b>{side === 'before' ? 'Before' : 'After'}</b> {size !== null && bytesInWords(size)}{' '}
            {id && <code className={styles.id}>{id}</code>}
          </figcaption>
        </figure>
      ))}
    </div>
  );
}

function Picture({ url, alt }: { url: string | null; alt: string }) {
  const [state, setState] = useState<{ size: string | null; failed: boolean }>({ size: null, failed: false });
  if (state.failed || url === null) return <p className={styles.failed}>This picture cannot be shown.</p>;
  return (
    <>
      {/* biome-ignore lint/performance/noImgElement: bytes of the record, not an asset to optimise */}
      <img
        className={styles.picture}
        src={url}
        alt={alt}
        onError={() => setState({ size: null, failed: true })}
        onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
          setState({ size: `${naturalWidth} × ${naturalHeight}`, failed: false })
        }
      />
      {state.size && <span className={styles.failed}>{state.size} pixels</span>}
    </>
  );
}
