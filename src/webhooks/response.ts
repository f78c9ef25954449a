import { z } from 'zod';
import type { Secrets } from '../platform/secrets.ts';
import { exampleInt, exampleNull, exampleText, exampleTime, type RefusalWords } from '../v2/operation.ts';
import type { ShownDelivery } from './delivery/store.ts';
import { addressError, privateError } from './request.ts';
import type { Webhook, WebhookMaker } from './store.ts';
import { decryptWebhookUrl, maxWebhooks, payloadVersion, webhookTriggers } from './webhook.ts';

const exampleId = exampleText('0f3b7c52-8f53-4f0e-9a4e-2f7e8c1d6b90');

const trigger = z.enum(webhookTriggers).meta({ id: 'WebhookEvent' });

export const webhookAnswer = z
  .object({
    id: exampleId,
    userId: z.int().optional().describe('The user whose webhook it is.'),
    teamId: z.int().optional().describe('The team whose webhook it is.'),
    eventTypeId: z.int().optional().describe('The only event type whose bookings it hears of.'),
    oAuthClientId: z.string().optional().describe('The app whose webhook it is.'),
    subscriberUrl: exampleText('https://app.example/webhooks', 'uri').describe(
      'Where events are sent; with a token of an app that didn’t create it, without path and query.',
    ),
    triggers: z
      .array(trigger)
      .describe('The events that are sent.')
      .meta({ examples: [['BOOKING_CREATED']] }),
    active: z.boolean().describe('Whether events are sent.'),
    payloadTemplate: exampleNull(z.string()).describe('Always null; templates aren’t supported.'),
    version: z.literal(payloadVersion).describe('The layout of payloads.'),
    failingSince: z.iso.datetime().nullable().describe('The first of the failures in a row; null: none.'),
    disabledAt: z.iso
      .datetime()
      .nullable()
      .describe('When we turned it off, after 3 days of nothing but failures; null otherwise.'),
    createdAt: exampleTime('2030-01-02T12:00:00.000Z'),
  })
  .meta({ id: 'Webhook' });

export const createdWebhook = webhookAnswer
  .extend({ secret: exampleText('a-long-random-secret').describe('Copy it: it isn’t returned again.') })
  .meta({ id: 'CreatedWebhook' });

const deliveryStates = ['waiting', 'retrying', 'delivered', 'failed', 'dropped'] as const;

export const deliveryAnswer = z
  .object({
    id: z.int(),
    eventId: exampleId.describe('The event’s `webhook-id`, the same in each attempt.'),
    triggerEvent: trigger.describe('What happened; PING is a test.'),
    state: z
      .enum(deliveryStates)
      .meta({ id: 'WebhookDeliveryState' })
      .describe(
        'failed: given up after a day. dropped: too many waited, or the webhook was turned off before it was sent.',
      ),
    attempts: exampleInt(1).describe('Attempts so far.'),
    status: z.int().nullable().describe('Your server’s HTTP status; null: no answer.'),
    failure: z.string().nullable().describe('Why there was no answer.'),
    durationMs: z.int().nullable().describe('How long the last attempt took.'),
    createdAt: exampleTime('2030-01-02T12:00:00.000Z'),
    nextAttemptAt: z.iso.datetime().nullable().describe('null: there is none.'),
  })
  .meta({ id: 'WebhookDelivery' });

export const webhookRefusals = {
  address: ['BadRequest', addressError, 'subscriberUrl'],
  private_address: ['BadRequest', privateError, 'subscriberUrl'],
  too_many: ['Conflict', `There are ${maxWebhooks} webhooks, the maximum. Delete one first.`],
  not_found: ['NotFound', 'Webhook not found.'],
  event_type_not_found: ['NotFound', 'Event type not found.'],
  not_its_own: [
    'Forbidden',
    'Apps can’t change the URL or secret of webhooks that they didn’t create. Create one instead.',
  ],
  off: ['Conflict', 'The webhook is turned off. Turn it on first.'],
} as const satisfies Record<string, RefusalWords>;

export type WebhookRefusal = keyof typeof webhookRefusals;

/**
 * An address is often a secret, so apps read the whole only of webhooks that they made (security
 * C214).
 */
export function showWebhook(
  { userId, teamId, clientId, eventTypeId, failingSince, disabledAt, createdAt, ...webhook }: Webhook,
  maker: WebhookMaker,
  secrets: Secrets,
): z.output<typeof webhookAnswer> {
  const isOthers = maker?.appId !== undefined && maker.appId !== webhook.appId;
  const url = isOthers ? undefined : decryptWebhookUrl(secrets, webhook); // protects: C214
  return {
    ...webhook,
    subscriberUrl: url ?? new URL(webhook.subscriberUrl).origin,
    userId: userId ?? undefined,
    teamId: teamId ?? undefined,
    eventTypeId: eventTypeId ?? undefined,
    oAuthClientId: clientId ?? undefined,
    payloadTemplate: null,
    version: payloadVersion,
    failingSince: failingSince?.toISOString() ?? null,
    disabledAt: disabledAt?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
  };
}

export function showDelivery({ delivery, trigger }: ShownDelivery): z.output<typeof deliveryAnswer> {
  const { outcome, attempts, dueAt, createdAt } = delivery;
  return {
    ...delivery,
    triggerEvent: trigger,
    state: outcome ?? (attempts === 0 ? 'waiting' : 'retrying'),
    createdAt: createdAt.toISOString(),
    nextAttemptAt: outcome === null ? dueAt.toISOString() : null,
  };
}
