/** The commands of an agent that go on with what is written, above the field. */
'use client';

import { classNames } from '@/components/ui/class-names';
import styles from './command-list.module.css';
import type { Commands } from './use-commands';

export function CommandList({ list, active, id, choose }: Commands) {
  return (
    <div id={id} role="listbox" aria-label="Commands" className={styles.list}>
      {list.map((command, at) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: keys go to the field, which names the active option
        <div
          key={command.name}
          id={`${id}-${at}`}
          role="option"
          tabIndex={-1}
          aria-selected={at === active}
          className={classNames(styles.command, at === active && styles.active)}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => choose(command)}
        >
          <span className={styles.name}>
            /{command.name} {command.hint && <i>{command.hint}</i>}
          </span>
          <span className={styles.does}>{command.description}</span>
        </div>
      ))}
    </div>
  );
}
