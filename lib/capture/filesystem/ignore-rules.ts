/** What is left out of folders that have no ignore rules of their own: generated folders, and files that are no text. */
import ignore, { type Ignore } from 'ignore';
import { baseOf, type RawPath, rawToBytes } from '../raw-path';

/**
 * Folders that hold what tools made and nobody writes by hand. Names that people do write source in (`bin`, `out`,
 * `vendor`, `tmp`, `log`) are not among them.
 */
const GENERATED_FOLDERS = [
  '.git',
  '.hg',
  '.svn',
  'node_modules',
  'bower_components',
  '.pnpm-store',
  'dist',
  'build',
  'target',
  'coverage',
  '.gradle',
  '.mvn',
  '.venv',
  'venv',
  '__pycache__',
  '.pytest_cache',
  '.mypy_cache',
  '.ruff_cache',
  '.tox',
  '.cache',
  '.next',
  '.nuxt',
  '.svelte-kit',
  '.turbo',
  '.parcel-cache',
  '.terraform',
  '.dart_tool',
];

/** Classes of files whose content says nothing line by line. */
const SKIPPED_FILES =
  /(?:\.(?:pyc|class|o|so|dylib|dll|exe|png|jpe?g|gif|webp|zip|tar|sqlite|db)|^\.DS_Store|^Thumbs\.db)$/i;

/** Whether a file is of a class that is listed without content, and never watched where an ignore rule covers it. */
export function isSkippedClass(path: RawPath): boolean {
  return SKIPPED_FILES.test(baseOf(path));
}

export interface FolderRules {
  /** A folder that the defaults leave out. */
  isGenerated(name: string): boolean;
  /** A path that the root `.gitignore` covers. */
  isIgnored(path: RawPath, folder: boolean): boolean;
}

/** The rules of one folder: the defaults without what the user wants all the same, and its own root `.gitignore`. */
export function folderRules(includeDirs: readonly string[], gitignore: string | null): FolderRules {
  const generated = new Set(GENERATED_FOLDERS.filter((name) => name === '.git' || !includeDirs.includes(name)));
  const rules: Ignore | null = gitignore === null ? null : ignore({ allowRelativePaths: true }).add(gitignore);
  return {
    isGenerated: (name) => generated.has(name),
    isIgnored(path, folder) {
      if (rules === null) return false;
      const text = rawToBytes(path).toString();
      return rules.ignores(folder ? `${text}/` : text);
    },
  };
}
