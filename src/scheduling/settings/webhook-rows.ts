import type { TabbedClient } from '../../oauth/clients/own-client.ts';
import { listDeliveries, type ShownDelivery } from '../../oauth/webhooks/delivery/store.ts';
import type { WebhookSource } from '../../oauth/webhooks/events/store.ts';
import type { Webhook, WebhookOwner } from '../../oauth/webhooks/store.ts';
import type { WebhookTrigger } from '../../oauth/webhooks/webhook.ts';
import type { Db } from '../../platform/database.ts';
import type { FormFaults } from '../../web/forms.ts';
import type { Page } from '../../web/pages.ts';
import { appTriggers, ownTriggers } from '../webhooks/request.ts';
import { showDelivery } from '../webhooks/response.ts';

/** Above the pages: an app's tabs, or the way back. */
export interface Top {
  readonly client: TabbedClient | undefined;
  readonly crumb: { readonly address: string; readonly words: string } | undefined;
}

declare module '../../web/pages.ts' {
  interface Views {
    'settings/webhooks': Page &
      Top & {
        readonly about: string;
        /** Undefined: there are as many as there can be. */
        readonly newAddress: string | undefined;
        readonly done: string | undefined;
        readonly webhooks: readonly ({
          readonly address: string;
          readonly url: string;
          readonly triggers: string;
          readonly source: ReturnType<typeof sourceWords>;
        } & ReturnType<typeof stateOf>)[];
      };
    'settings/webhook': Page &
      Top &
      FormFaults & {
        readonly action: string;
        readonly isNew: boolean;
        readonly focus: string | undefined;
        readonly done: string | undefined;
        readonly secret: string | undefined;
        readonly isActive: boolean;
        readonly source: ReturnType<typeof sourceWords>;
        readonly disabledAt: Date | null;
        readonly triggers: ReturnType<typeof triggerChoices>;
        readonly deliveries: readonly DeliveryRow[];
      };
  }
}

type DeliveryRow = ReturnType<typeof describeDelivery>;

const triggerWords = {
  BOOKING_CREATED: 'Booking created',
  BOOKING_REQUESTED: 'Booking requested',
  BOOKING_RESCHEDULED: 'Booking rescheduled',
  BOOKING_CANCELLED: 'Booking cancelled',
  BOOKING_REJECTED: 'Booking rejected',
  BOOKING_CONFIRMED: 'Booking confirmed',
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

/** A box for each event. */
export function triggerChoices(owner: WebhookOwner, chosen: readonly unknown[]) {
  const names = 'clientId' in owner ? appTriggers : ownTriggers;
  return names.map((name) => ({ name, words: triggerWords[name], isChosen: chosen.includes(name) }));
}

export function aboutOf(owner: WebhookOwner): string {
  if ('userId' in owner) return 'Your server hears about bookings that you host.';
  return 'teamId' in owner
    ? 'Your server hears about bookings of the team.'
    : 'Your server hears about bookings of users who gave your app access to them.';
}

export function stateOf({ active, disabledAt, failingSince }: Webhook, source: WebhookSource | undefined) {
  if (disabledAt !== null) return { state: 'Turned off after failures', isGood: false };
  if (!active) return { state: 'Off', isGood: false };
  if (source?.isHeard === false) return { state: 'On, but gets no events', isGood: false };
  return failingSince === null ? { state: 'On', isGood: true } : { state: 'Failing', isGood: false };
}

/** Empty for one that a user made, unless it gets no events (contract §8). */
export function sourceWords(
  { appId, teamId, active }: Webhook,
  source: WebhookSource | undefined,
): readonly string[] {
  const isSilent = active && source?.isHeard === false;
  if (appId !== null) {
    const app = source?.appName ?? 'an app that was deleted';
    const silent = 'It gets no events, because that app no longer has access to webhooks here.';
    return [`Created by ${app}.`, ...(isSilent ? [silent] : [])];
  }
  if (!isSilent) return [];
  if (teamId === null) return ['It gets no events until the app is accepted.'];
  return ['It gets no events, because its creator no longer manages the team. Save it to make it yours.'];
}

export const namesOf = ({ triggers }: Webhook): string =>
  triggers.map((name) => triggerWords[name]).join(', ');

/** As many as the log keeps, newest first; `page` is the webhook's. */
export async function listDeliveryRows(db: Db, id: string, page: string): Promise<readonly DeliveryRow[]> {
  return (await listDeliveries(db, id)).map((found) => describeDelivery(found, page));
}

function describeDelivery(found: ShownDelivery, page: string) {
  const { id, state, status, failure, durationMs, attempts } = showDelivery(found);
  const answer = status === null ? (failure?.replaceAll('_', ' ') ?? '') : `HTTP ${status}`;
  return {
    words: triggerWords[found.trigger],
    at: found.delivery.createdAt,
    state: stateWords[state],
    isGood: state === 'delivered',
    isBad: state === 'failed' || state === 'retrying',
    answer: durationMs === null ? answer : `${answer}, ${durationMs} ms`,
    attempts,
    resendAddress: `${page}/deliveries/${id}/resend`,
  };
}
