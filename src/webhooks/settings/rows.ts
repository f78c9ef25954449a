import type { TabbedClient } from '../../oauth/clients/own-client.ts';
import { momentOf } from '../../oauth/standing.ts';
import type { Platform } from '../../platform/platform.ts';
import type { FormFaults } from '../../web/forms.ts';
import type { Page } from '../../web/pages.ts';
import { webhookPage } from '../delivery/delivery.ts';
import { listDeliveries, type ShownDelivery } from '../delivery/store.ts';
import { findSources, type WebhookSource } from '../events/store.ts';
import { appTriggers, ownTriggers } from '../request.ts';
import { showDelivery } from '../response.ts';
import { listWebhooks, type Webhook, type WebhookMaker, type WebhookOwner } from '../store.ts';
import { decryptWebhookUrl, maxWebhooks, type WebhookTrigger, webhookAnswers } from '../webhook.ts';

declare module '../../web/pages.ts' {
  interface Views {
    'webhooks/webhooks': Page & Awaited<ReturnType<typeof describeWebhooks>>;
    'webhooks/webhook': Page &
      FormFaults &
      Awaited<ReturnType<typeof describeWebhook>> & { readonly secret: string | undefined };
  }
}

export interface WebhooksSubject {
  readonly owner: WebhookOwner;
  readonly maker: WebhookMaker;
  readonly client: TabbedClient | undefined;
  readonly crumb: { readonly address: string; readonly words: string } | undefined;
}

const triggerWords = {
  BOOKING_CREATED: 'Booking created',
  BOOKING_REQUESTED: 'Booking requested',
  BOOKING_RESCHEDULED: 'Booking rescheduled',
  BOOKING_CANCELLED: 'Booking cancelled',
  BOOKING_REJECTED: 'Booking rejected',
  BOOKING_CONFIRMED: 'Booking confirmed',
  MEETING_STARTED: 'Meeting started',
  MEETING_ENDED: 'Meeting ended',
  ACCESS_GRANTED: 'Access granted to your app',
  ACCESS_REMOVED: 'Access removed from your app',
  PING: 'Test event',
} as const satisfies Record<WebhookTrigger, string>;

const stateWords = {
  waiting: 'Waiting',
  retrying: 'Retrying',
  delivered: 'Delivered',
  failed: 'Failed',
  dropped: 'Dropped',
} as const;

type Telling = Pick<Platform, 'config' | 'db' | 'runtime' | 'secrets'>;

export async function describeWebhooks(app: Telling, { owner, client, crumb }: WebhooksSubject) {
  const found = await listWebhooks(app.db, owner);
  const sources = await sourcesOf(app, found);
  return {
    client,
    crumb,
    title: 'Webhooks',
    about: aboutOf(owner),
    newAddress: found.length < maxWebhooks ? `${webhookPage(owner)}/new` : undefined,
    webhooks: found.map((webhook) => ({
      address: webhookPage(owner, webhook.id),
      url: decryptWebhookUrl(app.secrets, webhook) ?? webhook.subscriberUrl,
      triggers: webhook.triggers.map((name) => triggerWords[name]).join(', '),
      source: sourceWords(webhook, sources.get(webhook.id)),
      ...stateOf(webhook, sources.get(webhook.id)),
    })),
  };
}

const sourcesOf = ({ db, config, runtime }: Telling, all: readonly Webhook[]) =>
  findSources(db, all, momentOf(config.lifetimes, runtime.now()));

export const triggersFor = (owner: WebhookOwner) => ('clientId' in owner ? appTriggers : ownTriggers);

export async function describeWebhook(
  app: Telling,
  { owner, client }: WebhooksSubject,
  chosen: { readonly active: boolean; readonly triggers: readonly unknown[] },
  webhook: Webhook | undefined,
) {
  const page = webhookPage(owner, webhook?.id);
  const sources = webhook && (await sourcesOf(app, [webhook]));
  const isNew = webhook === undefined;
  return {
    client,
    title: isNew ? 'New webhook' : new URL(webhook.subscriberUrl).host,
    example: examplePayload,
    crumb: client === undefined ? { address: webhookPage(owner), words: 'Webhooks' } : undefined,
    action: isNew ? `${page}/new` : page,
    isNew,
    isActive: chosen.active,
    disabledAt: webhook?.disabledAt ?? null,
    source: isNew ? [] : sourceWords(webhook, sources?.get(webhook.id)),
    triggers: triggersFor(owner).map((value) => ({
      value,
      words: triggerWords[value],
      isChosen: chosen.triggers.includes(value),
    })),
    deliveries: isNew
      ? []
      : (await listDeliveries(app.db, webhook.id)).map((one) => describeDelivery(app, one, page)),
  };
}

function aboutOf(owner: WebhookOwner): string {
  if ('userId' in owner) return 'Your server hears about bookings that you host.';
  return 'teamId' in owner
    ? 'Your server hears about bookings of the team.'
    : 'Your server hears about bookings of users who gave your app access to them.';
}

function stateOf({ active, disabledAt, failingSince }: Webhook, source: WebhookSource | undefined) {
  if (disabledAt !== null) return { state: 'Turned off after failures', isGood: false };
  if (!active) return { state: 'Off', isGood: false };
  if (source?.isHeard === false) return { state: 'On, but gets no events', isGood: false };
  return failingSince === null ? { state: 'On', isGood: true } : { state: 'Failing', isGood: false };
}

/** A user's own webhook has no such words, unless it gets no events (contract §8). */
function sourceWords(
  { appId, teamId, eventTypeId, active }: Webhook,
  source: WebhookSource | undefined,
): readonly string[] {
  const isSilent = active && source?.isHeard === false;
  const about = eventTypeId === null ? [] : [`Only for the event type with ID ${eventTypeId}.`];
  if (appId !== null) {
    const app = source?.appName ?? 'an app that was deleted';
    const silent = 'It gets no events, because that app no longer has access to webhooks here.';
    return [...about, `Created by ${app}.`, ...(isSilent ? [silent] : [])];
  }
  if (!isSilent) return about;
  if (teamId === null) return ['It gets no events until the app is accepted.'];
  return [
    ...about,
    'It gets no events, because its creator no longer manages the team. Save it to make it yours.',
  ];
}

function describeDelivery({ secrets }: Pick<Telling, 'secrets'>, found: ShownDelivery, page: string) {
  const { id, state, status, failure, durationMs, attempts } = showDelivery(found);
  const { encryptedAnswer } = found.delivery;
  const answer = status === null ? (failure?.replaceAll('_', ' ') ?? '') : `HTTP ${status}`;
  return {
    words: triggerWords[found.trigger],
    at: found.delivery.createdAt,
    state: stateWords[state],
    isGood: state === 'delivered',
    isBad: state === 'failed' || state === 'retrying',
    answer: durationMs === null ? answer : `${answer}, ${durationMs} ms`,
    attempts,
    sent: inLines(found.body),
    answered: encryptedAnswer === null ? undefined : webhookAnswers.decrypt(secrets, encryptedAnswer),
    resendAddress: `${page}/deliveries/${id}/resend`,
  };
}

const maxShownBody = 4000;

function inLines(body: string): string {
  const lines = JSON.stringify(JSON.parse(body), null, 2);
  return lines.length > maxShownBody ? `${lines.slice(0, maxShownBody)}\n…` : lines;
}

/** Bookings have more fields; the first real event shows them all. */
const examplePayload = JSON.stringify(
  {
    triggerEvent: 'BOOKING_CREATED',
    createdAt: '2030-01-15T09:00:00.000Z',
    payload: {
      uid: '4f9c2e71b0d85a3369fe1c2d0a7b6e54',
      title: '30 minutes between Ann and Dana',
      startTime: '2030-01-20T10:00:00.000Z',
      endTime: '2030-01-20T10:30:00.000Z',
      attendees: [{ name: 'Dana', email: 'dana@example.com', timeZone: 'Europe/Berlin' }],
      status: 'ACCEPTED',
    },
  },
  null,
  2,
);
