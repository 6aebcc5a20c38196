/** Characters that hide or reorder the text around them: which they are, and what they are called. */

/** Bidi controls, zero-width characters, other invisible ones, and control characters but tab. */
export const ODD_CHARACTERS =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this looks for
  /[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u00ad\u061c\u115f\u180e\u200b-\u200f\u2028-\u202e\u2060-\u2069\u3164\ufeff\ufff9-\ufffb]/;

const NAMED: Record<string, string> = {
  '\0': 'NUL',
  '\x1b': 'ESC',
  '\r': 'CR',
  '\f': 'FF',
  '\b': 'BS',
  '\ufeff': 'BOM',
};

/** `U+202E` of a right-to-left override; the few that people know by name have it. */
export function codePointName(character: string): string {
  if (Object.hasOwn(NAMED, character)) return NAMED[character]!;
  return `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;
}
