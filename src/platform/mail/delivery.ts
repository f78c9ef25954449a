import PQueue from 'p-queue';
import { grouped } from '../group-commit.ts';
import { count } from '../metrics/counters.ts';
import type { Platform } from '../platform.ts';
import {
  claimAndSettle,
  type Delivery,
  doWhatIsDue,
  startWorker,
  type Work,
  writeWhileLeased,
} from '../queue/worker.ts';
import { openEmail } from './email.ts';
import { mailFailureOf, maxConnections, type SendMail } from './smtp.ts';
import {
  type ClaimedMessage,
  claimMessages,
  emailQueues,
  queueLogged,
  type SendOutcome,
  settleMessages,
} from './store.ts';

/**
 * While a message is being sent, no one else may send it; the lease is longer than any attempt
 * takes.
 */
export const leaseSeconds = 120;
/** What is only logged has no connection to wait for. */
const loggedTogether = 20;
const firstRetrySeconds = 5;
/** @public */
export const longestRetrySeconds = 3600;
/** A permanent refusal can be a mistake: the last of these comes a quarter of an hour later. */
const maxPermanentRefusals = 5;

export interface DeliveryOptions extends Pick<Platform, 'db' | 'runtime' | 'secrets' | 'log'> {
  /** Without a mail server, messages stay queued and are logged (contract §1). */
  readonly send: SendMail | undefined;
}

/** Waits 5, 10, 20, … seconds, at most an hour. Only repeated permanent refusals end it. */
export function retrySeconds(attempts: number, isPermanent = false): number {
  const first = isPermanent ? firstRetrySeconds * 12 : firstRetrySeconds;
  return Math.min(first * 2 ** Math.min(attempts - 1, 20), longestRetrySeconds);
}

/** One connection is kept for account emails. */
function worksOf(deps: DeliveryOptions): readonly Work[] {
  const { db, runtime, send } = deps;
  let queuesLogged = send !== undefined;
  const settle = grouped(
    async (outcomes: readonly SendOutcome[]) => {
      await oneByOne.add(() => settleMessages(db, outcomes, runtime.now()));
      return [];
    },
    ({ id }) => id,
  );
  // A claim doesn't see what another one reads: review would go out before account safety.
  const oneByOne = new PQueue({ concurrency: 1 });
  const workOn = (queues: readonly (typeof emailQueues)[number][], places: number): Work =>
    claimAndSettle(
      deps,
      { what: 'the outbox', leaseSeconds, places },
      (claim) =>
        oneByOne.add(async () => {
          if (queuesLogged) await queueLogged(db, claim.now);
          queuesLogged = false;
          return claimMessages(db, queues, claim);
        }),
      async (message) => {
        const { id, job, attempts } = message;
        const outcome = { id, job, attempts, ...(await deliver(deps, message)) };
        await writeWhileLeased(() => settle(outcome), leaseSeconds);
      },
    );
  return send === undefined
    ? [workOn(emailQueues, loggedTogether)]
    : [workOn(['account_emails'], 1), workOn(emailQueues, maxConnections - 1)]; // protects: C52
}

export async function deliverDue(deps: DeliveryOptions): Promise<void> {
  await doWhatIsDue(worksOf(deps));
}

async function deliver(
  { runtime, secrets, log, send }: DeliveryOptions,
  message: ClaimedMessage,
): Promise<Partial<SendOutcome>> {
  const { id, attempts, recipient, subject, text } = message;
  if (send === undefined) {
    log.info({ mail: { id, recipient, subject, text } }, 'mail kept in the outbox: no SMTP_URL');
    return { loggedAt: runtime.now(), attempts: 0 };
  }
  try {
    await send({ ...message, ...openEmail(message, secrets, runtime.now()) });
  } catch (error) {
    const { failure: lastFailure, isPermanent } = mailFailureOf(error);
    if (isPermanent && attempts >= maxPermanentRefusals) {
      count('emails', 'given_up');
      log.warn({ mail: { id, attempts, failure: lastFailure } }, 'mail given up: the server refuses it');
      // An admin may have it tried again.
      return { lastFailure, failedAt: runtime.now() };
    }
    const dueAt = after(runtime.now(), retrySeconds(attempts, isPermanent));
    count('emails', 'postponed');
    log.warn({ mail: { id, attempts, failure: lastFailure, dueAt } }, 'mail not sent, to be tried again');
    return { lastFailure, dueAt };
  }
  count('emails', 'sent');
  log.info({ mail: { id, attempts } }, 'mail sent');
  return { sentAt: runtime.now() };
}

export function startDelivery(deps: DeliveryOptions): Delivery {
  const { nudge, stop } = startWorker(worksOf(deps));
  return { nudge, stop: () => stop().finally(() => deps.send?.close?.()) };
}

export function after(instant: Date, seconds: number): Date {
  return new Date(instant.getTime() + seconds * 1000);
}
