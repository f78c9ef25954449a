import PQueue from 'p-queue';

export function createLanes<Id = number>(concurrency: number): (ownerId: Id) => PQueue {
  const lanes = new Map<Id, PQueue>();
  return (ownerId) => {
    const lane = lanes.get(ownerId) ?? new PQueue({ concurrency });
    if (!lanes.has(ownerId)) lane.addEventListener('idle', () => lanes.delete(ownerId));
    lanes.set(ownerId, lane);
    return lane;
  };
}
