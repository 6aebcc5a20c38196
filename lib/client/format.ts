/** Numbers, sizes and spans of time as people read them; the same words everywhere. */

/** `1 addition`, `12 additions`, `1,204 files`. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`;
}

/** The counts of lines in words: `12 additions, 4 deletions`, `1 addition`, `no line changes`. */
export function countsInWords(additions: number, deletions: number): string {
  const parts: string[] = [];
  if (additions > 0) parts.push(plural(additions, 'addition'));
  if (deletions > 0) parts.push(plural(deletions, 'deletion'));
  return parts.length === 0 ? 'no line changes' : parts.join(', ');
}

/** `312 B`, `4.1 KB`, `2.0 MB`: steps of 1,024, one decimal below 100. */
export function formatBytes(bytes: number): string {
  const units = ['B', 'KB', 'MB', 'GB', 'TB'];
  let value = bytes;
  let unit = 0;
  while (value >= 1023.95 && unit < units.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${unit === 0 || value >= 99.95 ? Math.round(value) : value.toFixed(1)} ${units[unit]}`;
}

/** `0.1 s`, `6.4 s`, `42 s`, `3 min 5 s`, `2 h 4 min`. */
export function formatDuration(ms: number): string {
  const seconds = Math.max(0, ms) / 1000;
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return whole % 60 === 0 ? `${minutes} min` : `${minutes} min ${whole % 60} s`;
  return minutes % 60 === 0 ? `${minutes / 60} h` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** Tokens and the like: `940`, `12.4k`, `1.2M`. */
export function formatCompact(count: number): string {
  if (count < 1000) return String(count);
  if (count < 999_950) return `${(count / 1000).toFixed(count < 99_950 ? 1 : 0)}k`;
  return `${(count / 1_000_000).toFixed(1)}M`;
}

/** The last part of a path, which names a folder: `/home/me/code/web` is `web`. */
export function folderName(path: string): string {
  return path.replace(/\/+$/, '').split('/').at(-1) || '/';
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const two = (value: number) => String(value).padStart(2, '0');

/** An instant in the reader's time zone, as short as it can be said at `now`: `14:02`, `3 Mar 14:02`, `3 Mar 2025 14:02`. */
export function formatInstant(at: number, now: number): string {
  const then = new Date(at);
  const today = new Date(now);
  const clock = `${two(then.getHours())}:${two(then.getMinutes())}`;
  if (then.toDateString() === today.toDateString()) return clock;
  const day = `${then.getDate()} ${MONTHS[then.getMonth()]}`;
  return then.getFullYear() === today.getFullYear() ? `${day} ${clock}` : `${day} ${then.getFullYear()} ${clock}`;
}
