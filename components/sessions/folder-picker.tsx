/** Walks the folders of the server's computer and chooses one. */
'use client';

import { useQuery } from '@tanstack/react-query';
import { CornerLeftUp, Folder, FolderGit2 } from 'lucide-react';
import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { Notice } from '@/components/ui/notice';
import { Spinner } from '@/components/ui/spinner';
import { type Action, type ActionFailure, callAction } from '@/lib/client/action-result';
import styles from './folder-picker.module.css';

export interface FolderListing {
  /** Real path of the folder that is listed. */
  path: string;
  displayPath: string;
  parent: string | null;
  folders: { name: string; path: string; isRepository: boolean }[];
  /** Folders that are there and not listed. */
  more: number;
}

interface FolderPickerProps {
  /** Where to begin; the home folder where this is no folder. */
  from: string;
  listFolders: Action<{ path: string }, FolderListing>;
  onChoose: (path: string) => void;
  onClose: () => void;
}

export function FolderPicker(props: FolderPickerProps) {
  return (
    <Dialog title="Choose a folder" onClose={props.onClose} wide>
      <Folders {...props} />
    </Dialog>
  );
}

/** Folders longer than this have a field to narrow the list. */
const FILTER_FROM = 12;

function Folders({ from, listFolders, onChoose, onClose }: FolderPickerProps) {
  const [path, setPath] = useState(from.trim());
  const [filter, setFilter] = useState('');
  const { data, error, isFetching, refetch } = useQuery<FolderListing, ActionFailure>({
    queryKey: ['folders', path],
    queryFn: async () => {
      const listed = await callAction(listFolders, { path });
      if (listed.ok) return listed.value;
      // A folder that was typed and is none yet: begin at home.
      const home = path === from.trim() && path !== '' ? await callAction(listFolders, { path: '' }) : listed;
      if (home.ok) return home.value;
      throw home.error;
    },
    placeholderData: (before) => before,
    staleTime: 0,
    retry: false,
  });
  const go = (to: string) => {
    setPath(to);
    setFilter('');
  };
  const shown = data?.folders.filter(({ name }) => name.toLowerCase().includes(filter.toLowerCase())) ?? [];

  return (
    <div className={styles.picker} aria-busy={isFetching}>
      <div className={styles.here}>
        <Button
          icon={CornerLeftUp}
          disabled={!data?.parent}
          onClick={() => {
            if (data?.parent) go(data.parent);
          }}
        >
          Up
        </Button>
        <span className={styles.path} role="status">
          {data?.displayPath ?? '…'}
        </span>
        {isFetching && <Spinner />}
      </div>
      {error && (
        <Notice kind="error" onRetry={() => void refetch()}>
          {error.message}
        </Notice>
      )}
      {data && data.folders.length > FILTER_FROM && (
        <input
          type="search"
          className={styles.filter}
          aria-label="Filter the folders"
          placeholder="Filter"
          value={filter}
          onChange={(event) => setFilter(event.target.value)}
        />
      )}
      <ul className={styles.list} aria-label="Folders">
        {shown.map((folder) => (
          <li key={folder.path}>
            <button type="button" className={styles.folder} onClick={() => go(folder.path)}>
              {folder.isRepository ? (
                <FolderGit2 aria-hidden="true" size={16} className={styles.repository} />
              ) : (
                <Folder aria-hidden="true" size={16} />
              )}
              <span className={styles.name}>{folder.name}</span>
              {folder.isRepository && <span className={styles.kind}>git</span>}
            </button>
          </li>
        ))}
        {data && shown.length === 0 && (
          <li className={styles.none}>No folders {filter === '' ? 'in here' : 'match'}</li>
        )}
        {data && data.more > 0 && <li className={styles.none}>{data.more} more; type the path to use one of them</li>}
      </ul>
      <div className={styles.end}>
        <Button onClick={onClose}>Cancel</Button>
        <Button look="primary" disabled={!data} onClick={() => data && onChoose(data.path)}>
          Use this folder
        </Button>
      </div>
    </div>
  );
}
