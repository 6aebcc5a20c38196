import fc from 'fast-check';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import ReactMarkdown from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { expect, test } from 'vitest';
import { markdownBlocks } from './markdown-blocks';

const html = (text: string) =>
  renderToStaticMarkup(createElement(ReactMarkdown, { remarkPlugins: [remarkGfm] }, text)).replace(/\s+/g, ' ');

test('paragraphs, headings and fences are blocks of their own', () => {
  expect(markdownBlocks('# Title\n\nOne.\nTwo.\n\n```js\na\n\nb\n```\n\nEnd')).toEqual([
    '# Title\n\n',
    'One.\nTwo.\n\n',
    '```js\na\n\nb\n```\n\n',
    'End',
  ]);
});

test('what goes on after a blank line stays together', () => {
  expect(markdownBlocks('1. a\n\n2. b\n\n   more\n\nEnd')).toEqual(['1. a\n\n2. b\n\n   more\n\n', 'End']);
  expect(markdownBlocks('See [x].\n\n[x]: https://example.org\n')).toHaveLength(1);
});

test('cut into blocks or whole, the page is the same', () => {
  const piece = fc.constantFrom(
    '# h',
    'text *em* `code`',
    '- item',
    '1. item',
    '  indented',
    '    code',
    '```js',
    '```',
    '> quote',
    '| a | b |\n|---|---|\n| 1 | 2 |',
    '---',
    '',
    '',
    '<b>raw</b>',
    '[x]: https://example.org',
    '~~~',
    '\tTab',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 14 }), (pieces) => {
      const text = pieces.join('\n');
      const blocks = markdownBlocks(text);
      expect(blocks.join('')).toBe(text);
      expect(blocks.map(html).join(' ').replace(/\s+/g, ' ').trim()).toBe(html(text).trim());
    }),
    { numRuns: 500 },
  );
});
