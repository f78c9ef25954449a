import cluster from 'node:cluster';
import { z } from 'zod';

type Hear = (key: string, refillMs: number) => void;

const tellAfterMs = 50;
const consumption = z.object({ consumed: z.array(z.tuple([z.string(), z.string(), z.number()])) });

const hearers = new Map<string, Hear>();
let consumed: [limit: string, key: string, refillMs: number][] = [];

/**
 * What one worker consumes of a limit, the others hear of, together with all else of those
 * milliseconds (contract §1, WORKERS). Where one process serves alone, nobody is told.
 *
 * @returns tells the others
 */
export function shareBetweenWorkers(limit: string, hear: Hear): Hear {
  if (!cluster.isWorker) return () => {};
  if (hearers.size === 0) process.on('message', hearAll);
  hearers.set(limit, hear);
  return (key, refillMs) => {
    if (consumed.length === 0) setTimeout(tellAll, tellAfterMs).unref();
    consumed.push([limit, key, refillMs]);
  };
}

function tellAll(): void {
  if (process.connected) process.send?.({ consumed });
  consumed = [];
}

function hearAll(message: unknown): void {
  const told = consumption.safeParse(message);
  for (const [limit, key, refillMs] of told.data?.consumed ?? []) hearers.get(limit)?.(key, refillMs);
}
