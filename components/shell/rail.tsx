/** The way around: a new session, search, the sessions by folder; beside the page, or over it on a phone. */
'use client';

import { useQuery } from '@tanstack/react-query';
import { Plus, Search } from 'lucide-react';
import { usePathname } from 'next/navigation';
import { SessionDot, sessionWord } from '@/components/sessions/session-state';
import { classNames } from '@/components/ui/class-names';
import { Counts } from '@/components/ui/counts';
import { KeyHint } from '@/components/ui/key-hint';
import { Link } from '@/components/ui/link';
import { folderName } from '@/lib/client/format';
import { byWorkspace, RAIL_SESSIONS, sessionsQuery } from '@/lib/client/sessions-query';
import type { SessionOverview } from '@/lib/domain/conversation';
import { Brand } from './brand';
import styles from './rail.module.css';
import { SearchForm } from './search-form';
import { SEARCH_FIELD, Shortcuts } from './shortcuts';

export const RAIL_ID = 'rail';

export function Rail({ initial }: { initial: SessionOverview[] }) {
  const { data: sessions } = useQuery(sessionsQuery(initial));
  const pathname = usePathname();
  const closeOnPhone = () => document.getElementById(RAIL_ID)?.hidePopover();

  return (
    <nav id={RAIL_ID} popover="auto" className={styles.rail} aria-label="Sessions">
      <Link href="/" className={styles.home} aria-label="Tidemark, all sessions" onClick={closeOnPhone}>
        <Brand />
      </Link>
      <Link href="/sessions/new" className={styles.new} onClick={closeOnPhone}>
        <Plus aria-hidden="true" size={16} />
        New session
      </Link>
      <SearchForm className={styles.search} label="Quick search" onSearch={closeOnPhone}>
        <Search aria-hidden="true" size={14} className={styles.glass} />
        <input
          id={SEARCH_FIELD}
          type="search"
          name="q"
          aria-label="Search runs, prompts and changed paths"
          placeholder="Search runs, changed paths"
          autoComplete="off"
          maxLength={200}
        />
        <KeyHint>/</KeyHint>
      </SearchForm>
      {byWorkspace(sessions).map((group) => (
        <section key={group.workspace}>
          <h2 className={styles.folder}>
            {folderName(group.workspace)}
            <span className={styles.path} title={group.workspace}>
              {group.displayWorkspace}
              {!group.isGit && ' · no git'}
            </span>
          </h2>
          <ul className={styles.list}>
            {group.sessions.map((session) => (
              <li key={session.id}>
                <RailEntry session={session} isHere={pathname === `/sessions/${session.id}`} onClick={closeOnPhone} />
              </li>
            ))}
          </ul>
        </section>
      ))}
      {sessions.length >= RAIL_SESSIONS && (
        <Link href="/" className={styles.all} onClick={closeOnPhone}>
          All sessions
        </Link>
      )}
      <div className={styles.foot}>
        <FootLink href="/settings" pathname={pathname} onClick={closeOnPhone}>
          Settings
        </FootLink>
        <FootLink href="/reference" pathname={pathname} onClick={closeOnPhone}>
          API
        </FootLink>
        <Shortcuts />
      </div>
    </nav>
  );
}

function FootLink({
  href,
  pathname,
  onClick,
  children,
}: {
  href: '/settings' | '/reference';
  pathname: string;
  onClick: () => void;
  children: string;
}) {
  return (
    <Link href={href} aria-current={pathname === href ? 'page' : undefined} onClick={onClick}>
      {children}
    </Link>
  );
}

function RailEntry({ session, isHere, onClick }: { session: SessionOverview; isHere: boolean; onClick: () => void }) {
  const word = sessionWord(session);
  const hasLines = session.additions + session.deletions > 0;
  return (
    <Link
      href={`/sessions/${session.id}`}
      className={classNames(styles.entry, isHere && styles.here)}
      aria-current={isHere ? 'page' : undefined}
      onClick={onClick}
    >
      <SessionDot session={session} />
      <span className={styles.title}>{session.title}</span>
      {word && <span className="sr">, {word}</span>}
      {hasLines && (
        <span className={styles.lines}>
          <Counts additions={session.additions} deletions={session.deletions} />
        </span>
      )}
    </Link>
  );
}
