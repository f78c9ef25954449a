/** More people sign in at once than can be served in a few seconds; the pages answer 503, and that it is worth trying again. */
class TooManyPasswords extends Error {
  override readonly name = 'TooManyPasswords';
  readonly statusCode = 503;
}

/** One network has sent more than its share of what waits; the pages answer 429, and nobody else notices. */
class TooManyOfOneNetwork extends Error {
  override readonly name = 'TooManyOfOneNetwork';
  readonly statusCode = 429;
}

/** Nobody waits for the answer any more. */
class AskerLeft extends Error {
  override readonly name = 'AskerLeft';
  readonly statusCode = 499;
}

/** For whom a password is looked at. */
export interface Asker {
  /** From where, in as coarse a form as limits go by; the service itself has none. */
  readonly network?: string;
  /** Tells that nobody waits for it any more. */
  readonly signal?: AbortSignal;
}

interface Waiting {
  readonly begin: () => Promise<void>;
  readonly turnAway: () => void;
}

export interface QueueBounds {
  /** How many are looked at side by side. */
  readonly atOnce: number;
  readonly mostWaiting: number;
  readonly mostOfOneNetwork: number;
}

/**
 * A queue in which networks take turns, so that whoever floods it waits for themselves: everybody else's turn comes after one of the flood's, not
 * after all of it. Whoever has left by the time of their turn is passed over.
 *
 * The queue throws TooManyOfOneNetwork, TooManyPasswords and AskerLeft, before the work is begun.
 */
export function createPasswordQueue({ atOnce, mostWaiting, mostOfOneNetwork }: QueueBounds) {
  /** One line for each network that waits, in the order of their turns. */
  const lines = new Map<string, Waiting[]>();
  let running = 0;
  let waiting = 0;

  /** Whose turn it was goes to the end of the rotation. */
  function goOn(): void {
    for (const [network, line] of lines) {
      if (running >= atOnce) return;
      lines.delete(network);
      const next = line.shift();
      if (line.length > 0) lines.set(network, line);
      if (next === undefined) continue;
      waiting -= 1;
      void run(next);
    }
  }

  async function run(next: Waiting): Promise<void> {
    running += 1;
    await next.begin();
    running -= 1;
    goOn();
  }

  /** In a full queue the last one of the longest line makes room, for a network whose line is shorter by two or more. */
  function makeRoom(lengthOfOwn: number): boolean {
    const [longest] = [...lines.values()].toSorted((one, other) => other.length - one.length);
    if (longest === undefined || longest.length < lengthOfOwn + 2) return false;
    longest.pop()?.turnAway();
    waiting -= 1;
    return true;
  }

  return async function inTurn<Value>(
    { network = '', signal }: Asker,
    work: () => Promise<Value>,
  ): Promise<Value> {
    const line = lines.get(network) ?? [];
    if (line.length >= mostOfOneNetwork)
      throw new TooManyOfOneNetwork('too many passwords to look at from one network');
    if (waiting >= mostWaiting && !makeRoom(line.length))
      throw new TooManyPasswords('too many passwords to look at');
    return new Promise<Value>((resolve, reject) => {
      const begin = async (): Promise<void> => {
        if (signal?.aborted) reject(new AskerLeft('whoever asked has left'));
        else await work().then(resolve, reject);
      };
      line.push({ begin, turnAway: () => reject(new TooManyPasswords('too many passwords to look at')) });
      lines.set(network, line);
      waiting += 1;
      goOn();
    });
  };
}
