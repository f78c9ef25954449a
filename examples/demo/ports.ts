import { once } from 'node:events';
import { createServer } from 'node:net';

/** Browsers try `localhost` at both, so a port is free only if nobody listens at either. */
const addresses = ['127.0.0.1', '::1'] as const;
const maxPort = 65_535;

/** @throws when no port from `first` on is free */
export async function findFreePort(first: number): Promise<number> {
  for (let port = first; port <= maxPort; port += 1) if (await isFree(port)) return port;
  throw new Error(`no port from ${first} on is free`);
}

async function isFree(port: number): Promise<boolean> {
  for (const address of addresses) if (await isTaken(address, port)) return false;
  return true;
}

async function isTaken(address: string, port: number): Promise<boolean> {
  const server = createServer().listen(port, address);
  try {
    await once(server, 'listening');
  } catch (error) {
    // A machine without IPv6 has nobody listening there.
    return !(error instanceof Error && 'code' in error && error.code === 'EADDRNOTAVAIL');
  }
  server.close();
  await once(server, 'close');
  return false;
}
