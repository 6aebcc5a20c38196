/** What random sequences found once: each a sequence that a record was wrong about, under the name of what went wrong. */
import { test } from 'vitest';
import type { Act } from '@/lib/testing/random-workspace';
import { checkFolder, checkRepository } from '@/lib/testing/span-check';
import { tempFolder } from '@/lib/testing/temp-workspace';

const write = (path: string, text: string): Act => ({ do: 'write', path, text });
const link = (path: string, to: string): Act => ({ do: 'link', path, to });
const rules = (at: string, ...lines: string[]): Act => ({ do: 'rules', at, rules: lines });
const rename = (path: string, to: string): Act => ({ do: 'rename', path, to });
const git = (...args: string[]): Act => ({ do: 'git', args });

const ofRepository: Record<string, Act[][]> = {
  'a file that went away and came back in a folder ignored since was taken for deleted': [
    [write('d/.env', ''), write('a', '')],
    [rename('d/.env', 'a'), rules('.gitignore', 'd/'), write('a', '')],
    [write('d/.env', ''), { do: 'delete', path: 'a' }],
  ],
  'an ignored link was not watched': [
    [rules('.gitignore', '.env'), write('a', '')],
    [link('.env', 'a')],
    [write('d/y', 'three\n\0')],
  ],
  'a file was looked for beyond the link that its folder had become': [
    [write('d/y', '')],
    [link('d', 'a'), write('a', '')],
    [rules('.gitignore')],
  ],
  'a folder that moved kept the times of its files, and they were taken for old': [
    [rules('d/.gitignore')],
    [rename('d', 'a'), rules('.gitignore')],
    [git('add', '-A')],
  ],
  'other exclude rules made every new file doubtful': [
    [link('a', 'a')],
    [rename('a', '-dash')],
    [rules('.git/info/exclude')],
  ],
  'a file in an ignored folder that also holds a tracked one was expected': [
    [write('d/e/z', ''), git('add', '-A'), rename('a', 'a')],
    [rules('.gitignore', 'd/')],
    [rules('d/.gitignore'), write('a', '')],
  ],
  'a file that was watched for a while was told, and not expected': [
    [link('a', 'a')],
    [rules('.gitignore', '.env'), write('d/.env', '')],
    [write('d/.env', 'three\0'), link('a', 'a')],
  ],
  'a file moved to a name that was ignored before was taken for one that had been there': [
    [rules('.gitignore', '.env'), git('add', '-A')],
    [link('a', 'a')],
    [rules('.gitignore'), rename('a', 'd/.env'), git('add', '-A')],
  ],
};

const ofFolder: Record<string, Act[][]> = {
  'a binary file that became ignored was taken for deleted': [
    [write('a', '')],
    [write('n ame', 'six\n\0'), link('a', 'a')],
    [rules('.gitignore', 'n ame')],
  ],
  'an ignored file that became binary was missed': [
    [link('a', 'a')],
    [rules('.gitignore', '*.log'), write('d/y.log', ''), write('a', '')],
    [write('d/y.log', '++ five\ntwo\0')],
  ],
  'a folder all of whose files are ignored was taken for an ignored one': [
    [write('a', '')],
    [write('d/x', ''), write('a', '')],
    [rules('.gitignore', 'd/*'), { do: 'append', path: 'a', text: '' }],
  ],
  'files of a folder that became ignored were taken for deleted': [
    [write('d/x', '1\n')],
    [rules('.gitignore', 'd/'), write('d/y', '1\n')],
    [write('d/x', '2\n')],
  ],
};

for (const [name, steps] of Object.entries(ofRepository)) {
  test(`a repository: ${name}`, () => checkRepository(tempFolder('random'), steps, { autocrlf: false }));
}
for (const [name, steps] of Object.entries(ofFolder)) {
  test(`a folder: ${name}`, () => checkFolder(tempFolder('random'), steps));
}
