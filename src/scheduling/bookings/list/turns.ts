import PQueue from 'p-queue';
import { createLines } from '../../../platform/lines.ts';
import { BudgetSpent } from '../../../platform/rate-limits/budget.ts';
import type { Runtime } from '../../../platform/runtime.ts';

declare module '../../../platform/platform.ts' {
  interface Platform {
    readonly listInTurn: ListInTurn;
  }
}

/** Lists for a person. @throws BudgetSpent when too many of the person's lists wait */
export type ListInTurn = <List>(personId: number, list: () => Promise<List>) => Promise<List>;

/** Of the database's connections, so that lists never use them up. */
const maxTogether = 4;
const maxWaiting = 20;

/**
 * A list reads and counts all bookings of its host or team, of which there can be any number. So a
 * person's lists wait for each other, and people take turns (security C132).
 */
export function createListTurns(runtime: Runtime): ListInTurn {
  const lineOf = createLines(1);
  // One list of each person waits here: first in, first out is by turns.
  const together = new PQueue({ concurrency: maxTogether });
  return async (personId, list) => {
    const line = lineOf(personId);
    const now = runtime.now();
    if (line.size >= maxWaiting) throw new BudgetSpent('lists', now, now);
    return line.add(() => together.add(list));
  };
}
