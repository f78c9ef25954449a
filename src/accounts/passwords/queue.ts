class TooManyPasswords extends Error {
  override readonly name = 'TooManyPasswords';
  readonly statusCode = 503;
}

/** One network has used up its share of the queue; other networks are still served. */
class TooManyOfOneNetwork extends Error {
  override readonly name = 'TooManyOfOneNetwork';
  readonly statusCode = 429;
}

class ClientLeft extends Error {
  override readonly name = 'ClientLeft';
  readonly statusCode = 499;
}

export interface PasswordClient {
  /** The widest network comes first; the service itself has none. */
  readonly networks?: readonly string[];
  readonly isKnown?: boolean;
  readonly signal?: AbortSignal;
}

export interface QueueBounds {
  readonly concurrency: number;
  /** Known browsers and all others have this many places each. */
  readonly maxWaiting: number;
  readonly maxOfNetwork: readonly number[];
}

interface Place {
  readonly path: readonly string[];
  readonly start: () => void;
  readonly refuse: (reason: Error) => void;
}

/** Clients wait in lines of narrower networks, or one behind the other. */
interface Line {
  readonly inner: Map<string, Line>;
  readonly places: Place[];
}

const newLine = (): Line => ({ inner: new Map(), places: [] });

function sizeOf(line: Line | undefined): number {
  if (line === undefined) return 0;
  return [...line.inner.values()].reduce((size, inner) => size + sizeOf(inner), line.places.length);
}

function longestIn({ inner }: Line): Line | undefined {
  return [...inner.values()].toSorted((one, other) => sizeOf(one) - sizeOf(other)).at(-1);
}

function firstOf({ inner, places }: Line): Place | undefined {
  const [line] = inner.values();
  return line === undefined ? places[0] : firstOf(line);
}

function lastOf(line: Line): Place | undefined {
  const longest = longestIn(line);
  return longest === undefined ? line.places.at(-1) : lastOf(longest);
}

/** The longest line makes room for lines shorter by two. */
function findDispensable(line: Line, [name = '', ...narrower]: readonly string[]): Place | undefined {
  const [own, longest] = [line.inner.get(name), longestIn(line)];
  if (longest !== undefined && sizeOf(longest) >= sizeOf(own) + 2) return lastOf(longest);
  return own && findDispensable(own, narrower);
}

function addPlace(line: Line, place: Place, [name, ...narrower] = place.path): void {
  if (name === undefined) return void line.places.push(place);
  const own = line.inner.get(name) ?? newLine();
  line.inner.set(name, own);
  addPlace(own, place, narrower);
}

/** After a turn, a client's lines go behind the others. */
function removePlace(line: Line, place: Place, isTurn: boolean, [name, ...narrower] = place.path): void {
  const own = name === undefined ? undefined : line.inner.get(name);
  if (name === undefined || own === undefined) {
    const index = line.places.indexOf(place);
    if (index >= 0) line.places.splice(index, 1);
    return;
  }
  removePlace(own, place, isTurn, narrower);
  const isEmpty = sizeOf(own) === 0;
  if (isEmpty || isTurn) line.inner.delete(name);
  if (isTurn && !isEmpty) line.inner.set(name, own);
}

/** Networks take turns, as do those in each, so a flood mostly delays itself (security C56). */
export function createPasswordQueue({ concurrency, maxWaiting, maxOfNetwork }: QueueBounds) {
  const waiting = newLine();
  let running = 0;

  /** Each line on the path must have room; the narrowest is one client's. */
  function refuseCrowds(all: Line | undefined, networks: readonly string[]): void {
    let line = all;
    for (const [index, network] of networks.entries()) {
      line = line?.inner.get(network);
      if (sizeOf(line) < (maxOfNetwork[index] ?? maxWaiting)) continue;
      throw index === networks.length - 1
        ? new TooManyOfOneNetwork('too many passwords of one network are waiting')
        : new TooManyPasswords('too many passwords of a wide network are waiting');
    }
  }

  function makeRoom(all: Line | undefined, networks: readonly string[]): void {
    if (all === undefined || sizeOf(all) < maxWaiting) return;
    const full = new TooManyPasswords('the password queue is full');
    const last = findDispensable(all, networks);
    if (last === undefined) throw full;
    removePlace(waiting, last, false);
    last.refuse(full);
  }

  async function waitForTurn({ networks = [''], isKnown = false, signal }: PasswordClient): Promise<void> {
    if (signal?.aborted) throw new ClientLeft('the client disconnected');
    if (running < concurrency) {
      running += 1;
      return;
    }
    const side = isKnown ? 'known' : 'others';
    const all = waiting.inner.get(side);
    refuseCrowds(all, networks);
    makeRoom(all, networks);
    const { promise, resolve: start, reject: refuse } = Promise.withResolvers<void>();
    const place = { path: [side, ...networks], start, refuse };
    addPlace(waiting, place);
    const leave = (): void => {
      removePlace(waiting, place, false);
      refuse(new ClientLeft('the client disconnected'));
    };
    signal?.addEventListener('abort', leave);
    // Running work keeps its thread, so it can't be aborted.
    await promise.finally(() => signal?.removeEventListener('abort', leave));
  }

  function endTurn(): void {
    running -= 1;
    const next = firstOf(waiting);
    if (next === undefined) return;
    removePlace(waiting, next, true);
    running += 1;
    next.start();
  }

  return async function enqueue<Value>(client: PasswordClient, work: () => Promise<Value>): Promise<Value> {
    await waitForTurn(client);
    try {
      return await work();
    } finally {
      endTurn();
    }
  };
}
