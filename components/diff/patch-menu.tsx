/** What else can be done with an opened file: copy parts of it, link to it, open it elsewhere. */
'use client';

import { Ellipsis } from 'lucide-react';
import { Menu } from '@/components/ui/menu';
import type { MenuItem } from '@/components/ui/menu-list';
import { copyText } from '@/lib/client/copy-text';
import { editorLink } from '@/lib/client/preferences';
import { usePreferences } from '@/lib/client/use-preferences';
import type { ChangedFileBody } from '@/lib/domain/change';
import { formatAnchor } from '@/lib/domain/line-anchor';
import type { MarkedLines } from './line-marks';
import type { PatchLines } from './patch-lines';
import { patchText, sideText } from './patch-text';
import { useReviewedChange } from './reviewed-change';

export function PatchMenu({
  file,
  lines,
  marked,
  onSaid,
  onWholeFile,
}: {
  file: ChangedFileBody;
  lines: PatchLines;
  marked: MarkedLines | null;
  onSaid: (words: string) => void;
  /** Shows every unchanged line too; null where there are none. */
  onWholeFile: (() => void) | null;
}) {
  const { bodies, workspace, page } = useReviewedChange();
  const { preferences } = usePreferences();
  const copy = (text: () => string, what: string) => () => {
    void copyText(text()).then((copied) =>
      onSaid(copied ? `${what} copied` : 'The browser did not let this be copied'),
    );
  };
  const items: MenuItem[] = [{ id: 'path', label: 'Copy path', onChoose: copy(() => file.path, 'Path') }];
  if (lines.texts.length > 0) {
    items.push({ id: 'patch', label: 'Copy patch', onChoose: copy(() => wholePatch(file, lines), 'Patch') });
    if (file.changeType !== 'deleted') {
      items.push({ id: 'after', label: 'Copy the lines after', onChoose: copy(() => sideText(lines, 'new'), 'Lines') });
    }
    if (file.changeType !== 'added') {
      items.push({
        id: 'before',
        label: 'Copy the lines before',
        onChoose: copy(() => sideText(lines, 'old'), 'Lines'),
      });
    }
  }
  if (page !== null) {
    const link = () => new URL(page + formatAnchor(file.path, marked), location.href).href;
    const what = marked ? 'Link to the marked lines' : 'Link to this file';
    items.push({ id: 'link', label: `Copy ${what.toLowerCase()}`, onChoose: copy(link, what) });
  }
  if (onWholeFile) items.push({ id: 'whole', label: 'Show the whole file', onChoose: onWholeFile });
  const editor = workspace === null || file.pathQuoted ? null : absolutePath(workspace, file.path);
  const href =
    editor && file.changeType !== 'deleted' ? editorLink(preferences, editor, marked?.from ?? firstLine(lines)) : null;
  if (href) items.push({ id: 'editor', label: 'Open in the editor', onChoose: () => location.assign(href) });
  const save = (side: 'before' | 'after', label: string) => {
    const url = bodies.savesFiles && !file.expired && !file.oversized ? bodies.contentUrl(file.id, side) : null;
    if (url !== null)
      items.push({ id: side === 'after' ? 'save' : 'save-before', label, onChoose: () => location.assign(url) });
  };
  if (file.kindAfter === 'file') save('after', 'Save the file as it was after');
  if (file.kindBefore === 'file') save('before', 'Save the file as it was before');
  return <Menu label={`More for ${file.displayPath}`} icon={Ellipsis} items={items} align="end" />;
}

/** The path on disk; `../` and absolute paths of a row lead out of the workspace. */
function absolutePath(workspace: string, path: string): string {
  if (path.startsWith('/')) return path;
  const parts = workspace.split('/');
  for (const part of path.split('/')) {
    if (part === '..') parts.pop();
    else parts.push(part);
  }
  return parts.join('/');
}

function firstLine({ newNumbers, types }: PatchLines): number {
  const first = types.findIndex((type) => type !== 0);
  return newNumbers[first] || newNumbers.find((number) => number > 0) || 1;
}

/** The shown hunks under a header that `git apply` and people understand. */
function wholePatch(file: ChangedFileBody, lines: PatchLines): string {
  const before = file.changeType === 'added' ? '/dev/null' : `a/${file.oldPath ?? file.path}`;
  const after = file.changeType === 'deleted' ? '/dev/null' : `b/${file.path}`;
  return `--- ${before}\n+++ ${after}\n${patchText(lines)}`;
}
