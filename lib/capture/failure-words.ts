/** Says in words, without a path of ours, why something could not be done. */
import { isGitFailure } from './git/git-command';

export function failureWords(error: unknown): string {
  if (isGitFailure(error)) return error.code === 'git_timeout' ? 'git took too long' : error.message;
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOSPC' || code === 'EDQUOT' || code === 'storage_full') return 'no room left in the data folder';
  if (code === 'EMFILE' || code === 'ENFILE') return 'too many open files';
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') return 'the data folder cannot be written';
  return code ?? (error instanceof Error ? error.message : String(error));
}
