/** Thrown where a situation cannot be built on this machine, or belongs to a part that is not there. */
export class Skip extends Error {}
