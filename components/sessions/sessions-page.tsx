/** The sessions page: every session by folder, or what a search found. */
import { FolderSearch, SearchX } from 'lucide-react';
import { RunLink } from '@/components/runs/run-link';
import { PageHeader } from '@/components/shell/page-header';
import { SearchForm } from '@/components/shell/search-form';
import { Button, ButtonLink } from '@/components/ui/button';
import { EmptyState } from '@/components/ui/empty-state';
import { Link } from '@/components/ui/link';
import { folderName } from '@/lib/client/format';
import { byWorkspace } from '@/lib/client/sessions-query';
import { counted } from '@/lib/domain/change-words';
import type { SessionOverview } from '@/lib/domain/conversation';
import type { Run } from '@/lib/domain/run';
import { SessionRow } from './session-row';
import styles from './sessions-page.module.css';

export function SessionsPage({
  sessions,
  runs,
  nextCursor,
  query,
  isFirstPage,
}: {
  sessions: SessionOverview[];
  /** Runs that match the search, newest first. */
  runs: (Run & { sessionTitle: string })[];
  nextCursor: string | null;
  query: string;
  isFirstPage: boolean;
}) {
  if (query === '' && isFirstPage && sessions.length === 0) return <FirstSteps />;
  return (
    <>
      <PageHeader title="Sessions" actions={<ButtonLink href="/sessions/new">New session</ButtonLink>} />
      <div className={styles.page}>
        <SearchForm className={styles.search} label="Search">
          <input
            key={query}
            type="search"
            name="q"
            defaultValue={query}
            className={styles.field}
            aria-label="Search sessions and runs"
            placeholder="Title, folder, prompt or changed path, such as src/Login.vue"
            autoComplete="off"
            maxLength={200}
          />
          <Button type="submit">Search</Button>
          {query !== '' && (
            <ButtonLink href="/" look="ghost">
              Clear
            </ButtonLink>
          )}
        </SearchForm>
        {query !== '' && <Found query={query} runs={runs} sessions={sessions.length} more={nextCursor !== null} />}
        {byWorkspace(sessions).map((group) => (
          <section key={group.workspace} className={styles.group} aria-label={group.displayWorkspace}>
            <h2 className={styles.folder}>
              {folderName(group.workspace)}
              <span className={styles.path} title={group.workspace}>
                {group.displayWorkspace}
                {!group.isGit && ' · no git'}
              </span>
            </h2>
            <ul className={styles.list}>
              {group.sessions.map((session) => (
                <SessionRow key={session.id} session={session} />
              ))}
            </ul>
          </section>
        ))}
        {nextCursor !== null && (
          <p className={styles.more}>
            <Link href={`/?${new URLSearchParams({ ...(query !== '' && { q: query }), cursor: nextCursor })}`}>
              Older sessions
            </Link>
          </p>
        )}
      </div>
    </>
  );
}

function FirstSteps() {
  return (
    <>
      <PageHeader title="Sessions" />
      <EmptyState icon={FolderSearch} title="See what every run changes">
        <p>
          A session is a conversation with an agent in one folder. Under every answer stands the list of the files that
          it changed, each with its patch a click away.
        </p>
        <ButtonLink href="/sessions/new" look="primary">
          Start a session
        </ButtonLink>
        <p>
          In a terminal, <code>tidemark run -- npm run format</code> records a command, and{' '}
          <code>tidemark hooks install claude</code> every prompt of an agent that you run there.
        </p>
      </EmptyState>
    </>
  );
}

function Found({
  query,
  runs,
  sessions,
  more,
}: {
  query: string;
  runs: (Run & { sessionTitle: string })[];
  sessions: number;
  more: boolean;
}) {
  if (runs.length === 0 && sessions === 0) {
    return (
      <EmptyState icon={SearchX} title={`Nothing found for “${query}”`}>
        <p>Titles, folders, prompts and the paths of changed files are searched; a part of a path is enough.</p>
      </EmptyState>
    );
  }
  return (
    <>
      <p className={styles.found} role="status">
        {counted(runs.length, 'run')} and {more ? `${sessions} or more sessions` : counted(sessions, 'session')} for “
        {query}”
      </p>
      {runs.length > 0 && (
        <section className={styles.group} aria-label="Runs">
          <h2 className={styles.folder}>Runs</h2>
          <ul className={styles.list}>
            {runs.map((run) => (
              <li key={run.id}>
                <RunLink run={run} context={run.sessionTitle} />
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}
