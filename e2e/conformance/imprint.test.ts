import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { tempFolder, tempRepository } from '@/lib/testing/temp-workspace';
import { imprintDifferences, takeImprint } from './imprint';

/** What an imprint finds after `act`, paths relative to the folder. */
function found(folder: string, act: () => void, gitOnly = false): string[] {
  const before = takeImprint([folder], { gitOnly });
  act();
  return imprintDifferences(before, takeImprint([folder], { gitOnly })).map((line) => line.replace(`${folder}/`, ''));
}

describe('an imprint finds', () => {
  test('nothing where nothing was touched, whatever is read', () => {
    const repo = tempRepository({ a: '1\n' });
    expect(found(repo, () => execFileSync('git', ['--no-optional-locks', 'log', '-p'], { cwd: repo }))).toEqual([]);
  });

  test('a file that was there for a moment only', () => {
    const repo = tempRepository({ a: '1\n' });
    const lock = join(repo, '.git', 'index.lock');
    const differences = found(repo, () => {
      writeFileSync(lock, '');
      rmSync(lock);
    });
    expect(differences).toEqual([expect.stringMatching(/^\.git: mtime [\d:.]+ → [\d:.]+$/)]);
  });

  test('a time that was moved, a mode, a new file, one that is gone, a link that leads elsewhere', () => {
    const folder = tempFolder();
    for (const name of ['time', 'mode', 'gone']) writeFileSync(join(folder, name), '');
    symlinkSync('one', join(folder, 'link'));
    const differences = found(folder, () => {
      utimesSync(join(folder, 'time'), 1, 1);
      chmodSync(join(folder, 'mode'), 0o755);
      rmSync(join(folder, 'gone'));
      rmSync(join(folder, 'link'));
      symlinkSync('two', join(folder, 'link'));
      writeFileSync(join(folder, 'new'), '');
    });
    const names = differences.map((line) => line.split(/[: ]/)[0]);
    for (const name of ['time', 'mode', 'gone', 'link', 'new']) expect(names).toContain(name);
  });

  test('bytes of a ref that changed under the same size and time', () => {
    const repo = tempRepository({ a: '1\n' });
    const path = join(repo, '.git', 'ORIG_HEAD');
    writeFileSync(path, 'a'.repeat(40));
    utimesSync(path, 5, 5);
    const differences = found(repo, () => {
      writeFileSync(path, 'b'.repeat(40));
      utimesSync(path, 5, 5);
    });
    expect(differences.join()).toMatch(/\.git\/ORIG_HEAD: .*sha1/);
  });

  test('git directories alone where that is asked, nested ones too', () => {
    const repo = tempRepository({ a: '1\n' });
    mkdirSync(join(repo, 'n', '.git'), { recursive: true });
    expect(found(repo, () => writeFileSync(join(repo, 'a'), '2\n'), true)).toEqual([]);
  });
});
