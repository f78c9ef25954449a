import type { Part } from '../part.ts';
import { pastLife } from '../platform/retention/store.ts';
import { auditSentences } from './audit-sentences.ts';
import { authorizePlugin } from './authorize/routes.ts';
import { clientLogoPlugin } from './clients/logos/routes.ts';
import { unusedLogos } from './clients/logos/store.ts';
import { clientsPlugin } from './clients/routes.ts';
import { clientSecretsPlugin } from './clients/secrets/routes.ts';
import { connectedAppsPlugin } from './connected-apps/routes.ts';
import { failedRequestsPlugin } from './failed-requests/routes.ts';
import { keptDays as keptFailedRequestsDays } from './failed-requests/store.ts';
import { reviewPlugin } from './review/routes.ts';
import { expiredGrants, forgottenConsents } from './revocation/store.ts';
import { clientSecrets, failedTokenRequests, signingKeys, webhookEvents, webhooks } from './tables.ts';
import { tokenErrorsPlugin } from './token/response.ts';
import { waitingDeliveries } from './webhooks/delivery/store.ts';
import { keptDays as keptWebhookEventsDays } from './webhooks/webhook.ts';

/** Apps: how they are registered, reviewed, authorized and given tokens, and how access ends. */
export const oauth = {
  pages: [
    ...[authorizePlugin, connectedAppsPlugin, clientsPlugin, clientSecretsPlugin, clientLogoPlugin],
    ...[failedRequestsPlugin, reviewPlugin, tokenErrorsPlugin],
  ],
  navigation: [
    { place: 40, address: '/settings/apps', words: 'Apps' },
    { place: 50, address: '/settings/developer/oauth', words: 'Developer' },
    { group: 'Account', place: 150, address: '/settings/apps', words: 'Connected apps', icon: 'grid' },
    {
      group: 'Developer',
      place: 410,
      address: '/settings/developer/oauth',
      words: 'Your apps',
      icon: 'code',
    },
    { group: 'Developer', place: 420, address: '/settings/webhooks', words: 'Webhooks', icon: 'send' },
    {
      group: 'Admin',
      place: 510,
      address: '/settings/admin/oauth',
      words: 'Review',
      icon: 'check-square',
      isForAdmins: true,
    },
  ],
  usualAddresses: {
    '/settings/developer': '/settings/developer/oauth',
    '/developers': '/settings/developer/oauth',
  },
  auditSentences,
  expired: [
    // An owner is told that an app still sends a deleted secret.
    pastLife(clientSecrets.deletedAt, 30),
    pastLife(failedTokenRequests.at, keptFailedRequestsDays),
    // With their deliveries; what waits is given up long before.
    pastLife(webhookEvents.createdAt, keptWebhookEventsDays),
  ],
  walked: [
    ({ config }, now) => expiredGrants(config.lifetimes, now),
    forgottenConsents,
    ({ db }) => unusedLogos(db),
  ],
  encrypted: [
    { column: signingKeys.encryptedPrivateKey, key: signingKeys.id, purpose: 'signing-key' },
    { column: webhooks.encryptedSecret, key: webhooks.id, purpose: 'webhook' },
  ],
  gauges: [
    {
      name: 'webhook_deliveries_waiting',
      help: 'Events to be sent to webhooks, 10,000 at most.',
      rows: waitingDeliveries,
    },
  ],
} as const satisfies Part;
