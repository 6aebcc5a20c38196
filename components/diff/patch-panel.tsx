/** What an opened file shows: its patch once it is there, else what is going on, in words. */
'use client';

import { useQuery } from '@tanstack/react-query';
import { Notice } from '@/components/ui/notice';
import { RequestFailed } from '@/lib/client/read-json';
import { fileQuery } from './file-query';
import { type OpenedFile, PatchBody } from './patch-body';
import { PatchLoading } from './patch-loading';
import { PatchSentence } from './patch-sentence';
import { useReviewedChange } from './reviewed-change';

export { warmColours } from './colours';

export function PatchPanel(props: OpenedFile) {
  const { file } = props;
  const { bodies } = useReviewedChange();
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
