import { timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { limitsOfNetwork } from '../../accounts/rate-limits/networks.ts';
import { normalAddressOf } from '../../platform/mail/budgets.ts';
import { type Email, renderEmail } from '../../platform/mail/email.ts';
import { addToOutbox } from '../../platform/mail/store.ts';
import { clientAddressOf, networkOf } from '../../platform/networks.ts';
import { withoutLinks } from '../../platform/plain-text.ts';
import type { Platform } from '../../platform/platform.ts';
import { consume, type Limited, refund } from '../../platform/rate-limits/attempts.ts';
import type { Secrets } from '../../platform/secrets.ts';
import { english, type Words } from '../../platform/words.ts';
import { type Ok, ok, type Refusal, refuse } from '../../result.ts';
import type { HostedEventType } from '../event-type-hosts/store.ts';
import { bookerLimits } from '../limits.ts';

type App = Pick<Platform, 'config' | 'db' | 'mail' | 'runtime' | 'secrets'>;

interface Booker {
  readonly eventType: HostedEventType['eventType'];
  readonly email: string;
}

const codeRefusals = ['email_not_verified', 'code_wrong', 'too_many_codes'] as const;
export type BookerCodeRefusal = Refusal<(typeof codeRefusals)[number]>;

export function isAboutCode(refusal: Refusal<string>): refusal is BookerCodeRefusal {
  return codeRefusals.some((reason) => reason === refusal.reason);
}

const purpose = 'booker-code';
const windowSeconds = 300;
/** A code works for 10 to 15 minutes. */
const validWindows = [0, 1, 2] as const;

/** Hosts, and the team's own tokens, need no code. */
export function needsCode(
  { eventType, hosts }: HostedEventType,
  caller: { readonly userId: number | undefined; readonly teamId: number | null },
): boolean {
  // protects: C78 (without if (!eventType.requiresBookerEmailVerification))
  if (!eventType.requiresBookerEmailVerification) return false;
  // A team's token stands for the team alone, not for its user.
  if (caller.teamId !== null) return caller.teamId !== eventType.teamId;
  return !hosts.some(({ id }) => id === caller.userId);
}

/** Nothing is stored: the code is a MAC of event type, address and time. */
function codeAt({ eventType, email }: Booker, window: number, secrets: Secrets): string {
  const bytes = Buffer.from(JSON.stringify([eventType.id, email.toLowerCase(), window]));
  const number = Buffer.from(secrets.mac(purpose, bytes)).readUIntBE(0, 6);
  return String(number % 1_000_000).padStart(6, '0');
}

function windowAt({ runtime }: Pick<Platform, 'runtime'>): number {
  return Math.floor(runtime.now().getTime() / 1000 / windowSeconds);
}

/**
 * Emails the code under limits of its own, because others can use up an event type's budgets
 * (security C78). A refusal's `detail` is the seconds to wait.
 */
export async function sendCode(app: App, booker: Booker, request: FastifyRequest, words: Words = english) {
  const network = limitsOfNetwork(bookerLimits.booker_code_request, request);
  const mailbox = normalAddressOf(booker.email);
  const { userId, teamId } = booker.eventType;
  const ofOwner = [String(userId), String(teamId), mailbox];
  const consumed = await consume(app, [
    ...network,
    // The owner's limit comes first: what it refuses doesn't count for the mailbox.
    { limit: bookerLimits.booker_code_letter, parts: ofOwner }, // protects: C78 (ofOwner → [mailbox])
    { limit: bookerLimits.booker_code_mailbox, parts: [mailbox] }, // protects: C78
  ]);
  // protects: C78
  if (consumed.outcome === 'limited') return refuse('too_many_codes', `${consumed.retryAfterSeconds}`);
  const code = codeAt(booker, windowAt(app), app.secrets);
  const email = renderEmail(codeEmail(booker, code, words), booker.email, app);
  const cause = `email:network:${networkOf(clientAddressOf(request))}`;
  await addToOutbox(app.db, [email], app.runtime.now(), { cause });
  app.mail.nudge();
  return ok(undefined);
}

function codeEmail({ eventType }: Booker, code: string, words: Words): Email {
  const { t } = words;
  return {
    words,
    subject: t('Your code to book {event}', { event: withoutLinks(eventType.title) }),
    text: [t('Enter this code to confirm that the booking is yours. It works for 10 minutes.')],
    code,
    footer: t(
      'You received this email because someone is booking with this address. If it wasn’t you, ignore it.',
    ),
  };
}

export async function checkCode(
  app: App,
  booker: Booker,
  presented: string | undefined,
  network: readonly Limited[],
): Promise<Ok<void> | BookerCodeRefusal> {
  if (presented === undefined) return refuse('email_not_verified');
  const parts = [String(booker.eventType.id), normalAddressOf(booker.email)];
  const consumed = await consume(app, [...network, { limit: bookerLimits.booker_code, parts }]);
  if (consumed.outcome === 'limited') return refuse('too_many_codes', `${consumed.retryAfterSeconds}`);
  const sent = Buffer.from(presented.padEnd(6).slice(0, 6));
  const window = windowAt(app);
  const fits = validWindows.map((ago) => {
    const code = Buffer.from(codeAt(booker, window - ago, app.secrets));
    return code.length === sent.length && timingSafeEqual(code, sent);
  });
  if (!fits.includes(true)) return refuse('code_wrong');
  await refund(app, consumed.consumed);
  return ok(undefined);
}
