import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createTerminalText } from './terminal-text';

function page(...pieces: string[]): string {
  const text = createTerminalText();
  const complete = pieces.map((piece) => text.write(piece)).join('');
  return complete + text.line;
}

test.each([
  ['plain text', 'one\ntwo', 'one\ntwo'],
  ['colours', '\u001b[1;31mred\u001b[0m and \u001b[38;2;1;2;3mtrue colour\u001b[m', 'red and true colour'],
  ['a title and a link', '\u001b]0;title\u0007a \u001b]8;;https://x.test\u001b\\link\u001b]8;;\u001b\\', 'a link'],
  ['device control', 'a\u001bP1$r0m\u001b\\b', 'ab'],
  ['line ends of Windows', 'one\r\ntwo\r\n', 'one\ntwo\n'],
  ['progress by carriage return', '10%\r50%\r100%\ndone\n', '100%\ndone\n'],
  ['progress that ends in a return', '10%\r100%\r', '100%'],
  ['progress by erased lines', '\u001b[2K\u001b[1Gone\u001b[2K\u001b[1Gtwo\n', 'two\n'],
  ['bold of man', 'N\bNA\bAM\bME\bE', 'NAME'],
  ['a wide backspace', 'abc\b\b\bX', 'X'],
  ['backspaces with nothing before them', '\b\bx\n\by', 'x\ny'],
  ['bells and nulls', 'a\u0007b\u0000c', 'abc'],
  ['tabs', 'a\tb', 'a\tb'],
])('%s', (_, written, shown) => {
  expect(page(written)).toBe(shown);
});

test('a sequence that is cut between two pieces is not shown', () => {
  expect(page('a\u001b', '[31', 'mb\u001b]0;ti', 'tle\u001b', '\\c')).toBe('abc');
  expect(page('50%\r', '60%\r', '\n')).toBe('60%\n');
});

test('an escape that never ends does not swallow the rest', () => {
  expect(page(`\u001b]0;${'x'.repeat(10_000)}`, 'y\n')).toContain('y\n');
});

test('however a text is made and cut, the page holds no control character', () => {
  const alphabet = fc.constantFrom(
    'a',
    'b',
    '\n',
    '\r',
    '\t',
    '\u001b',
    '[',
    '1',
    ';',
    'm',
    'K',
    'G',
    ']',
    '\u0007',
    '\\',
  );
  fc.assert(
    fc.property(
      fc.array(
        fc.array(alphabet, { maxLength: 8 }).map((chars) => chars.join('')),
        { maxLength: 8 },
      ),
      (pieces) => {
        const shown = page(...pieces);
        // biome-ignore lint/suspicious/noControlCharactersInRegex: that none is left is what this checks
        expect(shown).not.toMatch(/[\u0000-\u0008\u000b-\u001f]/);
      },
    ),
  );
});
