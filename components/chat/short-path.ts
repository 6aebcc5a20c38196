/** A path as a card shows it: without the workspace in front of it. */

export function shortPath(path: string, workspace: string | null): string {
  if (workspace === null || !path.startsWith('/')) return path;
  if (path === workspace) return '.';
  const root = workspace.endsWith('/') ? workspace : `${workspace}/`;
  return path.startsWith(root) ? path.slice(root.length) : path;
}
