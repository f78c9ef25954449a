import { count } from '../metrics/counters.ts';
import type { Platform } from '../platform.ts';
import { claimAndSettle, type Delivery, startLanes, type Work, writeWhileLeased } from '../queue-worker.ts';
import { openEmail } from './email.ts';
import { mailFailureOf, maxConnections, type SendMail } from './smtp.ts';
import { type Claimable, type ClaimedMessage, claimMessage, settleMessage } from './store.ts';

/** While a message is being sent no one else may send it; longer than any attempt takes. */
export const leaseSeconds = 120;
const firstRetrySeconds = 5;
export const longestRetrySeconds = 3600;
/** A permanent refusal can be a mistake: the last of these comes a quarter of an hour later. */
const maxPermanentRefusals = 5;

export interface DeliveryOptions extends Pick<Platform, 'db' | 'runtime' | 'secrets' | 'log'> {
  /** Undefined without a mail server: messages stay queued and are logged (contract §1). */
  readonly send: SendMail | undefined;
}

/**
 * Seconds to wait after so many failed attempts: 5, 10, 20, … at most an hour. A message is given
 * up only when the server refuses it for good, and does so again a while later.
 */
export function retrySeconds(attempts: number, isPermanent = false): number {
  const first = isPermanent ? firstRetrySeconds * 12 : firstRetrySeconds;
  return Math.min(first * 2 ** Math.min(attempts - 1, 20), longestRetrySeconds);
}

/** What is sent at the same time: one connection is kept for account emails. */
function lanesOf({ send }: DeliveryOptions): readonly Claimable[] {
  return send === undefined
    ? ['unlogged']
    : ['account', ...Array.from({ length: maxConnections - 1 }, () => 'all' as const)];
}

/** Delivers what is due; resolves when nothing is due. */
export async function deliverDue(
  deps: DeliveryOptions,
  isStopping: () => boolean = () => false,
): Promise<void> {
  await Promise.all(lanesOf(deps).map((lane) => workOf(deps, lane)(isStopping)));
}

function workOf(deps: DeliveryOptions, lane: Claimable): Work {
  return claimAndSettle(
    deps,
    { leaseSeconds },
    (now, leaseUntil) => claimMessage(deps.db, now, leaseUntil, lane),
    (message) => deliver(deps, message),
  );
}

async function deliver({ db, runtime, secrets, log, send }: DeliveryOptions, message: ClaimedMessage) {
  const { id, attempts, recipient, subject, text } = message;
  if (send === undefined) {
    log.info({ mail: { id, recipient, subject, text } }, 'mail kept in the outbox: no SMTP_URL');
    const now = runtime.now();
    return settleMessage(db, id, { loggedAt: now, dueAt: now, attempts: 0 });
  }
  try {
    await send({ ...message, ...openEmail(message, secrets, runtime.now()) });
  } catch (error) {
    const { failure, isPermanent } = mailFailureOf(error);
    if (isPermanent && attempts >= maxPermanentRefusals) {
      count('emails', 'given_up');
      log.warn({ mail: { id, attempts, failure } }, 'mail given up: the server refuses it');
      // Unless an admin wants it tried again.
      return settleMessage(db, id, { lastFailure: failure, failedAt: runtime.now(), cause: null });
    }
    const dueAt = after(runtime.now(), retrySeconds(attempts, isPermanent));
    count('emails', 'postponed');
    log.warn({ mail: { id, attempts, failure, dueAt } }, 'mail not sent, to be tried again');
    return settleMessage(db, id, { lastFailure: failure, dueAt });
  }
  count('emails', 'sent');
  log.info({ mail: { id, attempts } }, 'mail sent');
  const sent = { sentAt: runtime.now(), lastFailure: null, cause: null };
  await writeWhileLeased(() => settleMessage(db, id, sent), leaseSeconds);
}

/** Delivers in the background until it is stopped. */
export function startDelivery(deps: DeliveryOptions): Delivery {
  const works = lanesOf(deps).map((lane) => workOf(deps, lane));
  const { nudge, stop } = startLanes(works, { log: deps.log, what: 'the outbox' });
  return { nudge, stop: () => stop().finally(() => deps.send?.close?.()) };
}

export function after(instant: Date, seconds: number): Date {
  return new Date(instant.getTime() + seconds * 1000);
}
