import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { atTheEnd } from './at-the-end.ts';
import { findFreePort } from './free-port.ts';

/**
 * Lays a line to the database at `databaseUrl`, through a free port of 127.0.0.1, that can be cut and mended, as when a server
 * goes away and comes back; it is taken up in the end. `carry` passes on what comes, when it likes.
 */
export async function layDatabaseLine(
  databaseUrl: string,
  carry: (pass: () => void, isAnswer: boolean) => void = (pass) => pass(),
) {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  const silent = new WeakSet<Socket>();
  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket);
      socket.on('data', (chunk: Buffer) => {
        if (!silent.has(socket)) carry(() => other.write(chunk), socket === far);
      });
      socket.on('end', () => {
        if (!silent.has(socket)) other.end();
      });
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
  });
  // Not one of the system's, which another connection could be given while the line is cut.
  const port = await findFreePort();
  const open = async (): Promise<void> => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  };
  /** Ends all connections and refuses new ones. */
  const cut = async (): Promise<void> => {
    if (!server.listening) return;
    server.close();
    for (const socket of sockets) socket.destroy();
    await once(server, 'close');
  };
  /** Swallows what connections carry from now on, as a firewall does that has forgotten them; new ones work. */
  const silence = (): void => {
    for (const socket of sockets) silent.add(socket);
  };
  await open();
  atTheEnd(cut);
  const url = new URL(databaseUrl);
  url.port = String(port);
  return { url: url.href, cut, mend: open, silence, close: cut };
}
