import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { DEFAULT_LIMITS, type Limits } from './limits';
import { limitVariable, parseSettings, SettingsError } from './settings';
import { VERSION } from './version';

const parse = (env: Record<string, string>) => parseSettings({ env, platform: 'linux', home: '/home/me' });

describe('parseSettings', () => {
  it('has a default for everything', () => {
    expect(parse({})).toMatchObject({
      host: '127.0.0.1',
      port: 4777,
      dataDir: '/home/me/.local/share/tidemark',
      limits: DEFAULT_LIMITS,
    });
    expect(parseSettings({ env: {}, platform: 'darwin', home: '/Users/me' }).dataDir).toBe(
      '/Users/me/Library/Application Support/Tidemark',
    );
  });

  it.each([
    ['TIDEMARK_PORT', '70000'],
    ['TIDEMARK_PORT', 'http'],
    ['TIDEMARK_DATA_DIR', 'relative'],
    ['TIDEMARK_TOKEN', 'short'],
    ['TIDEMARK_PUBLIC_URL', 'javascript:alert(1)'],
    ['TIDEMARK_WORKSPACE_ROOTS', '/ok:relative'],
    ['TIDEMARK_NAMES_ONLY', 'perhaps'],
    ['TIDEMARK_LIMIT_PATCH_BYTES', '-1'],
    ['TIDEMARK_LIMIT_PATCH_BYTES', '0'],
    ['TIDEMARK_LIMIT_NO_SUCH', '1'],
  ])('refuses %s=%s and names it', (name, value) => {
    expect(() => parse({ [name]: value })).toThrow(SettingsError);
    expect(() => parse({ [name]: value })).toThrow(name);
  });

  it('reads lists, limits and flags', () => {
    const settings = parse({
      TIDEMARK_WORKSPACE_ROOTS: '/a:/b',
      TIDEMARK_ALLOWED_HOSTS: 'one, two',
      TIDEMARK_PRIVATE_PATHS: '*.pem,secrets/',
      TIDEMARK_NAMES_ONLY: '1',
      TIDEMARK_LIMIT_GIT_MS: '5000',
      TIDEMARK_PUBLIC_URL: 'https://x.example/',
    });
    expect(settings).toMatchObject({
      workspaceRoots: ['/a', '/b'],
      allowedHosts: ['one', 'two'],
      privatePaths: ['*.pem', 'secrets/'],
      namesOnly: true,
      publicUrl: 'https://x.example',
    });
    expect(settings.limits.gitMs).toBe(5000);
  });
});

describe('what is written of the settings', () => {
  const example = readFileSync('.env.example', 'utf8');
  const readme = readFileSync('README.md', 'utf8');

  it('names every limit with its default in the example', () => {
    for (const key of Object.keys(DEFAULT_LIMITS) as (keyof Limits)[]) {
      expect(example).toContain(`# ${limitVariable(key)}=${DEFAULT_LIMITS[key]}\n`);
      expect(readme).toContain(limitVariable(key).replace('TIDEMARK_LIMIT_', ''));
    }
  });

  it('names every other setting in the example and the README', () => {
    const source = readFileSync('lib/domain/settings.ts', 'utf8') + readFileSync('lib/domain/data-folder.ts', 'utf8');
    const names = new Set([...source.matchAll(/TIDEMARK_[A-Z_]+[A-Z]/g)].map(([name]) => name));
    names.delete('TIDEMARK_LIMIT');
    names.delete('TIDEMARK_LIMIT_SCAN_FILES');
    for (const name of names) {
      expect(example).toContain(`# ${name}=`);
      expect(readme).toContain(`\`${name}\``);
    }
  });

  it('has one version', () => {
    expect(JSON.parse(readFileSync('package.json', 'utf8')).version).toBe(VERSION);
  });
});
