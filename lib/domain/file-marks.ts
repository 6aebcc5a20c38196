/** What deserves a second look, and what does not: told from a row's path, kind and mode alone. */
import type { ChangedFile } from './change';

/** A word beside a row that asks for attention, and the sentence behind it. */
export interface AttentionMark {
  word: string;
  why: string;
}

const ATTENTION_BY_PATH: readonly (AttentionMark & { pattern: RegExp })[] = [
  {
    word: 'secrets',
    why: 'Environment files and keys often hold passwords.',
    pattern:
      /(^|\/)(\.env(\.[^/]*)?|\.envrc|\.netrc|\.npmrc|\.pypirc|\.pgpass|id_(rsa|dsa|ecdsa|ed25519)|[^/]*\.(pem|key|p12|pfx|keystore|jks)|credentials(\.json)?|secrets?\.(ya?ml|json|toml))$/i,
  },
  {
    word: 'ignore rules',
    why: 'Ignore rules decide which files git, and so a review, does not see.',
    pattern: /(^|\/)(\.gitignore|\.gitattributes|\.ignore|\.dockerignore|\.npmignore|\.git\/info\/exclude)$/,
  },
  {
    word: 'hook',
    why: 'Hooks run by themselves on this computer.',
    pattern:
      /(^|\/)(\.husky\/|\.githooks\/|\.git\/hooks\/|\.lefthook|lefthook\.ya?ml$|\.pre-commit-config\.ya?ml$|\.claude\/(settings[^/]*\.json$|hooks\/)|\.codex\/|\.gemini\/settings\.json$|\.cursor\/(hooks|mcp)\.json$|\.mcp\.json$|\.vscode\/(tasks|launch|settings)\.json$)/,
  },
  {
    word: 'CI',
    why: 'Build pipelines run with the rights of the repository.',
    pattern:
      /(^|\/)(\.github\/(workflows|actions)\/|\.gitlab-ci\.ya?ml$|\.circleci\/|\.ci\/|\.buildkite\/|\.drone\.ya?ml$|azure-pipelines[^/]*\.ya?ml$|Jenkinsfile[^/]*$|\.travis\.ya?ml$|bitbucket-pipelines\.ya?ml$)/,
  },
];

function executable(mode: string | null): boolean {
  return mode?.startsWith('100') === true && (Number.parseInt(mode.slice(-3), 8) & 0o111) !== 0;
}

/** What a reviewer should not overlook about this row. */
export function attentionMarks(file: ChangedFile): AttentionMark[] {
  const marks: AttentionMark[] = [];
  const paths = file.oldPath === null ? [file.path] : [file.path, file.oldPath];
  for (const { pattern, word, why } of ATTENTION_BY_PATH) {
    if (paths.some((path) => pattern.test(path))) marks.push({ word, why });
  }
  if (executable(file.modeAfter) && !executable(file.modeBefore)) {
    marks.push({ word: 'executable', why: 'This file can now be run as a program.' });
  }
  return marks;
}

const GENERATED: readonly [reason: string, pattern: RegExp][] = [
  [
    'lock file',
    /(^|\/)(package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|Cargo\.lock|Gemfile\.lock|composer\.lock|poetry\.lock|uv\.lock|Pipfile\.lock|pdm\.lock|go\.sum|flake\.lock|mix\.lock|pubspec\.lock|Podfile\.lock|Package\.resolved|gradle\.lockfile|deno\.lock)$/,
  ],
  ['minified', /\.min\.(js|css|mjs)$/],
  ['source map', /\.(js|css|mjs|cjs)\.map$/],
  ['test snapshot', /(^|\/)__snapshots__\/|\.snap$/],
  [
    'generated',
    /(^|\/)(generated|__generated__|\.generated)\/|\.(generated|gen|g)\.[a-z]+$|\.pb\.(go|cc|h)$|_pb2(_grpc)?\.pyi?$/,
  ],
];

/** Why a file was most likely written by a tool and not by hand, or null. */
export function generatedReason(path: string): string | null {
  for (const [reason, pattern] of GENERATED) {
    if (pattern.test(path)) return reason;
  }
  return null;
}
