import { readFileSync } from 'node:fs';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyBaseLogger } from 'fastify';
import { addressOfPeer, networkOf } from './networks.ts';
import { isWithinRanges } from './public-address.ts';

export interface ConnectionLimits {
  readonly max: number;
  /** A trusted proxy carries all clients, so it has no limit of its own. */
  readonly ofNetwork: number;
  /** So many more are taken for a moment, as they may be probes. */
  readonly beyond: number;
}

export const usualConnections: ConnectionLimits = { max: 4096, ofNetwork: 1024, beyond: 64 };

/** Logs, modules, outbound connections, and what the embedded database keeps open. */
const otherFiles = 128;
const fewestConnections = 16;

/** Node.js takes all that the system's hard limit allows; undefined where that isn't to be had. */
export function readMaxOpenFiles(): number | undefined {
  try {
    const [, files] = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return files === undefined ? undefined : Number(files);
  } catch {
    return undefined;
  }
}

/**
 * Without a place for its connection the system closes it unseen, and the database, mail and
 * calendars get none either (security C380).
 */
export function connectionsWithin(
  maxFiles = Number.POSITIVE_INFINITY,
  databaseConnections = 0,
): ConnectionLimits {
  const { max, ofNetwork, beyond } = usualConnections;
  const room = Math.max(fewestConnections, maxFiles - otherFiles - databaseConnections);
  if (room >= max + beyond) return usualConnections;
  // protects: C380
  const most = Math.min(max, room - Math.min(beyond, room / 4));
  return {
    max: Math.floor(most),
    ofNetwork: Math.min(ofNetwork, Math.ceil(most / 4)),
    beyond: Math.floor(room - most),
  };
}

/** A probe sends its request with its connection. */
const beyondMs = 2000;
const warnEveryMs = 60_000;

interface Places {
  readonly of: string;
  readonly max: number;
  held: number;
  /** Those on whose client the server waits, first the one that it has waited for longest. */
  readonly waiting: Set<Socket>;
}

/**
 * Bounds the connections of a server, each of which may hold an answer that nobody reads. Where
 * places are short, a connection that waits for its client gives way, so that silence keeps nobody
 * out (security C223, C331). Returns whether a connection is there for a probe alone.
 */
export function limitConnections(
  server: Server,
  { max, ofNetwork, beyond: maxBeyond }: ConnectionLimits,
  { trustedProxies, log }: { readonly trustedProxies: readonly string[]; readonly log: FastifyBaseLogger },
): (socket: Socket) => boolean {
  const createPlaces = (of: string, most: number): Places => ({ of, max: most, held: 0, waiting: new Set() });
  const all = createPlaces('all', max);
  const beyond = createPlaces('beyond', maxBeyond);
  const networks = new Map<string, Places>();
  const taken = new WeakMap<Socket, readonly Places[]>();

  const leave = (socket: Socket): void => {
    for (const places of taken.get(socket) ?? []) {
      places.held -= 1;
      places.waiting.delete(socket);
      if (places.held === 0) networks.delete(places.of);
    }
    taken.delete(socket);
  };
  const findRoom = ({ held, max: most, waiting }: Places): boolean => {
    if (held < most) return true;
    const [silent] = waiting;
    if (silent === undefined) return false; // protects: C331
    leave(silent);
    silent.destroy();
    return true;
  };
  const setWaiting = (socket: Socket, isWaiting: boolean): void => {
    for (const { waiting } of taken.get(socket) ?? []) {
      waiting.delete(socket);
      if (isWaiting) waiting.add(socket);
    }
  };
  let warnedAt = Number.NEGATIVE_INFINITY;
  const warn = (): void => {
    if (performance.now() - warnedAt < warnEveryMs) return;
    warnedAt = performance.now();
    log.warn({ connections: all.held }, 'connections were refused: all places are taken');
  };

  server.on('connection', (socket: Socket) => {
    const address = addressOfPeer(socket);
    const network = networkOf(address);
    const own = isWithinRanges(address, trustedProxies)
      ? []
      : [networks.get(network) ?? createPlaces(network, ofNetwork)]; // protects: C331
    const isUsual = [...own, all].every(findRoom);
    const places = isUsual ? [...own, all] : [beyond];
    if (!isUsual) warn();
    if (!isUsual && !findRoom(beyond)) return void socket.destroy();
    if (isUsual) for (const one of own) networks.set(network, one);
    else setTimeout(() => socket.destroy(), beyondMs).unref();
    for (const one of places) one.held += 1;
    taken.set(socket, places);
    setWaiting(socket, true);
    socket.once('close', () => leave(socket));
  });
  // The app's own listener may have answered before a later one.
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    const { socket, headers } = request;
    const hasBody = 'transfer-encoding' in headers || Number(headers['content-length'] ?? 0) > 0;
    setWaiting(socket, hasBody);
    // The rest of a body that nobody wants may come after the answer.
    if (hasBody) request.once('end', () => setWaiting(socket, response.writableEnded));
    // The rest is the client's: to read the answer, and to ask again.
    response.once('prefinish', () => setWaiting(socket, true));
  });
  return (socket) => taken.get(socket)?.includes(beyond) === true;
}
