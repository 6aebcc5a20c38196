/** Finds repositories and remembers them, so that a work tree that stays what it is costs no process to find again. */
import type { Git } from './git-command';
import { type FoundRepository, findRepository, isStill, type Repository } from './repository';

/** Finds the repository whose work tree holds a folder (a real path). */
export type RepositoryFinder = (folder: string) => Promise<FoundRepository>;

export function repositoryFinder(git: Git): RepositoryFinder {
  const known = new Map<string, Repository>();
  return async (folder) => {
    const remembered = known.get(folder);
    if (remembered && (await isStill(remembered))) return { state: 'found', repository: remembered };
    known.delete(folder);
    const found = await findRepository(git, folder);
    // A folder below the top is asked about anew: a repository of its own may come between.
    if (found.state === 'found') known.set(found.repository.top, found.repository);
    return found;
  };
}
