import { createHmac } from 'node:crypto';
import type { AccessEvent } from '../oauth/access-events.ts';
import type { Platform } from '../platform/platform.ts';
import type { Secrets } from '../platform/secrets.ts';
import { bookingTriggers } from '../v2/booking-events.ts';

/** For the webhooks of an app. */
export const accessTriggers = ['ACCESS_GRANTED', 'ACCESS_REMOVED'] as const satisfies readonly AccessEvent[];
/** PING: the test that people send by hand. */
export const webhookTriggers = [...bookingTriggers, ...accessTriggers, 'PING'] as const;

export type WebhookTrigger = (typeof webhookTriggers)[number];

/** `dropped`: too many waited, or the webhook was stopped. */
export const deliveryOutcomes = ['delivered', 'failed', 'dropped'] as const;

/** Of one owner. */
export const maxWebhooks = 20;
/** Of one webhook: the oldest ones beyond are dropped. */
export const maxPending = 1000;
/** Settled deliveries of one webhook that its log keeps, for so many days at most. */
export const maxLogged = 100;
export const deliveryKeptDays = 7;

/** The layout of what is sent, as Cal.com calls it. */
export const payloadVersion = '2021-10-20';

const purpose = 'webhook';
const secretPrefix = 'whsec_';

/** As Standard Webhooks writes them: 32 random bytes. */
export function newWebhookSecret({ runtime }: Pick<Platform, 'runtime'>): string {
  return `${secretPrefix}${Buffer.from(runtime.randomBytes(32)).toString('base64')}`;
}

export function encryptWebhookSecret(secrets: Secrets, secret: string): Uint8Array {
  return secrets.encrypt(purpose, new TextEncoder().encode(secret));
}

/** In a key of its own, so that no column can stand for the other. */
export const urlPurpose = 'webhook-url';

/** What a webhook's row holds of its address: the origin, and all of it encrypted. */
export function encryptWebhookUrl(secrets: Secrets, url: string) {
  const encryptedUrl = secrets.encrypt(urlPurpose, new TextEncoder().encode(url));
  return { subscriberUrl: new URL(url).origin, encryptedUrl };
}

/** Undefined if the SECRET it was encrypted with is gone. */
export function decryptWebhookUrl(
  secrets: Secrets,
  {
    subscriberUrl,
    encryptedUrl,
  }: { readonly subscriberUrl: string; readonly encryptedUrl: Uint8Array | null },
): string | undefined {
  if (encryptedUrl === null) return subscriberUrl;
  const plain = secrets.decrypt(urlPurpose, encryptedUrl);
  return plain && new TextDecoder().decode(plain);
}

/** Undefined if the SECRET it was encrypted with is gone. */
export function decryptWebhookSecret(secrets: Secrets, encrypted: Uint8Array): string | undefined {
  const plain = secrets.decrypt(purpose, encrypted);
  return plain && new TextDecoder().decode(plain);
}

/**
 * The headers of an event (contract §8): Cal.com's signature of the body, and Standard Webhooks',
 * which covers id and time too, where the secret is written as it demands.
 */
export function webhookHeaders(
  secret: string,
  { id, body, now }: { readonly id: string; readonly body: string; readonly now: Date },
): Record<string, string> {
  const timestamp = String(Math.floor(now.getTime() / 1000));
  const headers = {
    'content-type': 'application/json',
    'x-cal-signature-256': createHmac('sha256', secret).update(body).digest('hex'),
    'x-cal-webhook-version': payloadVersion,
    'webhook-id': id,
    'webhook-timestamp': timestamp,
  };
  if (!secret.startsWith(secretPrefix)) return headers;
  const key = Buffer.from(secret.slice(secretPrefix.length), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return { ...headers, 'webhook-signature': `v1,${signature}` };
}
