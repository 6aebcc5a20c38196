/** The pictures of a message, shown small, each with a button that takes it away. */
'use client';

import { X } from 'lucide-react';
import { IconButton } from '@/components/ui/button';
import styles from './image-strip.module.css';
import type { Images } from './use-images';

export function ImageStrip({ images }: { images: Images }) {
  return (
    <ul className={styles.strip} aria-label="Pictures">
      {images.list.map((image, at) => (
        <li key={`${image.data.length}-${image.data.slice(-24)}`} className={styles.picture}>
          {/* biome-ignore lint/performance/noImgElement: a picture of the reader's own, not one to optimise */}
          <img src={`data:${image.mime_type};base64,${image.data}`} alt={`Number ${at + 1}`} />
          <IconButton
            label={`Remove picture ${at + 1}`}
            icon={X}
            className={styles.remove}
            onClick={() => images.remove(image)}
          />
        </li>
      ))}
    </ul>
  );
}
