/** Spans of time, instants and large numbers as people read them; counts and sizes are in `lib/domain/change-words`. */

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
