/** Makes clones that are behind their origin, by many commits and in no time. */
import { mustRun } from '../commands';
import type { Place } from '../place';
import type { Stage } from '../stage';

export interface Behind {
  clone: Place;
  /** The bare repository that the clone pulls from. */
  origin: string;
}

/** A clone that holds `a`, `b` and `other`, behind its origin by `commits`, each of which changes one file of its own. */
export async function cloneBehind(t: Stage, commits: number): Promise<Behind> {
  const seed = await t.repository({ a: '1\n2\n3\n4\n5\n', b: '1\n', other: '1\n' }, 'seed');
  const origin = t.freePath('origin');
  await seed.git('clone', '-q', '--bare', seed.path, origin);
  const clone = t.repositoryAt(t.freePath('clone'));
  await clone.git('clone', '-q', origin, '.');
  await commitMany(t, origin, commits);
  return { clone, origin };
}

/** Adds commits to branch `main` of a bare repository: the first changes `b`, the others make files `pulled/N`. */
export async function commitMany(t: Stage, origin: string, commits: number): Promise<void> {
  const stream: string[] = [];
  for (let at = 1; at <= commits; at += 1) {
    const path = at === 1 ? 'b' : `pulled/${at}`;
    stream.push(
      'commit refs/heads/main',
      `committer Tester <tester@example.org> ${1_700_000_000 + at} +0000`,
      'data 4',
      'more',
      ...(at === 1 ? ['from refs/heads/main^0'] : []),
      `M 100644 inline ${path}`,
      'data 6',
      'other',
      '',
    );
  }
  await mustRun('git', ['fast-import', '--quiet'], {
    cwd: origin,
    env: t.scratch.env,
    input: `${stream.join('\n')}\n`,
  });
}

/** A bare repository whose branch `main` holds `count` small files in folders of 100, for work trees of any size. */
export async function importFiles(t: Stage, count: number): Promise<string> {
  const origin = t.freePath('large');
  await mustRun('git', ['init', '-q', '--bare', '-b', 'main', origin], { cwd: t.folderPath, env: t.scratch.env });
  const stream = [
    'commit refs/heads/main',
    'committer Tester <tester@example.org> 1700000000 +0000',
    'data 5',
    'large',
  ];
  for (let at = 0; at < count; at += 1) {
    const content = `file ${at}\n`;
    stream.push(`M 100644 inline d${Math.floor(at / 100)}/f${at}`, `data ${content.length}`, content);
  }
  await mustRun('git', ['fast-import', '--quiet'], {
    cwd: origin,
    env: t.scratch.env,
    input: `${stream.join('\n')}\n`,
  });
  return origin;
}
