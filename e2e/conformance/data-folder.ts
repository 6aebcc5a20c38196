/** Looks into a server's data folder from outside: how large it is, and whether it still holds a text. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand, type Scratch } from './commands';

/** Every file under a folder. */
function filesUnder(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesUnder(path) : entry.isFile() ? [path] : [];
  });
}

/** Bytes of all files; those that vanish meanwhile count for nothing. */
export function bytesUnder(folder: string): number {
  return filesUnder(folder).reduce((sum, path) => sum + (statSync(path, { throwIfNoEntry: false })?.size ?? 0), 0);
}

/** Files, and objects of git, that hold a text. */
export async function placesOfText(dataDir: string, text: string, scratch: Scratch): Promise<string[]> {
  const places: string[] = [];
  for (const path of filesUnder(dataDir)) {
    if (existsSync(path) && readFileSync(path).includes(text)) places.push(path.slice(dataDir.length + 1));
  }
  const folder = join(dataDir, 'capture', 'git');
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    const dir = join(folder, name);
    const { stdout } = await runCommand(
      'git',
      ['cat-file', '--batch-all-objects', '--unordered', '--batch', '--buffer'],
      {
        cwd: dir,
        env: { ...scratch.env, GIT_DIR: dir },
      },
    );
    if (stdout.includes(text)) places.push(`an object in ${dir.slice(dataDir.length + 1)}`);
  }
  return places;
}
