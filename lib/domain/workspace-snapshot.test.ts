import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  compareSnapshots,
  type FileStat,
  headHash,
  loadSnapshot,
  saveSnapshot,
  type WorkspaceSnapshot,
  workspaceSnapshot,
} from './workspace-snapshot';

const bytes = (text: string) => new TextEncoder().encode(text);

function snapshot(files: Record<string, Partial<FileStat>>, at = 0): WorkspaceSnapshot {
  return workspaceSnapshot(
    Object.entries(files).map(([path, stat]) => ({ path, size: 1, mtimeNs: 1n, headHash: 1n, ...stat })),
    at,
  );
}

it('tells what was added, changed and removed (seed 003)', () => {
  const before = snapshot({
    'a.txt': { size: 5, headHash: headHash(bytes('hello')) },
    'b.txt': { size: 5, headHash: headHash(bytes('world')) },
  });
  const after = snapshot({
    'a.txt': { size: 7, headHash: headHash(bytes('changed')) },
    'c.txt': { size: 3, headHash: headHash(bytes('new')) },
  });
  expect(compareSnapshots(before, after)).toEqual({
    added: ['c.txt'],
    changed: ['a.txt'],
    removed: ['b.txt'],
    isDrift: true,
  });
  expect(compareSnapshots(before, before)).toEqual({ added: [], changed: [], removed: [], isDrift: false });
});

it('comes back from its JSON as it was (seed 003)', () => {
  const one = snapshot({ 'x.rs': { size: 3, mtimeNs: 42n, headHash: 7n } }, Date.UTC(2026, 0, 1));
  expect(saveSnapshot(one)).toBe(
    '{\n  "files": {\n    "x.rs": {"size": 3, "mtime_ns": 42, "head_hash": 7}\n  },\n  "captured_at": "2026-01-01T00:00:00.000Z"\n}\n',
  );
  expect(loadSnapshot(saveSnapshot(one))).toEqual(one);
  // As the seed's own program writes it.
  expect(
    loadSnapshot('{"files":{"x.rs":{"size":3,"mtime_ns":42,"head_hash":7}},"captured_at":"2026-01-01T00:00:00Z"}'),
  ).toMatchObject({
    files: one.files,
  });
});

it('loses nothing, whatever the names and however large the numbers', () => {
  const stat = fc.record({
    size: fc.maxSafeNat(),
    mtimeNs: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
    headHash: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
  });
  const name = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom('"1234567890123456789"', '__proto__', 'a: 12345678901234567890', '\\', ''),
  );
  fc.assert(
    fc.property(fc.uniqueArray(fc.tuple(name, stat), { selector: ([path]) => path, maxLength: 8 }), (entries) => {
      const one = workspaceSnapshot(
        entries.map(([path, facts]) => ({ path, ...facts })),
        1_700_000_000_000,
      );
      const text = saveSnapshot(one);
      expect(loadSnapshot(text)).toEqual(one);
      expect(Object.keys(JSON.parse(text).files)).toHaveLength(entries.length);
      expect([...one.files.keys()]).toEqual([...one.files.keys()].toSorted());
      expect(compareSnapshots(one, loadSnapshot(text)).isDrift).toBe(false);
    }),
  );
});

it('hashes as FNV-1a does, and no more than the first 4,096 bytes', () => {
  const slow = (data: Uint8Array) =>
    data
      .slice(0, 4096)
      .reduce((hash, byte) => BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n), 0xcbf29ce484222325n);
  expect(headHash(new Uint8Array())).toBe(0xcbf29ce484222325n);
  expect(headHash(bytes('a'))).toBe(0xaf63dc4c8601ec8cn);
  expect(headHash(bytes('foobar'))).toBe(0x85944171f73967e8n);
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 64 }), (data) => {
      expect(headHash(data)).toBe(slow(data));
    }),
  );
  const long = new Uint8Array(5000).map((_, at) => at);
  expect(headHash(long)).toBe(slow(long));
});

it.each([
  ['', 'is not JSON'],
  ['[]', 'body'],
  ['{"files":{}}', 'captured_at'],
  ['{"files":{"a":{"size":-1,"mtime_ns":1,"head_hash":1}},"captured_at":"2026-01-01T00:00:00Z"}', 'files.a.size'],
  ['{"files":{"a":{"size":1,"mtime_ns":1.5,"head_hash":1}},"captured_at":"2026-01-01T00:00:00Z"}', 'files.a.mtime_ns'],
  [
    '{"files":{"a":{"size":1,"mtime_ns":1,"head_hash":18446744073709551616}},"captured_at":"2026-01-01T00:00:00Z"}',
    'files.a.head_hash',
  ],
  ['{"files":{},"captured_at":"yesterday"}', 'captured_at'],
])('refuses %s, and says what is wrong', (text, what) => {
  expect(() => loadSnapshot(text)).toThrow(what);
});
