/** The page inside an exported HTML file: the shared run, its data beside it, no request to anywhere. */
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createRoot } from 'react-dom/client';
import { fromWire, type Wire } from '@/lib/domain/events';
import type { RunExport } from '@/lib/domain/run-export';
import { embeddedBodies } from './embedded-bodies';
import { SharedRunView } from './shared-run';

/** What the file carries, as its script finds it. */
export interface OfflineRun {
  run: Wire<RunExport>;
  /** Pictures as `data:` addresses, by `<file id> <side>`. */
  pictures: Record<string, string>;
}

const data = JSON.parse(document.getElementById('tidemark-run')?.textContent ?? '') as OfflineRun;
const exported = fromWire<RunExport>(data.run);
const root = document.getElementById('root');
if (root) {
  createRoot(root).render(
    <QueryClientProvider client={new QueryClient()}>
      <SharedRunView
        run={exported.run}
        change={exported.change}
        leftOut={exported.leftOut}
        bodies={embeddedBodies(exported, data.pictures)}
        note={`Saved from Tidemark ${exported.version}. This file is complete: it asks nothing of the network.`}
      />
    </QueryClientProvider>,
  );
}
