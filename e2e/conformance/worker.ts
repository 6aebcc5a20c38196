/** Who does the work of a run: an outside host that announces nothing, one that announces a call, our shell agent. */
export type Worker = 'host' | 'announcing host' | 'shell agent';
export const WORKERS: readonly Worker[] = ['host', 'announcing host', 'shell agent'];
