/** Writes `docs/agents.md`: what was seen of each real agent, with what version, and what to know of it. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type AgentSetup, SETUPS } from './agent-setups';

/** What one agent's test saw. */
export interface Seen {
  id: string;
  version: string;
  day: string;
  node: string;
  /** Milliseconds from Send to the first word, the agent's own start included. */
  firstWordMs: number;
  permissions: number;
  cards: number;
  rows: string[];
  stopped: string;
  resumed: string;
}

const PAGE = join(process.cwd(), 'docs', 'agents.md');
/** The figures stand in the page itself, so that a run of one agent keeps those of the others. */
const FIGURES = /<!-- seen: (.*) -->/;

export function recordSeen(seen: Seen): void {
  const all = [...readSeen().filter(({ id }) => id !== seen.id), seen];
  const order = SETUPS.map(({ id }) => id);
  all.sort((a, b) => order.indexOf(a.id) - order.indexOf(b.id));
  mkdirSync(dirname(PAGE), { recursive: true });
  writeFileSync(PAGE, page(all));
}

function readSeen(): Seen[] {
  const figures = existsSync(PAGE) ? FIGURES.exec(readFileSync(PAGE, 'utf8'))?.[1] : undefined;
  return figures === undefined ? [] : JSON.parse(figures);
}

function page(all: Seen[]): string {
  const setups = all.map((seen) => ({ seen, setup: SETUPS.find(({ id }) => id === seen.id) as AgentSetup }));
  const table = setups.map(({ seen, setup }) =>
    [
      // Some speak ACP through a package of its own, which has a version of its own.
      `${setup.name}${setup.package.endsWith('-acp') ? ', adapter' : ''} ${seen.version}`,
      seen.rows.length === 5 ? 'all five' : seen.rows.join(', '),
      String(seen.permissions),
      String(seen.cards),
      seen.stopped,
      seen.resumed,
      `${(seen.firstWordMs / 1000).toFixed(1)} s`,
      `${seen.day}, Node ${seen.node}`,
    ].join(' | '),
  );
  const notes = SETUPS.map(
    ({ name, package: npm, version, licence, bin, args, notes: told }) =>
      `- **${name}**: \`npm install -g ${npm}@${version}\`, started as \`${[bin, ...args.filter((argument) => argument !== '-m' && !argument.startsWith('gemini-'))].join(' ')}\`. Licence: ${licence}. ${told.map((note) => `${note[0]?.toUpperCase()}${note.slice(1)}.`).join(' ')}`,
  );
  return `# Agents

What real agents do in the browser chat, as \`npm run e2e:agents\` saw it (\`-- --all\` for Claude Code and Codex too). Every model call is
answered by a scripted model on loopback, so no account is needed; each agent has a home of its own. In one message the agent reads a
file, edits it, creates another, creates one and deletes one by a shell command, renames one by another, and runs a command that fails.
The rows of the change block must be exactly those five, with git's counts, whatever the agent announced.

| agent | rows | asked | cards | stopped in a command | resumed after a restart | first word, cold | seen |
|---|---|---|---|---|---|---|---|
${table.map((row) => `| ${row} |`).join('\n')}

## Each of them

${notes.join('\n')}

Nothing is downloaded by Tidemark itself: an agent is offered when its command is found on the search path, or named in the file of
\`TIDEMARK_AGENTS\`: \`{"agents": [{"id", "name", "command", "args": [], "env": {}, "fs": false}]}\`. With \`"fs": true\` the agent may read and write
files through Tidemark, confined to the workspace; none of the agents above needs it.

<!-- seen: ${JSON.stringify(all)} -->
`;
}
