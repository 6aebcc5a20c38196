/** Measures what each event costs an agent: the time from the start of its hook to its end. */
import { chmodSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface EventTime {
  event: string;
  ms: number;
}

/** Puts a clock around the installed script. GNU date is needed; elsewhere nothing is measured. */
export function clockScript(dataDir: string, agent: string, log: string): void {
  const script = join(dataDir, 'hooks', agent);
  renameSync(script, `${script}.real`);
  writeFileSync(
    script,
    `#!/bin/sh
body=$(cat)
begun=$(date +%s%N)
printf '%s' "$body" | '${script}.real'
status=$?
ended=$(date +%s%N)
event=$(printf '%s' "$body" | sed -n 's/.*"hook_event_name": *"\\([A-Za-z]*\\)".*/\\1/p' | head -n 1)
echo "$event $(( (ended - begun) / 1000 ))" >> '${log}'
exit $status
`,
  );
  chmodSync(script, 0o700);
}

/** Puts a clock into the installed plugin, around each of its posts. */
export function clockPlugin(file: string, log: string): void {
  const text = readFileSync(file, 'utf8');
  const clocked = text
    .replace(
      "import { existsSync, readFileSync } from 'node:fs';",
      "import { appendFileSync, existsSync, readFileSync } from 'node:fs';",
    )
    .replace(
      'queue = queue.then(() => send(event, body))',
      `queue = queue.then(async () => {
      const begun = performance.now();
      await send(event, body);
      appendFileSync(${JSON.stringify(log)}, \`\${event} \${Math.round((performance.now() - begun) * 1000)}\\n\`);
    })`,
    );
  if (clocked === text) throw new Error('The plugin has another form than the clock expects');
  writeFileSync(file, clocked);
}

export function readTimes(log: string): EventTime[] {
  if (!existsSync(log)) return [];
  return readFileSync(log, 'utf8')
    .trim()
    .split('\n')
    .map((line) => {
      const [event = '', micros = '0'] = line.split(' ');
      return { event, ms: Number(micros) / 1000 };
    });
}

/** The middle of all times of an event, ms, by event, in the order in which they first came. */
export function medians(times: EventTime[]): { event: string; count: number; ms: number }[] {
  return [...new Set(times.map(({ event }) => event))].map((event) => {
    const all = times
      .filter((time) => time.event === event)
      .map(({ ms }) => ms)
      .sort((a, b) => a - b);
    return { event, count: all.length, ms: Math.round((all[Math.floor(all.length / 2)] ?? 0) * 10) / 10 };
  });
}
