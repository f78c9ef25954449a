import { connect, createServer, type Socket } from 'node:net';
import { atTheEnd } from '../support/at-the-end.ts';

/** A line to a database that counts how often someone waits for an answer. */
export interface CountedLine {
  readonly url: string;
  /** The round trips of `act` that come one after the other: what is asked together waits together. */
  count(act: () => Promise<unknown>): Promise<number>;
}

/** So long nothing more is asked and nothing more is answered before the answers go on. */
const calmMs = 40;

/** Lays a line to the database at `databaseUrl`, which holds answers while it counts until nothing more is asked. */
export async function layCountedLine(databaseUrl: string): Promise<CountedLine> {
  const target = new URL(databaseUrl);
  const held: (() => void)[] = [];
  let isCounting = false;
  let waits = 0;
  let timer: NodeJS.Timeout | undefined;
  const letGo = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (held.length > 0) waits += 1;
    for (const pass of held.splice(0)) pass();
  };
  const wait = (): void => {
    clearTimeout(timer);
    timer = setTimeout(letGo, calmMs);
  };
  const server = createServer((near: Socket) => {
    const far = connect(Number(target.port), target.hostname);
    near.on('data', (chunk) => {
      far.write(chunk);
      if (isCounting) wait();
    });
    far.on('data', (chunk) => {
      if (!isCounting) return void near.write(chunk);
      held.push(() => near.write(chunk));
      wait();
    });
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const)
      socket.on('error', () => other.destroy()).on('close', () => other.destroy());
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', () => resolve());
  await promise;
  atTheEnd(async () => void server.close());
  const address = server.address();
  const url = new URL(databaseUrl);
  url.port = String(typeof address === 'object' ? address?.port : 0);
  return {
    url: url.href,
    async count(act) {
      [waits, isCounting] = [0, true];
      try {
        await act();
        return waits;
      } finally {
        isCounting = false;
        letGo();
      }
    },
  };
}
