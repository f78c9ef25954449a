import { Agent, request as ask, createServer, type IncomingMessage } from 'node:http';
import { atTheEnd } from './at-the-end.ts';
import { listenOnLoopback } from './feed-server.ts';

/** An instance of the service. */
export interface Backend {
  readonly address: string;
}

const checkEveryMs = 100;
const checkTimeoutMs = 1000;

/**
 * A proxy that keeps connections to its backends, asks each for its readiness, and passes requests in turn to those
 * that are ready, or to all when none is. It tries nothing twice: a request that its backend doesn't answer gets 502.
 */
export async function openHealthProxy(backends: readonly Backend[]) {
  const all = new Map(backends.map((backend) => [backend, true]));
  const agent = new Agent({ keepAlive: true });
  let next = 0;
  const check = async (backend: Backend): Promise<void> => {
    const isReady = await fetch(`${backend.address}/readyz`, {
      signal: AbortSignal.timeout(checkTimeoutMs),
    }).then(
      ({ ok }) => ok,
      () => false,
    );
    if (all.has(backend)) all.set(backend, isReady);
  };
  const timer = setInterval(() => void Promise.all([...all.keys()].map(check)), checkEveryMs);
  const proxy = createServer((incoming, outgoing) => {
    const ready = [...all].flatMap(([backend, isReady]) => (isReady ? [backend] : []));
    const able = ready.length > 0 ? ready : [...all.keys()];
    next += 1;
    const target = able[next % able.length];
    if (target === undefined) return void outgoing.writeHead(502).end();
    const { method, headers, url } = incoming;
    const passed = ask(
      new URL(url ?? '/', target.address),
      { method, headers, agent },
      (answer: IncomingMessage) => {
        const { connection, ...kept } = answer.headers;
        outgoing.writeHead(answer.statusCode ?? 502, kept);
        answer.pipe(outgoing);
      },
    );
    passed.on('error', () => {
      if (outgoing.headersSent) outgoing.destroy();
      else outgoing.writeHead(502).end();
    });
    // A client that hangs up ends its request.
    outgoing.on('close', () => passed.destroy());
    incoming.pipe(passed);
  });
  // No connection of a client ends in the moment in which it is used again.
  proxy.keepAliveTimeout = 0;
  const port = await listenOnLoopback(proxy);
  atTheEnd(async () => {
    clearInterval(timer);
    agent.destroy();
  });
  return {
    address: `http://127.0.0.1:${port}`,
    add: (backend: Backend) => void all.set(backend, true),
    remove: (backend: Backend) => void all.delete(backend),
    /** Ends all connections of clients. */
    cut: () => proxy.closeAllConnections(),
  };
}
