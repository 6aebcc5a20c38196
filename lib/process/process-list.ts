/** Lists the living processes of this machine: whose child each is, and in which group. */
import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

export interface ListedProcess {
  pid: number;
  parent: number;
  /** Its process group; programs that run commands for others often give each command a group of its own. */
  group: number;
}

/** All processes but the dead that nobody has fetched yet (zombies). Empty where the system tells nothing. */
export function listProcesses(): Promise<ListedProcess[]> {
  return process.platform === 'linux' ? fromProc() : fromPs();
}

/** What a process has started, and what those have started. One that left its parents for good (a daemon) is not among them. */
export async function descendantsOf(pid: number): Promise<ListedProcess[]> {
  const byParent = new Map<number, ListedProcess[]>();
  for (const entry of await listProcesses()) {
    byParent.set(entry.parent, [...(byParent.get(entry.parent) ?? []), entry]);
  }
  const found: ListedProcess[] = [];
  const queue = [pid];
  const seen = new Set(queue);
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    for (const child of byParent.get(next) ?? []) {
      if (seen.has(child.pid)) continue;
      seen.add(child.pid);
      queue.push(child.pid);
      found.push(child);
    }
  }
  return found;
}

async function fromProc(): Promise<ListedProcess[]> {
  const names = await readdir('/proc').catch(() => []);
  const entries = await Promise.all(names.filter((name) => /^\d+$/.test(name)).map(fromStat));
  return entries.filter((entry) => entry !== null);
}

async function fromStat(pid: string): Promise<ListedProcess | null> {
  try {
    const [state = '', parent, group] = statFields(await readFile(`/proc/${pid}/stat`, 'utf8'));
    return /[ZX]/.test(state) ? null : { pid: Number(pid), parent: Number(parent), group: Number(group) };
  } catch {
    // It ended while we looked.
    return null;
  }
}

/** Fields of `/proc/<pid>/stat` after the name, which may hold spaces and brackets: state, parent, group, … */
export function statFields(stat: string): string[] {
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

async function fromPs(): Promise<ListedProcess[]> {
  const { stdout } = await promisify(execFile)('ps', ['-axo', 'pid=,ppid=,pgid=,stat=']).catch(() => ({ stdout: '' }));
  return stdout.split('\n').flatMap((line) => {
    const [pid, parent, group, state] = line.trim().split(/\s+/);
    if (pid === undefined || state === undefined || state.startsWith('Z')) return [];
    return [{ pid: Number(pid), parent: Number(parent), group: Number(group) }];
  });
}
