/** Where Tidemark keeps what it remembers; in a file of its own, so that the command line finds it without loading a schema. */

/** The environment as settings need it: variables, the platform and the home folder. */
export interface Surroundings {
  env: Readonly<Record<string, string | undefined>>;
  platform: string;
  home: string;
}

/** The platform's data folder for Tidemark, or what `TIDEMARK_DATA_DIR` says. */
export function dataDirOf({ env, platform, home }: Surroundings): string {
  if (env.TIDEMARK_DATA_DIR) return env.TIDEMARK_DATA_DIR;
  if (platform === 'darwin') return `${home}/Library/Application Support/Tidemark`;
  const base = env.XDG_DATA_HOME;
  return `${base?.startsWith('/') ? base : `${home}/.local/share`}/tidemark`;
}
