/** What asks for a second look is marked, by the whole name and nothing less. */
import { describe, expect, it } from 'vitest';
import { changedFile } from '@/lib/testing/changed-file';
import { attentionMarks, generatedReason } from './file-marks';

const words = (facts: Parameters<typeof changedFile>[0]) => attentionMarks(changedFile(facts)).map(({ word }) => word);

describe('Attention', () => {
  it.each([
    ['.env', ['secrets']],
    ['app/.env.production', ['secrets']],
    ['deploy/id_ed25519', ['secrets']],
    ['.gitignore', ['ignore rules']],
    ['pkg/.gitattributes', ['ignore rules']],
    ['.husky/pre-commit', ['hook']],
    ['.claude/settings.local.json', ['hook']],
    ['.github/workflows/ci.yml', ['CI']],
    ['.gitlab-ci.yml', ['CI']],
    ['src/environment.ts', []],
    ['docs/env.md', []],
    ['src/hooks/use-x.ts', []],
    ['src/keys.ts', []],
  ])('%s', (path, expected) => {
    expect(words({ path })).toEqual(expected);
  });

  it('is asked for a program that could not be run before', () => {
    expect(words({ path: 'run.sh', modeAfter: '100755' })).toEqual(['executable']);
    expect(words({ path: 'run.sh', changeType: 'added', modeAfter: '100755' })).toEqual(['executable']);
    expect(words({ path: 'run.sh', modeBefore: '100755', modeAfter: '100755' })).toEqual([]);
    expect(words({ path: 'run.sh', modeBefore: '100755', modeAfter: '100644' })).toEqual([]);
  });

  it('is asked for a rename away from such a name too', () => {
    expect(words({ path: 'notes.txt', oldPath: '.env', changeType: 'renamed' })).toEqual(['secrets']);
  });
});

describe('Generated files', () => {
  it.each([
    ['package-lock.json', 'lock file'],
    ['app/Cargo.lock', 'lock file'],
    ['dist/app.min.js', 'minified'],
    ['x/__snapshots__/a.snap', 'test snapshot'],
    ['api/service.pb.go', 'generated'],
    ['src/lock.ts', null],
    ['package.json', null],
  ])('%s', (path, reason) => {
    expect(generatedReason(path)).toBe(reason);
  });
});
