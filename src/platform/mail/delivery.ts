import { setTimeout as sleep } from 'node:timers/promises';
import type { Platform } from '../platform.ts';
import { openEmail } from './email.ts';
import { mailFailureOf, type SendMail } from './smtp.ts';
import { type ClaimedMessage, claimMessage, markLogged, markSent, postpone } from './store.ts';

/** While a message is being sent nobody else may; longer than any attempt can take. */
export const leaseSeconds = 120;
const firstRetrySeconds = 5;
const longestRetrySeconds = 3600;
const pollMs = 5000;
const stopWaitMs = 4000;

export interface Delivery {
  /** Looks into the outbox now instead of at the next poll. */
  nudge(): void;
  /**
   * Resolves when the message in hand is settled, or a mail server has hung too long; its lease
   * makes it due again.
   */
  stop(): Promise<void>;
}

export interface DeliveryOptions extends Pick<Platform, 'db' | 'runtime' | 'secrets' | 'log'> {
  /**
   * Undefined: no mail server; messages stay in the outbox and are written to the log (contract
   * §1).
   */
  readonly send: SendMail | undefined;
}

/**
 * Seconds to wait after so many failed attempts: 5, 10, 20, … at most an hour, for ever: a message
 * is never given up.
 */
export function retrySeconds(attempts: number): number {
  return Math.min(firstRetrySeconds * 2 ** Math.min(attempts - 1, 20), longestRetrySeconds);
}

/** Delivers what is due, one message after the other; resolves when nothing is due. */
export async function deliverDue(
  deps: DeliveryOptions,
  isStopping: () => boolean = () => false,
): Promise<void> {
  while (!isStopping()) {
    const now = deps.runtime.now();
    const leaseUntil = after(now, leaseSeconds);
    const message = await claimMessage(
      deps.db,
      now,
      leaseUntil,
      deps.send === undefined ? 'unlogged' : 'all',
    );
    if (message === undefined) return;
    await deliver(deps, message);
  }
}

async function deliver(
  { db, runtime, secrets, log, send }: DeliveryOptions,
  message: ClaimedMessage,
): Promise<void> {
  if (send === undefined) {
    const { id, recipient, subject, text } = message;
    log.info({ mail: { id, recipient, subject, text } }, 'mail kept in the outbox: no SMTP_URL');
    return markLogged(db, id, runtime.now());
  }
  try {
    await send({ ...message, ...openEmail(message, secrets) });
  } catch (error) {
    const failure = mailFailureOf(error);
    const dueAt = after(runtime.now(), retrySeconds(message.attempts));
    log.warn(
      { mail: { id: message.id, attempts: message.attempts, failure, dueAt } },
      'mail not sent, to be tried again',
    );
    return postpone(db, message.id, failure, dueAt);
  }
  log.info({ mail: { id: message.id, attempts: message.attempts } }, 'mail sent');
  return markSent(db, message.id, runtime.now());
}

/** Delivers in the background until it is stopped. */
export function startDelivery(deps: DeliveryOptions): Delivery {
  let isStopping = false;
  let running: Promise<void> = Promise.resolve();
  const run = (): void => {
    running = running
      .then(() => deliverDue(deps, () => isStopping))
      .catch((err: unknown) => deps.log.error({ err }, 'the outbox could not be read'));
  };
  const timer = setInterval(run, pollMs);
  timer.unref();
  run();
  return {
    nudge: run,
    async stop() {
      isStopping = true;
      clearInterval(timer);
      await Promise.race([running, sleep(stopWaitMs, undefined, { ref: false })]);
    },
  };
}

function after(instant: Date, seconds: number): Date {
  return new Date(instant.getTime() + seconds * 1000);
}
