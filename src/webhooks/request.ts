import { isIP } from 'node:net';
import { z } from 'zod';
import { isPlainText } from '../platform/plain-text.ts';
import type { Platform } from '../platform/platform.ts';
import { isPublicAddress } from '../platform/public-address.ts';
import { bookingTriggers } from '../v2/booking-events.ts';
import { inDigits, isWebAddress } from '../v2/input.ts';
import { mayReceive } from './delivery/delivery.ts';
import { accessTriggers, payloadVersion } from './webhook.ts';

const maxAddress = 2000;
export const addressError = `Use an https:// address without a username or password, up to ${maxAddress} characters.`;

const subscriberUrl = z
  .string({ error: addressError })
  .trim()
  .max(maxAddress, { error: addressError, abort: true })
  .refine(isWebAddress, { error: addressError })
  .describe('Where events are sent: an https address on the public internet.')
  .meta({ format: 'uri', examples: ['https://app.example/webhooks'] });

export const privateError =
  'Use an address on the public internet. We can’t send events to private networks.';

/** Plain http is for development on one machine. Returns undefined if the address can be kept. */
export function addressFaultOf(text: string | undefined, config: Pick<Platform['config'], 'appUrl'>) {
  if (text === undefined) return undefined;
  const { protocol, hostname } = new URL(text);
  const host = hostname.replace(/^\[|\]$|\.$/g, '').replace(/^(?:.+\.)?localhost$/, '127.0.0.1');
  if (isIP(host) === 0 || isPublicAddress(host)) return protocol === 'https:' ? undefined : 'address';
  return mayReceive(config, host) ? undefined : 'private_address'; // protects: C43
}

/** Clients that are written for Cal.com bring secrets of any kind. */
const secret = z
  .string()
  .min(1)
  .max(255)
  .refine(isPlainText, { error: 'Remove control characters and lone surrogates.' })
  .describe(
    'The key of the signatures: `whsec_` and 32 random bytes in base64 for Standard Webhooks’ `webhook-signature`, anything else for Cal.com’s `X-Cal-Signature-256` alone. It is stored encrypted and never returned again; a client that has lost it sends a new one.',
  )
  .meta({ examples: ['whsec_bWFrZSAzMiByYW5kb20gYnl0ZXMgb2YgeW91ciBvd24='] });

const fields = {
  subscriberUrl,
  active: z.boolean().describe('Whether events are sent.'),
  secret,
  version: z.literal(payloadVersion).optional().describe('The layout of payloads. There is one.'),
} as const;

const optional = {
  active: fields.active.default(true),
  secret: secret.optional().describe('The key of the signatures. Without one, we generate it.'),
};

const triggersOf = <const Name extends string>(
  names: readonly [Name, ...Name[]],
  { id, example }: { readonly id: string; readonly example: Name },
) =>
  z
    .array(z.enum(names, { error: ({ input }) => wrongTrigger(names, input) }).meta({ id }))
    .min(1, { error: 'Choose at least one event.' })
    .max(20)
    .transform((sent) => [...new Set(sent)])
    .describe('The events to send.')
    .meta({ examples: [[example]] });

function wrongTrigger(names: readonly string[], sent: unknown): string {
  const isOfApps = accessTriggers.some((name) => name === sent);
  const advice = isOfApps ? ` ${accessTriggers.join(' and ')} are for webhooks of apps.` : '';
  return `Use one of ${names.join(', ')}.${advice}`;
}

export const ownTriggers = bookingTriggers;
export const appTriggers = [...bookingTriggers, ...accessTriggers] as const;
const ofBookings = {
  triggers: triggersOf(ownTriggers, { id: 'WebhookTrigger', example: 'BOOKING_CREATED' }),
};
const ofApps = {
  triggers: triggersOf(appTriggers, { id: 'AppWebhookTrigger', example: 'ACCESS_GRANTED' }),
};

const example = {
  subscriberUrl: 'https://app.example/webhooks',
  triggers: ['BOOKING_CREATED'],
  active: true,
};

export const newWebhook = z
  .object({ ...fields, ...optional, ...ofBookings })
  .meta({ id: 'NewWebhook', examples: [example] });

export const webhookChanges = z
  .object({ ...fields, ...ofBookings })
  .partial()
  .meta({ id: 'WebhookChanges', examples: [{ active: false }] });

export const newAppWebhook = z
  .object({ ...fields, ...optional, ...ofApps })
  .meta({ id: 'NewAppWebhook', examples: [{ ...example, triggers: ['BOOKING_CREATED', 'ACCESS_REMOVED'] }] });

export const appWebhookChanges = z
  .object({ ...fields, ...ofApps })
  .partial()
  .meta({ id: 'AppWebhookChanges', examples: [{ active: false }] });

const exampleId = '0f3b7c52-8f53-4f0e-9a4e-2f7e8c1d6b90';
export const webhookId = z
  .guid({ error: 'Use the ID of a webhook.' })
  .describe('The webhook ID.')
  .meta({ examples: [exampleId] });
export const deliveryId = inDigits(z.int().min(1))
  .describe('The delivery ID.')
  .meta({ examples: [7] });
