import { expect, test } from 'vitest';
import { readOptions } from './options';

test('every option is read', () => {
  expect(readOptions(['--quick', '--json=/x=y.json', '--only=T1, G18', '--only=R4', '--keep', '--list'])).toEqual({
    isQuick: true,
    json: '/x=y.json',
    only: ['T1', 'G18', 'R4'],
    isList: true,
    keep: true,
    isHelp: false,
  });
});

test('what is no option is named', () => {
  for (const arg of ['--fast', '--json', '--only=', 'T1']) expect(() => readOptions([arg])).toThrow(arg);
});
