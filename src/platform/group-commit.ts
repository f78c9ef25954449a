import { isDatabaseAway } from './database.ts';

const maxTogether = 64;
/** Beyond this, an answer takes longer than clients wait, so they get 503 (contract §4). */
const maxWaiting = 2000;
/** Callers that wait get 503 then, and the next statement goes out on another connection. */
const maxMs = 2000;

class Overdue extends Error {
  readonly code: string;

  constructor(code: 'TOO_MANY_WAITING' | 'STATEMENT_OVERDUE') {
    super('the database does not answer in time');
    this.code = code;
  }
}

interface Waiting<Item, Answer> {
  readonly item: Item;
  readonly resolve: (answer: Answer | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Groups what is asked while a statement is under way into the next one (ADR 12). Lanes (`laneOf`:
 * a client's, say) take turns. If a statement fails, each item gets its own, so that none fails for
 * another.
 *
 * @param askAll answers in the order of the items, undefined for those without an answer
 *
 * @returns asks for one item; rejected with what `askAll` throws, or with an error that
 * `isDatabaseAway` knows
 */
export function grouped<Item, Answer>(
  askAll: (items: readonly Item[]) => Promise<readonly (Answer | undefined)[]>,
  laneOf: (item: Item) => string,
): (item: Item) => Promise<Answer | undefined> {
  const lanes = new Map<string, Waiting<Item, Answer>[]>();
  let waitingCount = 0;
  let isRunning = false;

  async function run(): Promise<void> {
    while (waitingCount > 0) await answer(take());
    isRunning = false;
  }

  /** A lane that has had its turn goes to the end of the map, which is still to be visited. */
  function take(): readonly Waiting<Item, Answer>[] {
    const taken: Waiting<Item, Answer>[] = [];
    for (const [name, lane] of lanes) {
      const first = lane.shift();
      lanes.delete(name);
      if (lane.length > 0) lanes.set(name, lane);
      if (first !== undefined) taken.push(first);
      if (taken.length === maxTogether) break;
    }
    waitingCount -= taken.length;
    return taken;
  }

  async function answer(together: readonly Waiting<Item, Answer>[]): Promise<void> {
    try {
      const answers = await inTime(askAll(together.map(({ item }) => item)));
      for (const [index, { resolve }] of together.entries()) resolve(answers[index]);
    } catch (error) {
      if (together.length > 1 && !isDatabaseAway(error))
        await Promise.all(together.map((one) => answer([one])));
      else for (const { reject } of together) reject(error);
    }
  }

  return (item) => {
    if (waitingCount >= maxWaiting) return Promise.reject(new Overdue('TOO_MANY_WAITING'));
    const { promise, resolve, reject } = Promise.withResolvers<Answer | undefined>();
    const name = laneOf(item);
    const lane = lanes.get(name);
    if (lane === undefined) lanes.set(name, [{ item, resolve, reject }]);
    else lane.push({ item, resolve, reject });
    waitingCount += 1;
    if (!isRunning) {
      isRunning = true;
      setImmediate(() => void run());
    }
    return promise;
  };
}

async function inTime<Value>(asked: Promise<Value>): Promise<Value> {
  const { promise: overdue, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Overdue('STATEMENT_OVERDUE')), maxMs);
  try {
    return await Promise.race([asked, overdue]);
  } finally {
    clearTimeout(timer);
  }
}
