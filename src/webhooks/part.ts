import type { CounterWords } from '../platform/metrics/counters.ts';
import { createOutbound } from '../platform/outbound.ts';
import type { Part } from '../platform/parts.ts';
import { mayReceive, startWebhookDelivery } from './delivery/delivery.ts';
import { waitingDeliveries } from './delivery/store.ts';
import { addBookingEvents } from './events/store.ts';
import {
  appWebhooksPlugin,
  eventTypeWebhooksPlugin,
  teamWebhooksPlugin,
  webhookScopes,
  webhooksPlugin,
} from './routes.ts';
import { webhookSettingsPlugin } from './settings/routes.ts';
import { maxLogged, maxPending, maxWebhooks } from './webhook.ts';

declare module '../platform/metrics/counters.ts' {
  interface Counters {
    readonly webhook_deliveries: CounterWords;
  }
}

/**
 * Events sent to servers of users, teams and apps: bookings, which scheduling hands over by
 * `bookingEvents`, and an app's access. Without it events of bookings are neither sent nor kept,
 * and those of access wait for 7 days.
 */
export const webhooksPart = {
  open({ config, db, log, runtime, secrets, opened }) {
    const outbound = opened.adopt(
      createOutbound({ mayConnectTo: (address) => mayReceive(config, address) }),
      (it) => it.close(),
    );
    const delivery = opened.adopt(
      startWebhookDelivery({ config, db, runtime, secrets, log, outbound }),
      (it) => it.stop(),
    );
    return {
      capabilities: {
        bookingEvents: {
          add: (tx, news, now) => addBookingEvents(tx, config.lifetimes, news, now),
          nudge: delivery.nudge,
        },
      },
      stop: () => delivery.stop(),
    };
  },
  routes: {
    pages: [webhookSettingsPlugin],
  },
  v2: {
    withToken: [
      { plugin: webhooksPlugin, prefix: '/webhooks' },
      { plugin: teamWebhooksPlugin, prefix: '/teams/:teamId/webhooks' },
      { plugin: eventTypeWebhooksPlugin, prefix: '/event-types/:id/webhooks' },
    ],
    byClient: [{ plugin: appWebhooksPlugin, prefix: '/oauth-clients/:clientId/webhooks' }],
  },
  web: {
    navigation: [
      { group: 'Developer', place: 420, address: '/settings/webhooks', words: 'Webhooks', icon: 'send' },
    ],
    links: [
      { of: 'app', path: '/webhooks', words: 'Webhooks' },
      { of: 'team', path: '/webhooks', words: 'Team webhooks' },
    ],
  },
  oauth: {
    scopes: [webhookScopes],
  },
  metrics: {
    counters: {
      webhook_deliveries: ['Attempts to deliver an event to a webhook.', 'outcome'],
    },
    gauges: [
      {
        name: 'webhook_deliveries_waiting',
        help: 'Events to be sent to webhooks, 10,000 at most.',
        rows: waitingDeliveries,
      },
    ],
  },
  limits: {
    'an account, a team, an app': [[maxWebhooks, 'webhooks each']],
    'a webhook': [
      [maxPending, 'events that wait: the oldest are dropped'],
      [maxLogged, 'deliveries in its log'],
    ],
  },
} as const satisfies Part;
