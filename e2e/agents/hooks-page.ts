/** Writes the table of `docs/hooks.md`: what was seen of each real agent with Tidemark's hooks in its settings. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HOOKED } from './hooked-setups';

/** What one agent's test saw. */
export interface HookedSeen {
  agent: string;
  version: string;
  day: string;
  node: string;
  rows: string[];
  /** Median milliseconds by event, and how often it came. */
  events: { event: string; count: number; ms: number }[];
}

const PAGE = join(process.cwd(), 'docs', 'hooks.md');
/** The figures stand in the page itself, so that a run of one agent keeps those of the others. */
const SECTION = /<!-- seen: (.*) -->\n[\s\S]*?<!-- end of seen -->/;

export function recordHooked(seen: HookedSeen): void {
  const page = readFileSync(PAGE, 'utf8');
  const known: HookedSeen[] = JSON.parse(SECTION.exec(page)?.[1] ?? '[]');
  const order = HOOKED.map(({ agent }) => agent as string);
  const all = [...known.filter(({ agent }) => agent !== seen.agent), seen].sort(
    (a, b) => order.indexOf(a.agent) - order.indexOf(b.agent),
  );
  writeFileSync(
    PAGE,
    page.replace(SECTION, () => section(all)),
  );
}

function section(all: HookedSeen[]): string {
  const rows = all.flatMap(({ agent, version, day, node, rows: changed, events }) => {
    const name = HOOKED.find((hooked) => hooked.agent === agent)?.setup.name ?? agent;
    const times = events
      .map(({ event, count, ms }) => `${event} ${ms} ms${count > 1 ? ` (×${count})` : ''}`)
      .join(', ');
    return `| ${name} ${version} | ${changed.length === 5 ? 'all five' : changed.join(', ')} | ${times} | ${day}, Node ${node} |`;
  });
  return `<!-- seen: ${JSON.stringify(all)} -->
| agent | rows | what each event cost it (median) | seen |
|---|---|---|---|
${rows.join('\n')}
<!-- end of seen -->`;
}
