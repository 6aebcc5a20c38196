/** Where this server can be reached: set once the listener is open, the same for every module graph. */
import { processState } from './process-state';

export interface Address {
  host: string;
  port: number;
}

const holder = () => processState<{ address: Address | null }>('address', () => ({ address: null }));

export function setAddress(address: Address): void {
  holder().address = address;
}

/** The address. Throws before the listener is open. */
export function address(): Address {
  const { address: known } = holder();
  if (!known) throw new Error('The server is not listening yet');
  return known;
}

/** Our own origin, as a browser on this computer writes it. */
export function ownUrl(): string {
  const { host, port } = address();
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
