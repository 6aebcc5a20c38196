/** Secrets do not leave; everything else does, line for line. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isTelling, MASK, maskHunks, maskPatch, maskRanges, maskText, secretsIn } from './masking';
import { findSecrets, isSecretFile, secretPart } from './secret-patterns';

const scan = async (text: string) => findSecrets(text);
const PLAIN = { everyValue: false, known: [] };

const found = (text: string) => findSecrets(text).map(({ from, to }) => text.slice(from, to));

describe('A secret is told by its shape', () => {
  it.each([
    ['aws_access_key_id = AKIAIOSFODNN7EXAMPLE', 'AKIAIOSFODNN7EXAMPLE'],
    ['aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY', 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY'],
    ['const password = "hunter2!";', 'hunter2!'],
    ["  apiKey: 'abcdef0123456789',", 'abcdef0123456789'],
    ['API_TOKEN=a1b2c3d4e5f6g7h8', 'a1b2c3d4e5f6g7h8'],
    ['{"client_secret": "s3cr3t-value"}', 's3cr3t-value'],
    ['Authorization: Bearer abcdefghijklmnop1234', 'abcdefghijklmnop1234'],
    ['postgres://app:pa55word@db/x', 'pa55word'],
    ['sk_live_0123456789abcdefXYZ', 'sk_live_0123456789abcdefXYZ'],
  ])('%s', (text, secret) => {
    expect(found(text)).toContain(secret);
  });

  it.each([
    'const token = getToken(request);',
    'password: string;',
    'secret: process.env.SECRET,',
    't("auth.token.expired")',
    'placeholder="Enter your password"',
    'password = "$PASSWORD"',
    'https://example.com:8080/path@2',
    'tokenCount = 12;',
  ])('and %s is none', (text) => {
    expect(found(text)).toEqual([]);
  });

  it('also where a key is wrapped over lines, or only its middle is there', () => {
    const body = 'MIIEpAIBAAKCAQEA04up8hoqzS1+APIB0RhjXyObwHQnOzhAk5Bd7mhkSbPkyhP1';
    const key = `-----BEGIN RSA PRIVATE KEY-----\n${body}\nshort==\n-----END RSA PRIVATE KEY-----`;
    expect(found(`a\n${key}\nb`).join('\n')).toBe(key);
    expect(found(`${body}\n${body}\nplain text`)).toEqual([body, body]);
    expect(found(`one\n${body}\ntwo`)).toEqual([]);
  });

  it('in time that does not grow out of hand with one endless line', () => {
    for (const line of [
      'x'.repeat(400_000),
      'token'.repeat(80_000),
      `${'a.'.repeat(200_000)}://`,
      'eyJ'.repeat(100_000),
    ]) {
      expect(findSecrets(line).every(({ to }) => to <= line.length)).toBe(true);
    }
  });
});

describe('Files of secrets', () => {
  it.each(['.env', 'a/.env.local', 'id_rsa', 'x/server.pem', 'config/secrets.yml'])('%s', (path) => {
    expect(isSecretFile(path)).toBe(true);
  });
  it.each(['src/env.ts', 'environment.md', 'keys.ts', '.environment'])('not %s', (path) => {
    expect(isSecretFile(path)).toBe(false);
  });
  it.each([
    ['KEY=value', 'value'],
    ['export KEY="va lue"', '"va lue"'],
    ['# OLD=value', 'value'],
    ['  "name": "value",', '"value",'],
    ['just a line', 'just a line'],
    ['# a comment', null],
    ['', null],
    ['  },', null],
    ['"nested": {', null],
  ])('%j', (line, hidden) => {
    const part = secretPart(line);
    expect(part && line.slice(part.from, part.to)).toBe(hidden);
  });
});

describe('Masking', () => {
  it('replaces ranges, joining those that touch', () => {
    expect(
      maskRanges('abcdef', [
        { from: 1, to: 3 },
        { from: 2, to: 4 },
      ]),
    ).toBe(`a${MASK}ef`);
    expect(maskRanges('abc', [{ from: 0, to: 3 }])).toBe(MASK);
    expect(
      maskRanges('abc', [
        { from: 0, to: 1 },
        { from: 2, to: 3 },
      ]),
    ).toBe(`${MASK}b${MASK}`);
    expect(maskRanges('abc', [])).toBe('abc');
  });

  it('leaves no character of any range, and every other', () => {
    const range = fc
      .tuple(fc.nat({ max: 30 }), fc.nat({ max: 30 }))
      .map(([a, b]) => ({ from: Math.min(a, b), to: Math.max(a, b) }));
    fc.assert(
      fc.property(fc.array(range, { maxLength: 6 }), (ranges) => {
        const text = 'abcdefghijklmnopqrstuvwxyz01234';
        const kept = [...text].filter((_, at) => !ranges.some(({ from, to }) => at >= from && at < to)).join('');
        expect(maskRanges(text, ranges).replaceAll(MASK, '')).toBe(kept);
      }),
    );
  });

  it('reads each side of a patch as it stood', async () => {
    const patch = [
      'diff --git a/k b/k',
      'index 3594e94..8baef1b 100644',
      '--- a/k',
      '+++ b/k',
      '@@ -1,3 +1,6 @@ password = "s3cretvalue"',
      ' start',
      '+-----BEGIN PRIVATE KEY-----',
      '-removed in between',
      '+AAAA',
      '+-----END PRIVATE KEY-----',
      ' const token = "abc123def456";',
      '+end',
      '\\ No newline at end of file',
      '',
    ].join('\n');
    const { value, counts } = await maskPatch(patch, scan, PLAIN);
    expect(value.split('\n')).toEqual([
      'diff --git a/k b/k',
      'index 0000000..0000000 100644',
      '--- a/k',
      '+++ b/k',
      `@@ -1,3 +1,6 @@ password = "${MASK}"`,
      ' start',
      `+${MASK}`,
      '-removed in between',
      `+${MASK}`,
      `+${MASK}`,
      ` const token = "${MASK}";`,
      '+end',
      '\\ No newline at end of file',
      '',
    ]);
    expect(Object.fromEntries(counts)).toEqual({ 'private key': 3, 'assigned secret': 1 });
  });

  it('takes a removed line that looks like a header for a line', async () => {
    const patch = '@@ -1,2 +1 @@\n--- password = "s3cretvalue"\n a\n';
    expect((await maskPatch(patch, scan, PLAIN)).value).toBe(`@@ -1,2 +1 @@\n--- password = "${MASK}"\n a\n`);
  });

  it('hides every value of a file of secrets', async () => {
    const patch = '@@ -1,2 +1,3 @@\n # comment\n-A=1\n+A=2\n+B=true\n';
    const { value } = await maskPatch(patch, scan, { everyValue: true, known: [] });
    expect(value).toBe(`@@ -1,2 +1,3 @@\n # comment\n-A=${MASK}\n+A=${MASK}\n+B=${MASK}\n`);
  });

  it('hides a secret wherever else it stands', async () => {
    const known = await secretsIn('password = "c0rrect-horse"', scan);
    expect(known).toEqual(['c0rrect-horse']);
    const { value, counts } = await maskText('I set it to c0rrect-horse, see c0rrect-horse.', scan, known);
    expect(value).toBe(`I set it to ${MASK}, see ${MASK}.`);
    expect(counts.get('secret found elsewhere')).toBe(2);
    const hunks = [
      {
        oldStart: 1,
        oldLines: 0,
        newStart: 1,
        newLines: 1,
        lines: [{ type: 'added' as const, text: 'x c0rrect-horse y' }],
      },
    ];
    expect((await maskHunks(hunks, scan, { everyValue: false, known })).value[0]!.lines[0]!.text).toBe(`x ${MASK} y`);
  });

  it('keeps the number of lines of any patch', async () => {
    const line = fc.constantFrom(
      ' a',
      '+token = "abc123def456"',
      '-KEY=v4lue4567890',
      '@@ -1 +1 @@',
      '\\ No',
      '',
      '--- x',
      'diff --git a/x b/x',
    );
    await fc.assert(
      fc.asyncProperty(fc.array(line, { maxLength: 20 }), fc.boolean(), async (lines, everyValue) => {
        const { value } = await maskPatch(lines.join('\n'), scan, { everyValue, known: [] });
        expect(value.split('\n')).toHaveLength(Math.max(1, lines.length));
      }),
    );
  });

  it('does not look for ordinary words', () => {
    expect(['production', '12345678', 'http://localhost:3000', 'src/index/file', 'short1'].filter(isTelling)).toEqual(
      [],
    );
    expect(['hunter2hunter2', 'wJalrXUtnFEMI/K7MDENG', 'correct-horse-9'].every(isTelling)).toBe(true);
  });
});
