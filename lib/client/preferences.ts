/** What a reader chose about the look and the keys; kept in a cookie, so that the first paint already has it. */

export interface Preferences {
  theme: 'system' | 'light' | 'dark';
  palette: 'standard' | 'colour-blind';
  /** Whether single keys act as shortcuts (WCAG 2.1.4 asks for an off switch). */
  shortcuts: boolean;
  /** Opens a file in an editor: `{path}` is the absolute path, `{line}` the line. Empty: no such link. */
  editorUrl: string;
}

export const DEFAULT_PREFERENCES: Readonly<Preferences> = {
  theme: 'system',
  palette: 'standard',
  shortcuts: true,
  editorUrl: 'vscode://file{path}:{line}',
};

export const PREFERENCES_COOKIE = 'tidemark_preferences';

/** Schemes a browser would run or load as a page: never a link to an editor. */
const UNSAFE_SCHEMES = new Set(['javascript', 'data', 'vbscript', 'blob', 'file', 'http', 'https', 'about']);

/** What is wrong with an editor URL, in a sentence, or null. */
export function editorUrlProblem(url: string): string | null {
  if (url === '') return null;
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(url)?.[1]?.toLowerCase();
  if (!scheme) return 'It must begin with a scheme, such as vscode: or zed:';
  if (UNSAFE_SCHEMES.has(scheme)) return `${scheme}: does not open an editor`;
  if (!url.includes('{path}')) return 'It must hold {path}, the place of the file';
  return null;
}

/** The link that opens a file in the reader's editor, or null where none is set. */
export function editorLink({ editorUrl }: Pick<Preferences, 'editorUrl'>, path: string, line = 1): string | null {
  if (editorUrl === '' || editorUrlProblem(editorUrl) !== null) return null;
  const encoded = path.split('/').map(encodeURIComponent).join('/');
  return editorUrl.replaceAll('{path}', () => encoded).replaceAll('{line}', String(line));
}

/** Reads the cookie's value as the server was given it, percent-decoded; what is not understood is the default. */
export function parsePreferences(cookie: string | undefined): Preferences {
  const preferences: Preferences = { ...DEFAULT_PREFERENCES };
  const fields = new URLSearchParams(cookie);
  const theme = fields.get('theme');
  if (theme === 'light' || theme === 'dark') preferences.theme = theme;
  if (fields.get('palette') === 'colour-blind') preferences.palette = 'colour-blind';
  if (fields.get('shortcuts') === 'off') preferences.shortcuts = false;
  const editorUrl = fields.get('editor');
  if (editorUrl !== null && editorUrlProblem(editorUrl) === null) preferences.editorUrl = editorUrl;
  return preferences;
}

/** The cookie's value, percent-encoded; only what differs from the default stands in it. */
export function formatPreferences(preferences: Preferences): string {
  const fields = new URLSearchParams();
  if (preferences.theme !== 'system') fields.set('theme', preferences.theme);
  if (preferences.palette !== 'standard') fields.set('palette', preferences.palette);
  if (!preferences.shortcuts) fields.set('shortcuts', 'off');
  if (preferences.editorUrl !== DEFAULT_PREFERENCES.editorUrl) fields.set('editor', preferences.editorUrl);
  return encodeURIComponent(fields.toString());
}
