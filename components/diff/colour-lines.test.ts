/** Colours and marks never change what a line says. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { colourLines } from './colour-lines';
import { LINE_CHARACTERS, type Piece } from './drawn-lines';
import { languageOf } from './language';
import { markWords } from './word-marks';

const CODE = [
  'const a = `one $two three`;',
  '/* not closed',
  "return 'x' + 12;",
  '',
  '  if (a < b && c) { // why',
  'class A extends B<C> {}',
  '"quote',
  '\ttabs\tand \u202e bidi',
  'é 日本語 👩‍👩‍👧',
];

function textOf(pieces: Piece[]): string {
  return pieces
    .filter(({ kind }) => kind !== 'more')
    .map(({ text }) => text)
    .join('');
}

describe('Coloured lines', () => {
  it.each(['typescript', 'python', 'markup', 'json', 'bash', null])('of %s say what they said', (language) => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.constantFrom(...CODE), fc.constantFrom(0, 1, 2)), { maxLength: 12 }),
        (drawn) => {
          const texts = drawn.map(([text]) => text);
          const types = Uint8Array.from(drawn, ([, type]) => type);
          const lines = colourLines({ language, hunks: [{ texts, types }] });
          expect(lines).toHaveLength(texts.length);
          for (const [at, pieces] of lines.entries()) if (pieces) expect(textOf(pieces)).toBe(texts[at]);
        },
      ),
      { numRuns: 30 },
    );
  });

  it('colour both sides as they stood: what was removed does not run into what follows', () => {
    const texts = ['const a = 1;', '/* removed, never closed', 'const b = 2;'];
    const [first, removed, last] = colourLines({
      language: 'typescript',
      hunks: [{ texts, types: Uint8Array.from([0, 2, 0]) }],
    });
    expect(first?.[0]).toMatchObject({ text: 'const', kind: 'k' });
    expect(removed?.[0]?.kind).toBe('c');
    expect(last?.[0]).toMatchObject({ text: 'const', kind: 'k' });
  });

  it('cut a line that is too long and say how much is left', () => {
    const [pieces] = colourLines({ language: null, hunks: [{ texts: ['x'.repeat(5000)], types: Uint8Array.of(1) }] });
    expect(textOf(pieces!)).toHaveLength(LINE_CHARACTERS);
    expect(pieces!.at(-1)).toEqual({ text: '3000', kind: 'more', edit: false });
  });

  it('set every odd character apart', () => {
    const [pieces] = colourLines({ language: null, hunks: [{ texts: ['a\u202eb\u200b'], types: Uint8Array.of(0) }] });
    expect(pieces!.map(({ text, kind }) => [text, kind])).toEqual([
      ['a', ''],
      ['\u202e', 'odd'],
      ['b', ''],
      ['\u200b', 'odd'],
    ]);
  });
});

describe('Word marks', () => {
  const marked = (before: string[], after: string[]) => {
    const { removed, added } = markWords(before, after);
    const words = (lines: string[], ranges: { from: number; to: number }[][]) =>
      lines.map((line, at) => ranges[at]!.map(({ from, to }) => line.slice(from, to)));
    return { removed: words(before, removed), added: words(after, added) };
  };

  it('are what differs between the lines', () => {
    expect(marked(['await login(form.user)'], ['await createToken(form)'])).toEqual({
      removed: [['login', '.user']],
      added: [['createToken']],
    });
  });

  it('find the line that stayed when others came', () => {
    expect(marked(['let total = sum(a);'], ['// new', 'let total = sum(a, b);']).added).toEqual([[], [', b']]);
  });

  it('leave alone lines that differ as a whole', () => {
    expect(marked(['alpha beta'], ['gamma delta epsilon']).added).toEqual([[]]);
  });

  it('show a change of nothing but blanks', () => {
    expect(marked(['  return 1;'], ['    return 1;']).added).toEqual([['    ']]);
  });

  it('do not try blocks and lines that are too long', () => {
    expect(marked(['x '.repeat(600)], ['x '.repeat(601)]).added).toEqual([[]]);
    const many = Array.from({ length: 150 }, (_, at) => `line ${at}`);
    expect(
      marked(
        many,
        many.map((line) => `${line}!`),
      ).added.flat(),
    ).toEqual([]);
  });
});

describe('Languages', () => {
  it.each([
    ['src/a.ts', 'typescript'],
    ['a/b/Component.TSX', 'tsx'],
    ['Dockerfile', 'docker'],
    ['.env.local', 'bash'],
    ['x/Makefile', 'makefile'],
    ['a.unknown', null],
    ['constructor', null],
    ['x.__proto__', null],
    ['no-extension', null],
  ])('%s is %s', (path, language) => {
    expect(languageOf(path)).toBe(language);
  });
});
