import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';

/**
 * Below those that systems hand out by themselves, from 32768 on: nothing takes one of these
 * between our look and its use. Above the last one that browsers refuse.
 */
const [lowest, highest] = [11_000, 32_000];
/** Workers and runs hardly ever count in the same place. */
let candidate = randomInt(lowest, highest);

/** A port of 127.0.0.1 that nobody uses, for what has to know its address before it listens. */
export async function findFreePort(): Promise<number> {
  do candidate = candidate < highest ? candidate + 1 : lowest;
  while (!(await isFree(candidate)));
  return candidate;
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch {
    return false;
  }
  server.close();
  await once(server, 'close');
  return true;
}

/** Whether somebody listens there. */
export async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  const isConnected = await once(socket, 'connect').then(
    () => true,
    () => false,
  );
  socket.destroy();
  return isConnected;
}
