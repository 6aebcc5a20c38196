import fc from 'fast-check';
import { type ParseError, parse } from 'jsonc-parser';
import { describe, expect, it } from 'vitest';
import { wantedEntries } from './agent-settings';
import { SettingsShapeError } from './json-insertion';
import { installedIn, planInstall, planRemoval } from './settings-plan';

const COMMAND = "test ! -x '/data/hooks/claude' || '/data/hooks/claude'";

/** Parses as the agents do, and fails the test where that is not possible. */
function read(text: string): Record<string, unknown> {
  const errors: ParseError[] = [];
  const value = parse(text.replace(/^\ufeff/, ''), errors, { allowTrailingComma: true });
  expect(errors, text).toEqual([]);
  return value as Record<string, unknown>;
}

/** Whether `short` comes out of `long` by deleting characters alone: what was there kept its bytes and its order. */
function isContained(short: string, long: string): boolean {
  let at = 0;
  for (const char of long) if (at < short.length && short.startsWith(char, at)) at += char.length;
  return at === short.length;
}

const FILES: Record<string, string> = {
  absent: '',
  empty: '{}',
  'empty over lines': '{\n}\n',
  'comments alone': '// mine\n',
  'other settings': '{\n  "model": "opus",\n  "permissions": { "allow": ["Bash(ls:*)"] }\n}\n',
  tabs: '{\n\t"model": "opus"\n}\n',
  'windows line ends': '{\r\n  "model": "opus"\r\n}\r\n',
  'byte order mark': '\ufeff{\n  "model": "opus"\n}\n',
  'one line': '{"model":"opus","hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":"x"}]}]}}',
  'no line end': '{\n  "model": "opus"\n}',
  'trailing commas':
    '{\n  "model": "opus",\n  "hooks": {\n    "Stop": [\n      { "hooks": [] }, // mine\n    ],\n  },\n}\n',
  'comments everywhere':
    '/* head */\n{\n  // before\n  "model": "opus", // beside\n  "hooks": { // list\n    /* none yet */\n    "PreToolUse": [ /* empty */ ]\n    // after\n  }\n  // tail\n}\n// end\n',
  'others have hooks':
    '{\n    "hooks": {\n        "PreToolUse": [\n            {\n                "matcher": "Bash",\n                "hooks": [{ "type": "command", "command": "lint" }]\n            }\n        ],\n        "Notification": [ { "hooks": [{ "type": "command", "command": "say" }] } ]\n    },\n    "model": "opus"\n}\n',
  'braces on the same line': '{\n  "hooks": {\n    "PreToolUse": [{\n      "hooks": []\n    }]\n  }\n}\n',
  'odd keys': '{\n  "__proto__": { "x": 1 },\n  "a\\"b": [1, 2],\n  "hooks": {}\n}\n',
};

describe.each(Object.entries(FILES))('a settings file: %s', (_name, before) => {
  const { text, madeKeys } = planInstall(before, 'claude', COMMAND);

  it('gets every hook and keeps every byte of what was there', () => {
    const hooks = read(text).hooks as Record<string, unknown[]>;
    for (const { event, entry } of wantedEntries('claude', COMMAND)) expect(hooks[event]).toContainEqual(entry);
    expect(isContained(before, text)).toBe(true);
    expect(installedIn(text, 'claude', COMMAND)).toBe('yes');
  });

  it('is the same after a second time', () => {
    expect(planInstall(text, 'claude', COMMAND)).toEqual({ text, madeKeys: [] });
  });

  it('means what it meant before once they are taken out', () => {
    const after = planRemoval(text, COMMAND, madeKeys);
    expect(after).not.toContain(COMMAND);
    expect(after.trim() === '' ? {} : read(after)).toEqual(
      before.trim() === '' || _name === 'comments alone' ? {} : read(before),
    );
    expect(installedIn(after, 'claude', COMMAND)).toBe('no');
  });

  it('keeps what others add later', () => {
    const value = read(text) as { hooks: Record<string, unknown[]> };
    value.hooks.Stop?.push({ hooks: [{ type: 'command', command: 'later' }] });
    const after = planRemoval(JSON.stringify(value, null, 2), COMMAND, madeKeys);
    expect((read(after).hooks as Record<string, unknown[]>).Stop?.at(-1)).toEqual({
      hooks: [{ type: 'command', command: 'later' }],
    });
  });
});

describe('what comes out again to the byte', () => {
  const exact = [
    'other settings',
    'tabs',
    'windows line ends',
    'others have hooks',
    'trailing commas',
    'no line end',
    'one line',
  ];
  it.each(exact)('%s', (name) => {
    const before = FILES[name] as string;
    const { text, madeKeys } = planInstall(before, 'claude', COMMAND);
    expect(planRemoval(text, COMMAND, madeKeys)).toBe(before);
  });
});

it('follows the indentation and the line ends of the file', () => {
  expect(planInstall(FILES.tabs as string, 'claude', COMMAND).text).toContain(
    '\n\t"hooks": {\n\t\t"SessionStart": [\n\t\t\t{',
  );
  const windows = planInstall(FILES['windows line ends'] as string, 'claude', COMMAND).text;
  expect(windows.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
});

it('replaces its own entries of an earlier release and nothing else', () => {
  const old = { hooks: [{ type: 'command', command: COMMAND, timeout: 1 }] };
  const theirs = { hooks: [{ type: 'command', command: 'theirs' }] };
  const before = JSON.stringify({ hooks: { Stop: [old, theirs], PreCompact: [old] } }, null, 2);
  expect(installedIn(before, 'claude', COMMAND)).toBe('partly');
  const hooks = read(planInstall(before, 'claude', COMMAND).text).hooks as Record<string, unknown[]>;
  expect(hooks.Stop).toEqual([theirs, { hooks: [{ type: 'command', command: COMMAND, timeout: 5 }] }]);
  expect(hooks.PreCompact).toEqual([]);
});

it('takes its hook out of an entry that somebody else shares', () => {
  const theirs = { type: 'command', command: 'theirs' };
  const before = JSON.stringify({ hooks: { Stop: [{ hooks: [{ type: 'command', command: COMMAND }, theirs] }] } });
  expect(read(planRemoval(before, COMMAND, null))).toEqual({ hooks: { Stop: [{ hooks: [theirs] }] } });
});

it('does not take the hooks of another data folder for its own', () => {
  const other = "test ! -x '/other/hooks/claude' || '/other/hooks/claude'";
  const { text } = planInstall('{}', 'claude', other);
  expect(planRemoval(text, COMMAND, null)).toBe(text);
});

it.each([
  ['broken', '{ "a": ', /not valid JSON \(line 1/],
  ['broken further down', '{\n  "a": 1\n  "b": 2\n}', /not valid JSON \(line 3/],
  ['a list', '[]', /does not hold an object/],
  ['text', 'hello', /not valid JSON/],
  ['hooks as a list', '{"hooks":[]}', /"hooks" in it is no object/],
  ['an event that is no list', '{"hooks":{"PreToolUse":{}}}', /"hooks.PreToolUse" in it is no list/],
  ['hooks as null', '{"hooks":null}', /"hooks" in it is no object/],
])('refuses a file that is %s, and says why', (_what, text, why) => {
  expect(() => planInstall(text, 'claude', COMMAND)).toThrow(SettingsShapeError);
  expect(() => planInstall(text, 'claude', COMMAND)).toThrow(why);
});

it('holds for any settings, however they are written', () => {
  const space = fc.constantFrom('', ' ', '\n', '\n  ', '\t', ' // c\n', ' /* c */ ');
  const json: fc.Arbitrary<string> = fc.letrec<{ value: string }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      fc.constantFrom('null', 'true', '1.5e3', '"text"', '"\\u00e9\\n"', '"// no comment"'),
      fc
        .tuple(fc.array(tie('value'), { maxLength: 3 }), space, fc.boolean())
        .map(
          ([items, gap, trailing]) =>
            `[${gap}${items.join(`${gap},${gap}`)}${gap}${trailing && items.length > 0 ? `,${gap}` : ''}]`,
        ),
      fc
        .tuple(
          fc.uniqueArray(fc.constantFrom('a', 'b', 'é"\\', 'matcher', 'x y'), { maxLength: 3 }),
          fc.infiniteStream(tie('value')),
          space,
          fc.boolean(),
        )
        .map(([keys, values, gap, trailing]) => {
          const members = keys.map((key) => `${JSON.stringify(key)}${gap}:${gap}${values.next().value}`);
          return `{${gap}${members.join(`${gap},${gap}`)}${gap}${trailing && members.length > 0 ? `,${gap}` : ''}}`;
        }),
    ),
  })).value;
  const list = fc
    .tuple(fc.array(json, { maxLength: 2 }), space, fc.boolean())
    .map(
      ([items, gap, trailing]) => `[${gap}${items.join(`,${gap}`)}${trailing && items.length > 0 ? ',' : ''}${gap}]`,
    );
  const file = fc
    .tuple(space, fc.option(json), fc.option(fc.tuple(list, list, space)), space, fc.boolean())
    .map(([gap, other, lists, end, trailing]) => {
      const members = [];
      if (other !== null) members.push(`"other":${gap}${other}`);
      if (lists !== null)
        members.push(`"hooks":${gap}{${gap}"Stop":${lists[0]},${lists[2]}"Notification":${lists[1]}${gap}}`);
      return `${gap}{${gap}${members.join(`${gap},${end}`)}${trailing && members.length > 0 ? ',' : ''}${gap}}${end}`;
    });
  fc.assert(
    fc.property(file, (before) => {
      const { text, madeKeys } = planInstall(before, 'claude', COMMAND);
      const hooks = read(text).hooks as Record<string, unknown[]>;
      for (const { event, entry } of wantedEntries('claude', COMMAND)) expect(hooks[event]).toContainEqual(entry);
      expect(isContained(before, text)).toBe(true);
      expect(read(planRemoval(text, COMMAND, madeKeys))).toEqual(read(before));
    }),
    { numRuns: 400 },
  );
});
