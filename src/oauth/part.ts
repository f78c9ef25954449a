import type { FastifyRequest } from 'fastify';
import { requestContext } from '../platform/audit/context.ts';
import { type LastUse, startLastUse } from '../platform/last-use/writer.ts';
import type { CounterWords } from '../platform/metrics/counters.ts';
import { handedIn, type Part } from '../platform/parts.ts';
import { randomIdBytes } from '../platform/request-identity.ts';
import { pastLife } from '../platform/retention/store.ts';
import { findAuthorizingApp } from './authorize/asked.ts';
import { authorizePlugin } from './authorize/routes.ts';
import { failedRequestsPlugin } from './clients/failed-requests.ts';
import { maxRedirectUris } from './clients/form.ts';
import { logosPlugin } from './clients/logo-files/routes.ts';
import { unusedLogos } from './clients/logo-files/store.ts';
import { clientsPlugin } from './clients/routes.ts';
import { clientSecretsPlugin } from './clients/secrets/routes.ts';
import { clientAudit } from './clients/status.ts';
import { clientBelongings, maxClients, maxWaiting } from './clients/store.ts';
import { connectedAppsPlugin } from './connected-apps/routes.ts';
import { oauthLeaving } from './connected-apps/store.ts';
import { clientTypes, maxLiveSecrets } from './core/client.ts';
import type { Grant } from './core/grant.ts';
import type { TokenIssuer } from './core/ports.ts';
import { discoveryPlugin, oauthServerPlugin } from './discovery/metadata.ts';
import { noRegistrationPlugin } from './discovery/registration.ts';
import { startFailedRequestRecorder } from './failed-requests/recorder.ts';
import { failureKeptDays, maxOfClient } from './failed-requests/store.ts';
import * as failedRequestTables from './failed-requests/tables.ts';
import { expiredKeys, keyAudit, keyPurpose, openKeyring } from './keyring.ts';
import { rulesOf } from './own-scopes.ts';
import { collectPermissions, knownResources } from './permissions.ts';
import { countWaitingApps } from './review/queue/store.ts';
import { reviewPlugin } from './review/routes.ts';
import { grantEndings } from './review/store.ts';
import {
  endUnusedGrants,
  expiredGrants,
  forgottenConsents,
  grantAudit,
  grantBelongings,
  revokeGrant,
} from './revocation/store.ts';
import { findAppNames, maxGrants } from './store.ts';
import * as tables from './tables.ts';
import { tokenErrorsPlugin } from './token/error-page.ts';
import { oauthEndpointsPlugin } from './token/routes.ts';

const auditSentences = { ...clientAudit, ...grantAudit, ...keyAudit };

declare module '../platform/audit/actions.ts' {
  interface AuditActions extends Record<keyof typeof auditSentences, unknown> {}
}

declare module '../platform/parts.ts' {
  interface PartOptions {
    readonly storeFailedRequestsAfterMs?: number;
  }
}

declare module '../platform/platform.ts' {
  interface Platform {
    readonly clientSecretUse: LastUse;
    readonly tokenIssuer: TokenIssuer;
  }
}

declare module '../platform/metrics/counters.ts' {
  interface Counters {
    readonly tokens_issued: CounterWords;
    readonly tokens_refused: CounterWords;
    readonly refresh_tokens_ahead: CounterWords;
    readonly bearer_refused: CounterWords;
    readonly failed_requests_dropped: CounterWords;
  }
}

const byClient = ({ clientId: actorClientId }: Grant, request: FastifyRequest) =>
  requestContext(request, { actorClientId });

/**
 * The OAuth 2.0 server: consent, tokens, apps and their review, connected apps. It belongs to the
 * door.
 */
export const oauthPart = {
  async open({ config, db, log, parts, runtime, secrets, opened, options }) {
    const areas = handedIn(parts, ({ oauth }) => oauth?.scopes);
    const identity = parts.find(({ oauth }) => oauth?.identity)?.oauth?.identity;
    const permissions = collectPermissions(areas, config.scopes, identity);
    const opening = openKeyring({ db, runtime, secrets, log }, identity !== undefined);
    const keys = opened.adopt(await opening, (it) => it.settle());
    const renew = async (): Promise<void> => {
      await keys.renew();
      await keys.fill();
    };
    const renewSoon = (): void => {
      renew().catch((err: unknown) => log.error({ err }, 'the signing keys were not renewed'));
    };
    opened.adopt(setInterval(renewSoon, 60_000).unref(), clearInterval);
    const { id: key, lastUsedAt } = tables.clientSecrets;
    const uses = startLastUse({ db, log }, { key, lastUsedAt }, 'client secrets');
    const clientSecretUse = opened.adopt(uses, (it) => it.stop());
    const failedRequests = opened.adopt(
      startFailedRequestRecorder(
        { db, runtime, log, permissions },
        options.storeFailedRequestsAfterMs ?? 1000,
      ),
      (it) => it.close(),
    );
    return {
      capabilities: {
        keys,
        permissions,
        clientSecretUse,
        failedRequests,
        grants: grantEndings(parts),
        grantMoves: {
          revoke: (grant, reason, request) =>
            revokeGrant({ db, parts }, grant.id, reason, byClient(grant, request)),
          makeRoom: (redeemed, request) =>
            endUnusedGrants({ config, db, parts }, redeemed, byClient(redeemed, request)),
        },
        findAuthorizingApp,
        findAppNames: (clientIds) => findAppNames(db, clientIds),
        tokenIssuer: {
          issuer: config.appUrl,
          resources: knownResources(config),
          ...rulesOf(permissions.known),
          signer: () => keys.signer(),
          idTokenSigner: () => keys.idTokenSigner(),
          mac: secrets,
          randomBytes: randomIdBytes,
        },
      },
    };
  },
  data: {
    tables: [tables, failedRequestTables],
    atReset: {
      kept: 'apps',
      ended:
        'every app loses its access and needs your permission again, changes to your own apps that wait for review are withdrawn',
      unproven: 'connected apps, the account’s own apps',
    },
    auditSentences,
    belongings: [...clientBelongings, ...grantBelongings],
    leaving: oauthLeaving,
    expired: [
      // Owners are notified that an app still sends a deleted secret.
      pastLife(tables.clientSecrets.deletedAt, 30),
      pastLife(failedRequestTables.failedTokenRequests.at, failureKeptDays),
      expiredKeys,
    ],
    walked: [expiredGrants, forgottenConsents, unusedLogos],
    encrypted: [tables.signingKeys, tables.idTokenKeys].map(({ encryptedPrivateKey: column, id: key }) => ({
      column,
      key,
      purpose: keyPurpose,
    })),
  },
  routes: {
    surfaces: [{ plugin: oauthServerPlugin }, { plugin: logosPlugin }, { plugin: noRegistrationPlugin }],
    endpoints: [oauthEndpointsPlugin],
    wellKnown: [discoveryPlugin],
    pages: [
      authorizePlugin,
      connectedAppsPlugin,
      clientsPlugin,
      clientSecretsPlugin,
      failedRequestsPlugin,
      reviewPlugin,
      tokenErrorsPlugin,
    ],
  },
  web: {
    navigation: [
      { place: 40, address: '/settings/apps', words: 'Apps', icon: 'grid' },
      { place: 50, address: '/settings/developer/oauth', words: 'Developer', icon: 'code' },
      { group: 'Account', place: 150, address: '/settings/apps', words: 'Connected apps', icon: 'grid' },
      {
        group: 'Developer',
        place: 410,
        address: '/settings/developer/oauth',
        words: 'Your apps',
        icon: 'code',
      },
      {
        group: 'Admin',
        place: 510,
        address: '/settings/admin/oauth',
        words: 'Review',
        icon: 'check-square',
        countWaiting: countWaitingApps,
      },
    ],
    unlisted: ['/auth/'],
    usualAddresses: {
      '/settings/developer': '/settings/developer/oauth',
      '/developers': '/settings/developer/oauth',
    },
  },
  api: {
    enumerations: { ClientType: clientTypes },
  },
  metrics: {
    dailyNumbers: [
      { name: 'apps', words: 'New apps', counter: 'audit_events', values: 'client.registered' },
      { name: 'tokens', words: 'Tokens issued', counter: 'tokens_issued' },
    ],
    counters: {
      tokens_issued: ['Answers of the token endpoint with tokens.', 'grant_type', 'client_type'],
      tokens_refused: ['Answers of the token endpoint with an error.', 'reason', 'client_type'],
      refresh_tokens_ahead: ['Refreshes from a token one generation ahead: the database lost a commit.'],
      bearer_refused: ['Requests to the API without the access that they take.', 'reason'],
      failed_requests_dropped: ['Failed token requests that were too many to be stored.'],
    },
  },
  limits: {
    'an account': [
      [maxClients, 'apps'],
      [maxWaiting, 'apps and edits in review'],
    ],
    'an account and an app': [
      [maxGrants, 'grants that can refresh: an exchange ends the one unused for longest'],
      [maxGrants, 'ended grants and expired codes'],
      [1, 'remembered consent'],
    ],
    'an app': [
      [maxRedirectUris, 'redirect URIs'],
      [maxLiveSecrets, 'active secrets'],
      [1, 'edit'],
      [maxOfClient, `failed requests, for ${failureKeptDays} days`],
    ],
  },
} as const satisfies Part;
