/** The environment that agents and commands are given: the user's own, without what belongs to this server. */

/** Variables of this server and of the tools that started it. `NODE_ENV=production` would change what `npm install` does. */
const OURS = /^(TIDEMARK_|NEXT_|__NEXT|TURBOPACK|npm_|(NODE_ENV|PORT|INIT_CWD|NEXT_RUNTIME)$)/;

/**
 * `environment` without this server's settings and secrets, and with the search path as it was before `npm start`
 * put the folders of this project in front of it.
 */
export function agentEnvironment(environment: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment)) {
    if (value !== undefined && !OURS.test(name)) kept[name] = value;
  }
  if (environment.npm_lifecycle_event !== undefined && kept.PATH !== undefined) kept.PATH = pathBeforeNpm(kept.PATH);
  return kept;
}

/** npm puts `node_modules/.bin` of every folder upwards, then its own `node-gyp-bin`, before the user's path. */
function pathBeforeNpm(path: string): string {
  const folders = path.split(':');
  const last = folders.findLastIndex((folder) => /\/node-gyp-bin$/.test(folder));
  const rest = folders.slice(last + 1);
  return (last >= 0 ? rest : folders.filter((folder) => !/\/node_modules\/\.bin$/.test(folder))).join(':');
}
