/** Which paths hold content that is never stored or shown, as the user named them. */
import { relative } from 'node:path';
import ignore from 'ignore';
import type { WorkspaceLocation } from '@/lib/capture/capture';
import type { Settings } from '@/lib/domain/settings';

/** Tells, for absolute paths, whether their content is private; everything is in a names-only house. */
export function privatePathsOf(
  { privatePaths, namesOnly }: Pick<Settings, 'privatePaths' | 'namesOnly'>,
  { root, repository }: Pick<WorkspaceLocation, 'root' | 'repository'>,
): (path: string) => boolean {
  if (namesOnly) return () => true;
  if (privatePaths.length === 0) return () => false;
  const patterns = ignore().add(privatePaths);
  return (path) => {
    // A workspace may be a folder of its repository: a pattern holds from either.
    return [root, repository ?? root].some((top) => {
      const name = relative(top, path);
      return name !== '' && !name.startsWith('..') && patterns.ignores(name);
    });
  };
}
