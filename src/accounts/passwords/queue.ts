import PQueue from 'p-queue';

/** Pages answer 503 and ask to try again. */
class TooManyPasswords extends Error {
  override readonly name = 'TooManyPasswords';
  readonly statusCode = 503;
}

/** One network used up its share of the queue; pages answer 429. */
class TooManyOfOneNetwork extends Error {
  override readonly name = 'TooManyOfOneNetwork';
  readonly statusCode = 429;
}

class ClientLeft extends Error {
  override readonly name = 'ClientLeft';
  readonly statusCode = 499;
}

export interface PasswordClient {
  /** As rate limits count it; the service itself has none. */
  readonly network?: string;
  /** Aborted when the client disconnects. */
  readonly signal?: AbortSignal;
}

export interface QueueBounds {
  readonly concurrency: number;
  readonly maxWaiting: number;
  readonly maxOfOneNetwork: number;
}

/**
 * The nth request of a network waits behind the first n of every other, so that a flood mostly
 * delays itself. Throws TooManyOfOneNetwork, TooManyPasswords or ClientLeft before the work begins.
 */
export function createPasswordQueue({ concurrency, maxWaiting, maxOfOneNetwork }: QueueBounds) {
  const queue = new PQueue({ concurrency });
  /** By network. Aborting a place takes it out of the queue. */
  const lines = new Map<string, readonly AbortController[]>();

  /** The last of the longest line makes room for a line shorter by two. */
  function makeRoom(ownLength: number): boolean {
    const [longest = []] = [...lines.values()].toSorted((one, other) => other.length - one.length);
    if (longest.length < ownLength + 2) return false;
    longest.at(-1)?.abort(new TooManyPasswords('the password queue is full'));
    return true;
  }

  function free(network: string, place: AbortController): void {
    const line = lines.get(network)?.filter((other) => other !== place) ?? [];
    if (line.length === 0) lines.delete(network);
    else lines.set(network, line);
  }

  return async function enqueue<Value>(
    { network = '', signal }: PasswordClient,
    work: () => Promise<Value>,
  ): Promise<Value> {
    const line = lines.get(network) ?? [];
    if (signal?.aborted) throw new ClientLeft('the client disconnected');
    if (line.length >= maxOfOneNetwork)
      throw new TooManyOfOneNetwork('too many passwords of one network are waiting');
    if (queue.size >= maxWaiting && !makeRoom(line.length))
      throw new TooManyPasswords('the password queue is full');
    const place = new AbortController();
    place.signal.addEventListener('abort', () => free(network, place));
    lines.set(network, [...line, place]);
    const leave = (): void => place.abort(new ClientLeft('the client disconnected'));
    signal?.addEventListener('abort', leave);
    return queue.add(
      () => {
        // From here on it keeps its thread.
        signal?.removeEventListener('abort', leave);
        free(network, place);
        return work();
      },
      { priority: -line.length, signal: place.signal },
    );
  };
}
