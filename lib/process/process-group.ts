/** Looks at and ends process groups: whether one still has a living member, when a process began, how a group is ended. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { listProcesses, statFields } from './process-list';

/** Milliseconds between two looks at a group that was asked to end. */
const LOOK_MS = 25;
/** Milliseconds a group gets to vanish after SIGKILL; a process in uninterruptible sleep may outlast it. */
const KILL_WAIT_MS = 2_000;

/**
 * When a process began, in a form that two processes with the same id never share, or null where there is no such
 * process. Linux: boot id and clock ticks; elsewhere what `ps` prints.
 */
export async function processStartTime(pid: number): Promise<string | null> {
  try {
    if (process.platform === 'linux') {
      const [stat, boot] = await Promise.all([
        readFile(`/proc/${pid}/stat`, 'utf8'),
        readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => ''),
      ]);
      const ticks = statFields(stat)[19];
      return ticks === undefined ? null : `${boot.slice(0, 8)}:${ticks}`;
    }
    const { stdout } = await promisify(execFile)('ps', ['-o', 'lstart=', '-p', String(pid)]);
    return stdout.trim() === '' ? null : stdout.trim();
  } catch {
    return null;
  }
}

/** Whether a process group has a member that is not a zombie (an init that reaps nothing leaves zombies behind). */
export async function isGroupAlive(group: number): Promise<boolean> {
  try {
    process.kill(-group, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
  const processes = await listProcesses();
  return processes.length === 0 || processes.some((member) => member.group === group);
}

/** Sends a signal to a whole group. A group that is gone is no error. */
export function signalGroup(group: number, signal: NodeJS.Signals): void {
  // To the system, 0 means our own group and 1 means everybody.
  if (group <= 1) return;
  try {
    process.kill(-group, signal);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ESRCH' && code !== 'EPERM') throw error;
  }
}

/**
 * Ends a process group: SIGTERM, then SIGKILL after `graceMs`. Resolves when no member lives;
 * false where one outlasted even SIGKILL.
 */
export async function endGroup(group: number, graceMs: number): Promise<boolean> {
  signalGroup(group, 'SIGTERM');
  if (await isGoneWithin(group, graceMs)) return true;
  signalGroup(group, 'SIGKILL');
  return isGoneWithin(group, KILL_WAIT_MS);
}

async function isGoneWithin(group: number, ms: number): Promise<boolean> {
  const deadline = performance.now() + ms;
  for (;;) {
    if (!(await isGroupAlive(group))) return true;
    if (performance.now() >= deadline) return false;
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}
