import type { Db } from '../database.ts';
import { BudgetSpent } from '../rate-limits/budget.ts';
import { consumeEach, findResetAt, type RateLimit } from '../rate-limits/store.ts';
import type { RenderedEmail } from './email.ts';
import { addToOutbox, findLastSent, replaceUnsent } from './store.ts';

const windowSeconds = 3600;
/** Between two emails about one thing to one recipient; the last change in between is sent. */
const threadSeconds = 60;

/** So many emails an hour for whatever the id names within the scope (security C50). */
export interface EmailBudget {
  readonly scope: string;
  readonly id: number | string;
  readonly max: number;
}

/** Who makes us send emails: each budget must have room. The first one takes turns with others. */
export type EmailCause = readonly [EmailBudget, ...EmailBudget[]];

/** An email that someone other than its recipient causes. */
export interface CausedEmail extends RenderedEmail {
  /** Of its mailbox, in any spelling of the address. */
  readonly recipientBudget: Omit<EmailBudget, 'id'>;
  /** Of what it is about; undefined: no limit. */
  readonly topicBudget?: EmailBudget | undefined;
}

export interface CausedEmails {
  /** Undefined: we ourselves, without a limit. */
  readonly cause: EmailCause | undefined;
  readonly emails: readonly CausedEmail[];
  /** False without a mail server: what is only recorded is kept whole. */
  readonly replacesUnsent: boolean;
}

/**
 * Queues the emails of one request, within the budgets of its cause, its topics and each recipient.
 * A recipient or topic over budget gets no email, and the change stands. A newer email replaces one
 * about the same thing that wasn't sent yet, and costs nothing. Call it once in a transaction, as
 * its last statement: it locks budgets, in an order that is the same for all.
 *
 * @throws BudgetSpent when the cause is over its budget
 */
export async function addCausedEmails(
  tx: Db,
  { cause, emails, replacesUnsent }: CausedEmails,
  now: Date,
): Promise<void> {
  const unique = onePerAddress(emails);
  if (unique.length === 0) return;
  const replaced = replacesUnsent ? await replaceUnsent(tx, unique) : new Set<string>();
  const fresh = unique.filter(({ id }) => !replaced.has(id));
  const ofCause = (cause ?? []).map(limitOf);
  const limits = sumByKey([...fresh.flatMap(() => ofCause), ...fresh.flatMap(limitsOf)]);
  const withRoom = new Set((await consumeEach(tx, limits, now)).map(({ key }) => key));
  const spent = fresh.length === 0 ? undefined : ofCause.find(({ key }) => !withRoom.has(key));
  if (spent !== undefined) {
    const resetAt = (await findResetAt(tx, spent.key)) ?? now;
    throw new BudgetSpent('emails', resetAt, now);
  }
  const isAdmitted = (email: CausedEmail): boolean =>
    replaced.has(email.id) || limitsOf(email).every(({ key }) => withRoom.has(key));
  const admitted = unique.filter(isAdmitted);
  const lastSent = await findLastSent(tx, admitted, new Date(now.getTime() - threadSeconds * 1000));
  const dueAt = ({ id }: RenderedEmail): Date => {
    const last = lastSent.get(id);
    return last === undefined ? now : new Date(last.getTime() + threadSeconds * 1000);
  };
  await addToOutbox(tx, admitted, now, { cause: ofCause[0]?.key, dueAt });
}

/** An attendee who is also a guest, in another spelling, gets one email about a booking. */
function onePerAddress(emails: readonly CausedEmail[]): readonly CausedEmail[] {
  const keyOf = (email: CausedEmail): string => `${recipientLimit(email).key} ${email.thread}`;
  const byAddress = new Map(emails.toReversed().map((email) => [keyOf(email), email]));
  return [...byAddress.values()].toReversed();
}

type Limit = Pick<RateLimit, 'key' | 'name' | 'max'>;

function limitOf({ scope, id, max }: EmailBudget): Limit {
  return { key: `email:${scope}:${id}`, name: `email_${scope}`, max };
}

function recipientLimit({ recipientBudget, recipient }: CausedEmail): Limit {
  return limitOf({ ...recipientBudget, id: normalAddressOf(recipient) });
}

function limitsOf(email: CausedEmail): readonly Limit[] {
  const { topicBudget } = email;
  return [recipientLimit(email), ...(topicBudget === undefined ? [] : [limitOf(topicBudget)])];
}

/** One of each key, with how many of it there are. */
function sumByKey(limits: readonly Limit[]): readonly RateLimit[] {
  const sums = new Map<string, RateLimit>();
  for (const { key, name, max } of limits)
    sums.set(key, { key, name, max, windowSeconds, amount: (sums.get(key)?.amount ?? 0) + 1 });
  return [...sums.values()];
}

const dotless = new Set(['gmail.com', 'googlemail.com']);

/** One spelling of a mailbox: without the tag after a plus, and without Gmail's dots. */
export function normalAddressOf(address: string): string {
  const at = address.lastIndexOf('@');
  const domain = address.slice(at + 1).toLowerCase();
  const [name = ''] = address.slice(0, at).toLowerCase().split('+');
  return dotless.has(domain) ? `${name.replaceAll('.', '')}@gmail.com` : `${name}@${domain}`;
}
