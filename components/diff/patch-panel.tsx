/** What an opened file shows: its patch once it is there, else what is going on, in words. */
'use client';

import { useQuery } from '@tanstack/react-query';
import { Notice } from '@/components/ui/notice';
import type { ChangeBodies } from '@/lib/client/change-bodies';
import { RequestFailed } from '@/lib/client/read-json';
import type { ChangedFile } from '@/lib/domain/change';
import { fileQuery } from './file-query';
import { PatchBody } from './patch-body';
import { PatchLoading } from './patch-loading';
import { PatchSentence } from './patch-sentence';

export interface PatchPanelProps {
  file: ChangedFile;
  bodies: ChangeBodies;
  /** What is compared with what, in words. */
  comparedWith: string;
  viewed: boolean;
  /** The absolute path of the workspace, for links into an editor; null where there is no such computer. */
  workspace: string | null;
  onView: (file: ChangedFile, viewed: boolean, heading: HTMLElement | null) => void;
}

export function PatchPanel(props: PatchPanelProps) {
  const { file, bodies } = props;
  const { data, error, isFetching, refetch } = useQuery(fileQuery(bodies, file.id));
  if (data) return <PatchBody {...props} body={data} />;
  if (error === null) return <PatchLoading path={file.displayPath} />;
  if (error instanceof RequestFailed && error.code === 'expired') {
    return <PatchSentence kind="note" text="The content of this change is no longer kept. Names and counts remain." />;
  }
  return (
    <div style={{ padding: 10 }}>
      <Notice kind="error" title="This patch could not be loaded." onRetry={() => void refetch()} retrying={isFetching}>
        {error.message}
      </Notice>
    </div>
  );
}
