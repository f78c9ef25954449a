import PQueue from 'p-queue';

export function createLanes<Id = number>(concurrency: number) {
  const lanes = new Map<Id, PQueue>();
  const laneOf = (ownerId: Id): PQueue => {
    const lane = lanes.get(ownerId) ?? new PQueue({ concurrency });
    if (!lanes.has(ownerId)) lane.addEventListener('idle', () => lanes.delete(ownerId));
    lanes.set(ownerId, lane);
    return lane;
  };
  return Object.assign(laneOf, { waitingOf: (ownerId: Id): number => lanes.get(ownerId)?.size ?? 0 });
}

interface QueueBounds {
  /** So many of a key run at a time, of those around it, and of all. */
  readonly ofKey: number;
  readonly ofAround: number;
  readonly ofAll: number;
  readonly maxWaitingOfKey: number;
  /** So many keys wait behind each other, of those around them and of all. */
  readonly maxWaiting?: number;
}

type Keys = readonly [key: string, around: string];

/** Each key waits in a line of its own, and so do those around it: a crowd delays itself. */
export function createQueue(bounds: QueueBounds) {
  const { maxWaitingOfKey, maxWaiting = Number.POSITIVE_INFINITY } = bounds;
  const keys = createLanes<string>(bounds.ofKey);
  const arounds = createLanes<string>(bounds.ofAround);
  const all = new PQueue({ concurrency: bounds.ofAll });
  return {
    /** Ask before `add`, which goes on with what has waited before, too. */
    isFull: ([key, around]: Keys): boolean =>
      keys.waitingOf(key) >= maxWaitingOfKey ||
      arounds.waitingOf(around) >= maxWaiting ||
      all.size >= maxWaiting,
    async add<Value>([key, around]: Keys, work: () => Promise<Value>, signal?: AbortSignal): Promise<Value> {
      // What runs keeps its place until it ends, even if nobody waits for it anymore.
      const begin = async (): Promise<Value> => {
        signal?.throwIfAborted();
        return work();
      };
      return keys(key).add(() => arounds(around).add(() => all.add(begin)));
    },
  };
}
