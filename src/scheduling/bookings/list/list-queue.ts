import PQueue from 'p-queue';
import { createLines } from '../../../platform/queue-per-owner.ts';
import { BudgetSpent } from '../../../platform/rate-limits/budget.ts';
import type { Runtime } from '../../../platform/runtime.ts';

declare module '../../../platform/platform.ts' {
  interface Platform {
    readonly listInTurn: ListInTurn;
  }
}

/** A person on pages, or an app for a person. */
interface Asking {
  readonly userId: number;
  readonly clientId?: string;
}

/** @throws BudgetSpent when too many lists of who asks wait */
export type ListInTurn = <List>(asking: Asking, list: () => Promise<List>) => Promise<List>;

/** Of the database's connections, so that lists never use them up. */
const maxTogether = 4;
const maxWaiting = 20;

/**
 * A list reads and counts all bookings of its host or team, of which there can be any number. So
 * the lists of an app for a person wait for each other, its person's apps and pages take turns, and
 * so do people (security C132).
 */
export function createListTurns(runtime: Runtime): ListInTurn {
  const lineOf = createLines<string>(1);
  // One list of each app waits here, and one of each person there: first in, first out is by turns.
  const personLineOf = createLines(1);
  const together = new PQueue({ concurrency: maxTogether });
  return async ({ userId, clientId }, list) => {
    const line = lineOf(`${userId} ${clientId}`);
    const now = runtime.now();
    if (line.size >= maxWaiting) throw new BudgetSpent('lists', now, now);
    return line.add(() => personLineOf(userId).add(() => together.add(list)));
  };
}
