import PQueue from 'p-queue';

/** A queue for each owner, by id. */
export function createLines<Id = number>(concurrency: number): (ownerId: Id) => PQueue {
  const lines = new Map<Id, PQueue>();
  return (ownerId) => {
    const line = lines.get(ownerId) ?? new PQueue({ concurrency });
    if (!lines.has(ownerId)) line.addEventListener('idle', () => lines.delete(ownerId));
    lines.set(ownerId, line);
    return line;
  };
}
