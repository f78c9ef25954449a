import { createHmac } from 'node:crypto';
import type { AccessEvent } from '../oauth/access-events.ts';
import type { Platform } from '../platform/platform.ts';
import { encryptedTexts, type Secrets } from '../platform/secrets.ts';
import { bookingTriggers } from '../v2/booking-events.ts';

export const accessTriggers = ['ACCESS_GRANTED', 'ACCESS_REMOVED'] as const satisfies readonly AccessEvent[];
export const webhookTriggers = [...bookingTriggers, ...accessTriggers, 'PING'] as const;

export type WebhookTrigger = (typeof webhookTriggers)[number];

/** A delivery is `dropped` if too many waited, or the webhook was stopped. */
export const deliveryOutcomes = ['delivered', 'failed', 'dropped'] as const;

export const maxWebhooks = 20;
/** A webhook's oldest deliveries beyond are dropped. */
export const maxPending = 1000;
export const maxLogged = 100;
export const deliveryKeptDays = 7;

export const payloadVersion = '2021-10-20';

const secretPrefix = 'whsec_';

/** Standard Webhooks prescribes 32 random bytes, in this form. */
export function newWebhookSecret({ runtime }: Pick<Platform, 'runtime'>): string {
  return `${secretPrefix}${Buffer.from(runtime.randomBytes(32)).toString('base64')}`;
}

export const webhookSecrets = encryptedTexts('webhook');
export const webhookUrls = encryptedTexts('webhook-url');
export const webhookAnswers = encryptedTexts('webhook-answer');

export function encryptWebhookUrl(secrets: Secrets, url: string) {
  return { subscriberUrl: new URL(url).origin, encryptedUrl: webhookUrls.encrypt(secrets, url) }; // protects: C214
}

/** Returns undefined if the SECRET it was encrypted with is gone. */
export function decryptWebhookUrl(
  secrets: Secrets,
  {
    subscriberUrl,
    encryptedUrl,
  }: { readonly subscriberUrl: string; readonly encryptedUrl: Uint8Array | null },
): string | undefined {
  return encryptedUrl === null ? subscriberUrl : webhookUrls.decrypt(secrets, encryptedUrl);
}

/**
 * Cal.com's signature covers the body; Standard Webhooks' also covers id and time (contract §8).
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
