import type { Db } from '../database.ts';
import { consumeEach, findResetAt } from '../rate-limits/store.ts';
import type { RenderedEmail } from './email.ts';
import { addToOutbox, findLastSent, replaceUnsent } from './store.ts';

/** Emails per hour (security C50). Account emails have limits of their own, where they are made. */
const hourly = {
  /** To one address, in any spelling, of a person who may have no account here. */
  address: 20,
  /** To a host, who sees the bookings on a page too. */
  host: 200,
  /** About one event type, to people who don't host it. */
  eventType: 300,
  /** Caused by one user, one network, one IPv6 /48. */
  user: 300,
  network: 150,
  wideNetwork: 600,
} as const;

const windowSeconds = 3600;
/** Between two emails about one thing to one recipient; the last change in between is sent. */
const threadSeconds = 60;

/** Who makes us send emails: a user, or a visitor's network and, with IPv6, the /48 around it. */
export type EmailCause =
  | { readonly userId: number }
  | { readonly network: string; readonly wideNetwork: string | undefined };

/** An email that someone other than its recipient causes. */
export interface CausedEmail extends RenderedEmail {
  readonly isToHost: boolean;
}

/** The cause has to wait; nothing of its request is written. */
export class EmailBudgetSpent extends Error {
  override readonly name = 'EmailBudgetSpent';
  readonly statusCode = 429;
  readonly retryAfterSeconds: number;
  constructor(retryAfterSeconds: number) {
    super('one user or network has caused too many emails');
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/**
 * Queues the emails of one change, within the budgets of its cause, its event type and each
 * recipient. A recipient over budget gets no email, and the change stands. A newer email replaces
 * one about the same thing that wasn't sent yet, and costs nothing. Call it once in a transaction,
 * as its last statement: it locks budgets, in an order that is the same for all.
 *
 * @throws EmailBudgetSpent when the cause is over its budget
 */
export async function addCausedEmails(
  tx: Pick<Db, 'insert' | 'select' | 'delete'>,
  emails: readonly CausedEmail[],
  { cause, eventTypeId }: { readonly cause: EmailCause; readonly eventTypeId: number | null },
  now: Date,
): Promise<void> {
  const unique = onePerAddress(emails);
  const replaced = await replaceUnsent(tx, unique);
  const fresh = unique.filter(({ id }) => !replaced.has(id));
  const ofCause = causeLimits(cause, fresh.length);
  const ofEventType = {
    key: `email:event-type:${eventTypeId}`,
    max: hourly.eventType,
    amount: fresh.filter(({ isToHost }) => !isToHost).length,
  };
  const ofRecipients = fresh.map((email) => ({
    key: recipientKey(email),
    max: email.isToHost ? hourly.host : hourly.address,
    amount: 1,
  }));
  const limits = [...ofCause, ofEventType, ...ofRecipients]
    .filter(({ amount }) => amount > 0)
    .map((limit) => ({ ...limit, windowSeconds }));
  const withRoom = new Set((await consumeEach(tx, limits, now)).map(({ key }) => key));
  const spent = limits.find(({ key }) => !withRoom.has(key) && ofCause.some((one) => one.key === key));
  if (spent !== undefined) {
    const resetAt = (await findResetAt(tx, spent.key)) ?? now;
    throw new EmailBudgetSpent(Math.max(Math.ceil((resetAt.getTime() - now.getTime()) / 1000), 1));
  }
  const admitted = unique.filter(
    (email) =>
      replaced.has(email.id) ||
      (withRoom.has(recipientKey(email)) && (email.isToHost || withRoom.has(ofEventType.key))),
  );
  const lastSent = await findLastSent(tx, admitted, new Date(now.getTime() - threadSeconds * 1000));
  const dueAt = ({ id }: RenderedEmail): Date => {
    const last = lastSent.get(id);
    return last === undefined ? now : new Date(last.getTime() + threadSeconds * 1000);
  };
  await addToOutbox(tx, admitted, now, { cause: ofCause[0]?.key, dueAt });
}

/** An attendee who is also a guest, in another spelling, gets one email. */
function onePerAddress(emails: readonly CausedEmail[]): readonly CausedEmail[] {
  const byAddress = new Map(emails.toReversed().map((email) => [recipientKey(email), email]));
  return [...byAddress.values()].toReversed();
}

function causeLimits(cause: EmailCause, amount: number) {
  if ('userId' in cause) return [{ key: `email:user:${cause.userId}`, max: hourly.user, amount }];
  const { network, wideNetwork } = cause;
  return [
    { key: `email:network:${network}`, max: hourly.network, amount },
    ...(wideNetwork === undefined
      ? []
      : [{ key: `email:network:${wideNetwork}`, max: hourly.wideNetwork, amount }]),
  ];
}

function recipientKey({ isToHost, recipient }: CausedEmail): string {
  return `email:${isToHost ? 'host' : 'to'}:${normalAddressOf(recipient)}`;
}

const dotless = new Set(['gmail.com', 'googlemail.com']);

/** One spelling of a mailbox: without the tag after a plus, and without Gmail's dots. */
export function normalAddressOf(address: string): string {
  const at = address.lastIndexOf('@');
  const domain = address.slice(at + 1).toLowerCase();
  const [name = ''] = address.slice(0, at).toLowerCase().split('+');
  return dotless.has(domain) ? `${name.replaceAll('.', '')}@gmail.com` : `${name}@${domain}`;
}
