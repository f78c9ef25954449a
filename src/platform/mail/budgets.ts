import type { Db, WithCommit } from '../database.ts';
import { BudgetSpent, type SpentWords } from '../rate-limits/budget.ts';
import { hour, mapEntries, type RateLimit } from '../rate-limits/limit.ts';
import { consumeEach, findResetAt, type KeyedLimit } from '../rate-limits/store.ts';
import type { RenderedEmail } from './email.ts';
import { addToOutbox, findLastSent, replaceUnsent } from './store.ts';

/** Budgets count for as long as sent emails are kept. */
const outboxSeconds = 30 * 86_400;
/** A recipient gets one email about one thing in this time, about the last change. */
const threadSeconds = 60;

const tooManyEmails: SpentWords = {
  what: 'emails',
  message: 'Your requests have sent too many emails. Try again later.',
  title: 'Too many emails',
  text: 'You or your network have sent too many emails through us. Nothing was changed. Try again in an hour.',
};

/** Each object of the scope has this many emails an hour (security C50). */
export interface EmailLimit extends RateLimit {
  readonly scope: string;
}

export interface EmailBudget extends Pick<EmailLimit, 'scope' | 'max'> {
  readonly id: number | string;
}

export function emailLimits<Key extends string>(
  table: Readonly<
    Record<Key, readonly [scope: string, max: number, of: string, what: string, past?: string]>
  >,
) {
  return mapEntries(table, (_key, [scope, max, of, what, past]): EmailLimit => {
    const name = `email_${scope}`;
    return { scope, name, counted: 'database', windowSeconds: hour, max, of, what, ...(past && { past }) };
  });
}

/** Each budget of the cause must have room. The first one takes turns with others. */
export type EmailCause = readonly [EmailBudget, ...EmailBudget[]];

export interface CausedEmail extends RenderedEmail {
  /** The mailbox, in any spelling of the address, has this budget for what belongs to one owner. */
  readonly recipientBudget: Omit<EmailBudget, 'id'> & { readonly owner?: string };
  /** Each owner's `first` emails count for the owner alone, so that no other owner uses them up. */
  readonly mailboxBudget?: (Omit<EmailBudget, 'id'> & { readonly first: number }) | undefined;
  readonly topicBudget?: EmailBudget | undefined;
  /** The recipient has heard of what the email is about since then. */
  readonly since?: Date | undefined;
}

export interface CausedEmails {
  readonly cause: EmailCause | undefined;
  readonly emails: readonly CausedEmail[];
  /** Without a mail server it's false, because what is only recorded is kept whole. */
  readonly replacesUnsent: boolean;
  /** Nobody has heard of what they are about. */
  readonly areFirst: boolean;
}

/**
 * Queues the emails of one request, within the budgets of its cause, its topics and each recipient.
 * A recipient or topic over budget gets no email, or an hour later where it changes something that
 * the recipient was told of, and the change stands. A newer email replaces an unsent one about the
 * same thing, and costs nothing. Call it once in a transaction, as its last statement: it locks
 * budgets, in an order that is the same for all, and leaves the emails to `last`. @throws
 * BudgetSpent when the cause is over its budget
 */
export async function addCausedEmails(
  tx: Db,
  { cause, emails, replacesUnsent, areFirst }: CausedEmails,
  now: Date,
  last: WithCommit,
): Promise<void> {
  const unique = onePerAddress(emails);
  if (unique.length === 0) return;
  const nobody = new Map<string, Date>();
  const replaced = replacesUnsent && !areFirst ? await replaceUnsent(tx, unique, now) : nobody;
  const fresh = unique.filter(({ id }) => !replaced.has(id));
  const ofCause = (cause ?? []).map(limitOf);
  const limits = sumByKey([...fresh.flatMap(() => ofCause), ...fresh.flatMap(limitsOf)]);
  const withRoom = new Set((await consumeEach(tx, limits, now)).map(({ key }) => key));
  const spent = fresh.length === 0 ? undefined : ofCause.find(({ key }) => !withRoom.has(key));
  // protects: C50
  if (spent !== undefined) {
    const resetAt = (await findResetAt(tx, spent.key)) ?? now;
    throw new BudgetSpent(tooManyEmails, resetAt, now);
  }
  const others = fresh.filter((email) => !withRoom.has(recipientLimit(email).key) && email.mailboxBudget);
  for (const { key } of await consumeEach(tx, sumByKey(others.flatMap(furtherLimitsOf)), now))
    withRoom.add(key);
  const isWithin = (email: CausedEmail): boolean => {
    const { topicBudget, mailboxBudget } = email;
    const isOfTopic = topicBudget === undefined || withRoom.has(limitOf(topicBudget).key);
    const isFurther =
      mailboxBudget !== undefined && furtherLimitsOf(email).every(({ key }) => withRoom.has(key));
    return isOfTopic && (withRoom.has(recipientLimit(email).key) || isFurther);
  };
  const over = new Set(fresh.filter((email) => !isWithin(email)));
  const lastSent = areFirst ? nobody : await findLastSent(tx, unique);
  const isPutOff = ({ id, since }: CausedEmail): boolean =>
    replacesUnsent &&
    (lastSent.has(id) || (since !== undefined && secondsBetween(since, now) > outboxSeconds));
  const admitted = unique.filter((email) => !over.has(email) || isPutOff(email)); // protects: C205
  const inHour = new Date(now.getTime() + hour * 1000);
  const dueAt = (email: CausedEmail): Date => {
    const last = lastSent.get(email.id)?.getTime() ?? 0;
    const at = Math.max(now.getTime(), last + threadSeconds * 1000, replaced.get(email.id)?.getTime() ?? 0);
    return over.has(email) ? inHour : new Date(at);
  };
  last(addToOutbox(tx, admitted, now, { cause: ofCause[0]?.key, dueAt }));
}

const secondsBetween = (since: Date, now: Date): number => (now.getTime() - since.getTime()) / 1000;

/** An attendee who is also a guest, in another spelling, gets one email about a booking. */
function onePerAddress(emails: readonly CausedEmail[]): readonly CausedEmail[] {
  const keyOf = (email: CausedEmail): string => `${recipientLimit(email).key} ${email.thread}`;
  const byAddress = new Map(emails.toReversed().map((email) => [keyOf(email), email]));
  return [...byAddress.values()].toReversed();
}

type Limit = Pick<KeyedLimit, 'key' | 'name' | 'max'>;

function limitOf({ scope, id, max }: EmailBudget): Limit {
  return { key: `email:${scope}:${id}`, name: `email_${scope}`, max };
}

function recipientLimit({ recipientBudget, mailboxBudget, recipient }: CausedEmail): Limit {
  const { owner = '', scope, max } = recipientBudget;
  // protects: C205
  return limitOf({ scope, id: `${owner} ${normalAddressOf(recipient)}`, max: mailboxBudget?.first ?? max });
}

/** Keys of further limits come after all others, as they are locked. */
function furtherLimitsOf({ recipientBudget, mailboxBudget, recipient }: CausedEmail): readonly Limit[] {
  if (mailboxBudget === undefined) return [];
  const { owner = '', scope, max } = recipientBudget;
  const id = normalAddressOf(recipient);
  return [
    limitOf({ scope, id: `${owner} ${id}`, max: max - mailboxBudget.first }),
    limitOf({ ...mailboxBudget, id }),
  ].map((limit) => ({ ...limit, key: `further ${limit.key}` }));
}

function limitsOf(email: CausedEmail): readonly Limit[] {
  const { topicBudget } = email;
  return [recipientLimit(email), ...(topicBudget === undefined ? [] : [limitOf(topicBudget)])];
}

function sumByKey(limits: readonly Limit[]): readonly KeyedLimit[] {
  const sums = new Map<string, KeyedLimit>();
  for (const { key, name, max } of limits)
    sums.set(key, { key, name, max, windowSeconds: hour, amount: (sums.get(key)?.amount ?? 0) + 1 });
  return [...sums.values()];
}

const dotless = new Set(['gmail.com', 'googlemail.com']);

/** One mailbox has many spellings: the tag after a plus and Gmail's dots are left out. */
export function normalAddressOf(address: string): string {
  const at = address.lastIndexOf('@');
  const domain = address.slice(at + 1).toLowerCase();
  const [name = ''] = address.slice(0, at).toLowerCase().split('+');
  return dotless.has(domain) ? `${name.replaceAll('.', '')}@gmail.com` : `${name}@${domain}`;
}
