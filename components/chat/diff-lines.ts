/** What a line of diff text is, told from its beginning alone, as seed 002 colours it. */

export type DiffLineKind = 'added' | 'removed' | 'hunk' | 'plain';

/** `+` but not `+++`, `-` but not `---`, `@@`; all else is plain. For text that claims to be a diff; counts never come from here. */
export function kindOfDiffLine(line: string): DiffLineKind {
  if (line.startsWith('+') && !line.startsWith('+++')) return 'added';
  if (line.startsWith('-') && !line.startsWith('---')) return 'removed';
  return line.startsWith('@@') ? 'hunk' : 'plain';
}
