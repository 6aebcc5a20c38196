import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const css = readFileSync(new URL('./globals.css', import.meta.url), 'utf8');

/** Tokens of one selector, per theme. */
function tokensOf(selector: string, theme: 'light' | 'dark'): Map<string, string> {
  const start = css.indexOf(`${selector} {`);
  const block = css.slice(start, css.indexOf('\n}', start));
  const found = new Map<string, string>();
  for (const [, name, light, dark] of block.matchAll(/(--[\w-]+): light-dark\((#\w+), (#\w+)\)/g)) {
    found.set(name as string, (theme === 'light' ? light : dark) as string);
  }
  return found;
}

function luminance(hex: string): number {
  const [r, g, b] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(a: string, b: string): number {
  const [dark, light] = [luminance(a), luminance(b)].sort((x, y) => x - y) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

const GROUNDS = ['--bg', '--surface', '--sunk'];
const LINES = ['--surface', '--add-bg', '--del-bg'];
const TEXTS: [string, string[]][] = [
  ['--ink', [...GROUNDS, '--hover', '--accent-soft', '--add-bg', '--del-bg', '--add-mark', '--del-mark', '--warn-bg']],
  ['--ink-2', [...GROUNDS, '--hover', '--accent-soft']],
  ['--ink-3', [...GROUNDS, '--hover', '--add-bg', '--del-bg', '--accent-soft']],
  ['--accent', [...GROUNDS, '--accent-soft', '--hover']],
  ['--add', [...GROUNDS, '--hover', '--add-bg']],
  ['--del', [...GROUNDS, '--hover', '--del-bg']],
  ['--ren', [...GROUNDS, '--hover']],
  ['--mod', [...GROUNDS, '--hover']],
  ['--warn', [...GROUNDS, '--warn-bg']],
  ['--accent-ink', ['--accent']],
  ...['keyword', 'string', 'number', 'comment', 'title'].map((name): [string, string[]] => [`--code-${name}`, LINES]),
];

describe.each([
  ['light', ''],
  ['dark', ''],
  ['light', 'colour-blind'],
  ['dark', 'colour-blind'],
] as const)('tokens, %s %s', (theme, palette) => {
  const tokens = tokensOf(':root', theme);
  if (palette !== '') {
    for (const [name, value] of tokensOf(`:root[data-palette="${palette}"]`, theme)) tokens.set(name, value);
  }

  it('keeps every text at 4.5:1 on every ground it stands on', () => {
    const weak: string[] = [];
    for (const [text, grounds] of TEXTS) {
      for (const ground of grounds) {
        const ratio = contrast(tokens.get(text) as string, tokens.get(ground) as string);
        if (!(ratio >= 4.5)) weak.push(`${text} on ${ground}: ${ratio.toFixed(2)}`);
      }
    }
    expect(weak).toEqual([]);
  });

  it('keeps the borders of controls and the focus ring at 3:1', () => {
    for (const mark of ['--line-control', '--accent']) {
      for (const ground of GROUNDS) {
        expect(
          contrast(tokens.get(mark) as string, tokens.get(ground) as string),
          `${mark} on ${ground}`,
        ).toBeGreaterThanOrEqual(3);
      }
    }
  });
});
