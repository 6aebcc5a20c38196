import { KeyRound } from 'lucide-react';
import type { Metadata } from 'next';
import { Brand } from '@/components/shell/brand';
import { EmptyState } from '@/components/ui/empty-state';

export const metadata: Metadata = { title: 'How to get in' };

/** For a browser that the server does not know yet (401). Says nothing of what is inside. */
export default function Page() {
  return (
    <main>
      <EmptyState icon={KeyRound} title="Open the link that Tidemark printed" level={1}>
        <p>
          Tidemark shows the files of its owner, so it lets in only whoever holds its token. The link was printed in the
          terminal when it started:
        </p>
        <code>Tidemark is ready at http://127.0.0.1:…/?token=…</code>
        <p>
          <code>tidemark status</code> prints it again. After the first visit this browser is remembered.
        </p>
        <Brand />
      </EmptyState>
    </main>
  );
}
