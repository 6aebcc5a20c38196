/** Makes the folders that capture is measured on. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export type Shape = '400 folders' | 'five files a folder';

const git = (root: string, ...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=Bench', '-c', 'user.email=bench@example.org', ...args], {
    cwd: root,
    stdio: 'ignore',
  });

/** Path of the file with a number, of a workspace of `count` files. */
export function filePath(shape: Shape, count: number, at: number): string {
  const folder = shape === '400 folders' ? at % Math.min(400, count) : Math.floor(at / 5);
  return `src/part${folder % 20}/folder${folder}/file${at}.txt`;
}

/** A repository with one commit of `count` files of 1 to 2 KB, all aged ten seconds, so that no time is in doubt. */
export function makeRepository(root: string, count: number, shape: Shape): void {
  mkdirSync(root, { recursive: true });
  for (let at = 0; at < count; at += 1) {
    const path = join(root, filePath(shape, count, at));
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(
      path,
      Array.from({ length: 30 + (at % 20) }, (_, line) => `line ${line} of file ${at}, as good as any\n`).join(''),
    );
  }
  writeFileSync(join(root, '.gitignore'), 'node_modules/\n*.log\n.env*\n');
  age(root);
  git(root, 'init', '-q', '-b', 'main');
  git(root, 'add', '-A');
  git(root, '-c', 'gc.auto=0', 'commit', '-qm', 'start');
  // As a clone has it, and so that git's own clean-up does not come in between.
  git(root, 'gc', '-q');
}

/** What a workspace in use has besides: ignored folders, small ignored files, repositories inside. */
export function addSurroundings(root: string): void {
  for (let at = 0; at < 2_000; at += 1) {
    const folder = join(root, 'node_modules', `package${at % 100}`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `index${at}.js`), `exports.at = ${at};\n`);
  }
  for (let at = 0; at < 20; at += 1) writeFileSync(join(root, `.env.${at}`), `NUMBER=${at}\n`);
  for (const name of ['inside/one', 'inside/two']) {
    const nested = join(root, name);
    mkdirSync(nested, { recursive: true });
    for (let at = 0; at < 50; at += 1) writeFileSync(join(nested, `file${at}.txt`), `nested ${at}\n`);
    age(nested);
    git(nested, 'init', '-q', '-b', 'main');
    git(nested, 'add', '-A');
    git(nested, 'commit', '-qm', 'start');
  }
}

function age(folder: string): void {
  const past = Date.now() / 1000 - 10;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.name === '.git') continue;
    if (entry.isDirectory()) age(path);
    else utimesSync(path, past, past);
  }
}
