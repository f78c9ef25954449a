import type { FastifyReply, FastifyRequest } from 'fastify';
import { BudgetSpent, tooManyRequests } from '../../platform/rate-limits/budget.ts';
import type { Bucket } from '../../platform/rate-limits/in-memory.ts';
import { type createTurns, furtherRequestsFor, type Turn } from '../../platform/turns.ts';
import { personShare } from '../limits.ts';
import { consumeOfNetwork, tellLimit } from './networks.ts';

declare module '../../platform/platform.ts' {
  interface Platform {
    readonly pageRateLimit: Bucket;
    readonly takeTurn: ReturnType<typeof createTurns>;
    readonly takePageTurn: ReturnType<typeof createTurns>;
  }
}

/** Throws BudgetSpent over the limit. */
export function countPage(reply: FastifyReply): void {
  const { runtime } = reply.request.server;
  if (!isPageWithin(reply, 1, false)) throw new BudgetSpent(tooManyRequests, runtime.now(), runtime.now());
}

/** Runs in `onSend`, since a long page counts as several. */
export function countAnsweredPage(reply: FastifyReply, payload: unknown): void {
  const bytes = typeof payload === 'string' ? Buffer.byteLength(payload) : 0;
  const further = furtherRequestsFor(reply.request, bytes);
  if (further > 0) isPageWithin(reply, further, true);
}

function isPageWithin(reply: FastifyReply, amount: number, isDone: boolean): boolean {
  const { server, session } = reply.request;
  const limit = server.pageRateLimit;
  // Visitors don't learn how much is left, which would tell apart answers that must be alike.
  if (session === undefined) return consumeOfNetwork(limit, reply.request, { amount, isDone }).isAllowed;
  const ofSession = limit.consume(`session ${session.idHash}`, { amount, isDone });
  if (!ofSession.isAllowed) return tellLimit(reply, limit, ofSession);
  const { id } = session.person;
  const ofPerson = limit.consume(`person ${id}`, { amount, isDone, share: personShare });
  return tellLimit(reply, limit, ofPerson.isAllowed ? ofSession : ofPerson);
}

/** Only people who are signed in take turns; visitors have limits of their own. */
export async function takePageTurn(request: FastifyRequest): Promise<Turn | undefined> {
  const { server, session } = request;
  if (session === undefined) return undefined;
  const key = `session ${session.idHash}`;
  const caller = { key, person: String(session.person.id), bucket: key };
  return server.takePageTurn(request, caller, server.pageRateLimit);
}
