import { describe, expect, it } from 'vitest';
import {
  DEFAULT_PREFERENCES,
  editorLink,
  editorUrlProblem,
  formatPreferences,
  type Preferences,
  parsePreferences,
} from './preferences';

describe('preferences', () => {
  it('survive the cookie', () => {
    const chosen: Preferences = {
      theme: 'dark',
      palette: 'colour-blind',
      shortcuts: false,
      editorUrl: 'idea://open?file={path}&line={line};x=%20',
    };
    const cookie = formatPreferences(chosen);
    expect(cookie).not.toMatch(/[;,\s"]/);
    expect(parsePreferences(decodeURIComponent(cookie))).toEqual(chosen);
    expect(parsePreferences(decodeURIComponent(formatPreferences({ ...chosen, editorUrl: '' }))).editorUrl).toBe('');
    expect(formatPreferences({ ...DEFAULT_PREFERENCES })).toBe('');
  });

  it.each([undefined, '', '%', '%E0%A4%A', 'theme=purple&palette=x', 'editor=javascript:1%7Bpath%7D'])(
    'fall back to the default for the cookie %s',
    (cookie) => expect(parsePreferences(cookie)).toEqual(DEFAULT_PREFERENCES),
  );

  it.each([
    ['', null],
    ['vscode://file{path}:{line}', null],
    ['zed://file{path}', null],
    ['editor', 'scheme'],
    ['JavaScript:alert({path})', 'javascript'],
    ['https://example.org/{path}', 'https'],
    ['vscode://file/', '{path}'],
  ])('judge the editor URL %s', (url, problem) => {
    if (problem === null) expect(editorUrlProblem(url)).toBeNull();
    else expect(editorUrlProblem(url)).toContain(problem);
  });

  it('make a link that keeps every name a name', () => {
    expect(editorLink(DEFAULT_PREFERENCES, '/tmp/a b/$&#?.ts', 12)).toBe('vscode://file/tmp/a%20b/%24%26%23%3F.ts:12');
    expect(editorLink({ editorUrl: '' }, '/a')).toBeNull();
    expect(editorLink({ editorUrl: 'data:{path}' }, '/a')).toBeNull();
  });
});
