/** Finds a program the way a shell would. */
import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';

/** The absolute path of `command` on the search path, or null where there is no such program. */
export async function findCommand(command: string, path: string | undefined): Promise<string | null> {
  if (command.includes('/')) return isAbsolute(command) && (await isProgram(command)) ? command : null;
  for (const folder of (path ?? '').split(':')) {
    // A relative entry would mean another program in every workspace.
    if (!isAbsolute(folder)) continue;
    const candidate = join(folder, command);
    if (await isProgram(candidate)) return candidate;
  }
  return null;
}

async function isProgram(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}
