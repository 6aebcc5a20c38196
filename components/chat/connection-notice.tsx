/** Says when what stands on the page may be old: the stream broke, the cookie is gone, the session was deleted. */
import { Link } from '@/components/ui/link';
import { Notice } from '@/components/ui/notice';
import type { Connection } from '@/lib/client/session-feed';

export function ConnectionNotice({ connection, deleted }: { connection: Connection; deleted: boolean }) {
  if (deleted) {
    return (
      <Notice kind="warning" title="This session was deleted.">
        Nothing more will happen here. <Link href="/">All sessions</Link>
      </Notice>
    );
  }
  if (connection === 'out') {
    return (
      <Notice kind="error" title="This browser is no longer let in.">
        Open the link that Tidemark printed when it started.
      </Notice>
    );
  }
  return (
    <div role="status">
      {connection === 'waiting' && (
        <Notice kind="warning" title="Not connected.">
          The server does not answer; what happens meanwhile will appear here once it does.
        </Notice>
      )}
    </div>
  );
}
