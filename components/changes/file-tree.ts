/** Rows as a tree of folders, flattened into the lines that are shown; chains of single folders stand in one line. */
import type { ChangedFile } from '@/lib/domain/change';

export type ListItem =
  | { type: 'file'; file: ChangedFile; depth: number }
  | {
      type: 'folder';
      /** From the root, without a slash at its end; names it among all folders. */
      path: string;
      /** What is shown of it: the part below the folder it stands in. */
      name: string;
      depth: number;
      files: number;
      additions: number;
      deletions: number;
      open: boolean;
    };

interface Folder {
  path: string;
  name: string;
  folders: Map<string, Folder>;
  files: ChangedFile[];
  count: number;
  additions: number;
  deletions: number;
}

function newFolder(path: string, name: string): Folder {
  return { path, name, folders: new Map(), files: [], count: 0, additions: 0, deletions: 0 };
}

/** Rows as they come, one line each. */
export function flatItems(files: readonly ChangedFile[]): ListItem[] {
  return files.map((file) => ({ type: 'file', file, depth: 0 }));
}

/** Folders before files at every level, both in the order of the rows; closed folders hide what they hold. */
export function treeItems(files: readonly ChangedFile[], isOpen: (path: string) => boolean): ListItem[] {
  const root = newFolder('', '');
  for (const file of files) insert(root, file);
  const items: ListItem[] = [];
  show(root, 0, isOpen, items);
  return items;
}

function insert(root: Folder, file: ChangedFile): void {
  // An absolute path keeps its slash as a folder of its own; a C-quoted one is not taken apart.
  const parts = file.pathQuoted ? [file.path] : file.path.split('/');
  let folder = root;
  add(folder, file);
  for (const [depth, name] of parts.slice(0, -1).entries()) {
    const path = parts.slice(0, depth + 1).join('/');
    let next = folder.folders.get(name);
    if (!next) {
      next = newFolder(path, name === '' ? '/' : name);
      folder.folders.set(name, next);
    }
    folder = next;
    add(folder, file);
  }
  folder.files.push(file);
}

function add(folder: Folder, file: ChangedFile): void {
  folder.count += 1;
  folder.additions += file.additions;
  folder.deletions += file.deletions;
}

function show(folder: Folder, depth: number, isOpen: (path: string) => boolean, items: ListItem[]): void {
  for (const child of folder.folders.values()) {
    let last = child;
    let name = child.name;
    while (last.files.length === 0 && last.folders.size === 1) {
      last = [...last.folders.values()][0]!;
      name = name === '/' ? `/${last.name}` : `${name}/${last.name}`;
    }
    const { path, count: all, additions, deletions } = last;
    const open = isOpen(path);
    items.push({ type: 'folder', path, name, depth, files: all, additions, deletions, open });
    if (open) show(last, depth + 1, isOpen, items);
  }
  for (const file of folder.files) items.push({ type: 'file', file, depth });
}
