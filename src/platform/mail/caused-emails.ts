import type { Db, WithCommit } from '../database.ts';
import { hour } from '../limits/limits.ts';
import { type Counted, counted, countedOf, reachedOf, takeEach } from '../limits/store.ts';
import type { Whose } from '../limits/whose.ts';
import { normalAddressOf } from './address.ts';
import type { RenderedEmail } from './email.ts';
import { addToOutbox, findLastSent, replaceUnsent } from './store.ts';

/** Emails count as told for as long as sent ones are kept. */
const outboxSeconds = 30 * 86_400;
/** A recipient gets one email about one thing in this time, about the last change. */
const threadSeconds = 60;

/** Who causes emails: their lane takes turns with others, and each key counts (security C50). */
export interface EmailCause {
  readonly lane: string;
  readonly whose: Whose;
}

export interface CausedEmail extends RenderedEmail {
  /** The mailbox, in any spelling of the address, gets so many of each of these (security C205). */
  readonly of: readonly string[];
  readonly times?: number;
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
  /** What they are about ends, which each thing does once, so no limit of a cause refuses it. */
  readonly areLast?: boolean;
}

/**
 * Queues the emails of one request, within the limits of its cause and of each recipient. A
 * recipient over the limit gets no email, or an hour later where it changes something that the
 * recipient was told of, and the change stands. A newer email replaces an unsent one about the same
 * thing. Call it once in a transaction, as its last statement: it locks counts, and leaves the
 * emails to `last`. @throws LimitReached when the cause has caused too many
 */
export async function addCausedEmails(
  tx: Db,
  { cause, emails, replacesUnsent, areFirst, areLast = false }: CausedEmails,
  now: Date,
  last: WithCommit,
): Promise<void> {
  const unique = onePerMailbox(emails);
  if (unique.length === 0) return;
  const nobody = new Map<string, Date>();
  const replaced = replacesUnsent && !areFirst ? await replaceUnsent(tx, unique, now) : nobody;
  const fresh = unique.filter(({ id }) => !replaced.has(id));
  // A request that replaces emails counts all the same, as each keeps a row (security C131).
  const amount = Math.max(fresh.length, 1);
  const ofCause = countedOf('emails', cause?.whose ?? []).map((one) => ({ ...one, amount }));
  const taken = await takeEach(tx, [...ofCause, ...fresh.map(limitOf)], now);
  const withRoom = new Set(taken.map(({ key }) => key));
  const spent = ofCause.find(({ key }) => !withRoom.has(key));
  if (spent !== undefined && !areLast) throw await reachedOf(tx, spent, now); // protects: C50
  const over = new Set(fresh.filter((email) => !withRoom.has(limitOf(email).key)));
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
  last(addToOutbox(tx, admitted, now, { cause: cause?.lane, dueAt }));
}

const secondsBetween = (since: Date, now: Date): number => (now.getTime() - since.getTime()) / 1000;

/** An attendee who is also a guest, in another spelling, gets one email about a booking. */
function onePerMailbox(emails: readonly CausedEmail[]): readonly CausedEmail[] {
  const keyOf = ({ recipient, thread }: CausedEmail): string => `${normalAddressOf(recipient)} ${thread}`;
  const byAddress = new Map(emails.toReversed().map((email) => [keyOf(email), email]));
  return [...byAddress.values()].toReversed();
}

function limitOf({ of, times, recipient }: CausedEmail): Counted {
  return counted('emails_to', [...of, normalAddressOf(recipient)], times);
}
