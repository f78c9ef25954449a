import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { sendApiError } from '../api/errors.ts';
import { bearerOf } from '../oauth/bearer.ts';
import type { NamesOf, ScopeArea } from '../oauth/permissions.ts';
import { requestContext } from '../platform/audit/context.ts';
import { scopedPlugin } from '../platform/scoped-plugin.ts';
import { callingClientOf, callingClientParams, callingClientPlugin } from '../v2/calling-client.ts';
import { rowIdInAddress } from '../v2/input.ts';
import { operationsOf, operationsPlugin } from '../v2/operation.ts';
import {
  actingContextOf,
  mayManageTeam,
  principalOf,
  refuseTeamGrant,
  sendNotManaging,
  teamParams,
} from '../v2/principals/scope.ts';
import { registerWebhooks } from './operations.ts';
import { appWebhookChanges, newAppWebhook, newWebhook, webhookChanges } from './request.ts';
import { webhookRefusals } from './response.ts';
import type { WebhookCaller, WebhookOwner } from './store.ts';

const webhookFamily = {
  name: 'Webhooks',
  place: 100,
  version: '2024-04-15',
  words: 'Have events sent to your server: what happens to bookings, and to an app’s access.',
} as const;
export const webhookScopes = {
  title: 'Webhooks',
  icon: 'send',
  place: 50,
  read: {
    name: 'WEBHOOK_READ',
    words: 'See your webhooks, and what was sent to them',
    ofTeam: 'See the webhooks of the team, and what was sent to them',
    limit: 'See or change your webhooks',
  },
  write: {
    name: 'WEBHOOK_WRITE',
    words: 'See, create, change and delete your webhooks, which send your bookings to other services',
    ofTeam: 'See, create, change and delete webhooks of the team, which send its bookings to other services',
    limit: 'Create, change or delete webhooks',
  },
  firstCall: '/v2/webhooks',
} as const satisfies ScopeArea;

declare module '../oauth/permissions.ts' {
  interface ApiScopes extends NamesOf<typeof webhookScopes> {}
}

const withToken = {
  read: operationsOf(webhookFamily, { scope: 'WEBHOOK_READ' }),
  write: operationsOf(webhookFamily, { scope: 'WEBHOOK_WRITE' }),
  created: newWebhook,
  changed: webhookChanges,
};

export const webhooksPlugin = operationsPlugin('webhooks', 'requests', async (app) => {
  app.addHook('preValidation', refuseTeamGrant);
  registerWebhooks(app, {
    noun: '',
    whose: '',
    ...withToken,
    params: z.object({}),
    listErrors: {},
    callerOf: async (request) =>
      callerWithToken(request, { userId: principalOf(request).userId, eventTypeId: null }),
  });
});

function callerWithToken(request: FastifyRequest, owner: WebhookOwner): WebhookCaller {
  const { userId } = principalOf(request);
  const { clientId } = bearerOf(request);
  return { owner, maker: { makerId: userId, appId: clientId }, by: actingContextOf(request) };
}

export const teamWebhooksPlugin = operationsPlugin('team-webhooks', 'requests', async (app) => {
  registerWebhooks(app, {
    noun: 'Team',
    whose: 'team ',
    ...withToken,
    params: teamParams,
    listErrors: { 404: 'Team not found.' },
    callerOf: async (request, reply) => {
      const { teamId } = teamParams.parse(request.params);
      return (await mayManageTeam(reply, teamId))
        ? callerWithToken(request, { teamId, eventTypeId: null })
        : undefined;
    },
  });
});

const eventTypeNotFound = webhookRefusals.event_type_not_found[1];
const eventTypeParams = z.object({ id: rowIdInAddress.describe('The event type ID.') });

/** What is an event type, and whose, is known where event types are. */
export const eventTypeWebhooksPlugin = operationsPlugin('event-type-webhooks', 'requests', async (app) => {
  const { db, findEventTypeOwner } = app;
  if (findEventTypeOwner === undefined) return;
  registerWebhooks(app, {
    noun: 'EventType',
    whose: 'event type ',
    ...withToken,
    params: eventTypeParams,
    listErrors: { 404: eventTypeNotFound },
    deletesAll: true,
    callerOf: async (request, reply) => {
      const { id: eventTypeId } = eventTypeParams.parse(request.params);
      const found = await findEventTypeOwner(db, principalOf(request), eventTypeId);
      // protects: C105
      if (found?.mayChange === true) return callerWithToken(request, { ...found.owner, eventTypeId });
      if (found === undefined) sendApiError(reply, 'NotFound', eventTypeNotFound);
      else sendNotManaging(reply);
      return undefined;
    },
  });
});

const byClient = operationsOf(webhookFamily, { caller: 'client' });

export const appWebhooksPlugin = scopedPlugin('app-webhooks', ['api-versions'], 'requests', async (app) => {
  await app.register(callingClientPlugin);
  registerWebhooks(app, {
    noun: 'App',
    whose: 'app ',
    read: byClient,
    write: byClient,
    params: callingClientParams,
    listErrors: {},
    deletesAll: true,
    created: newAppWebhook,
    changed: appWebhookChanges,
    callerOf: async (request) => {
      const { id: clientId } = callingClientOf(request);
      return {
        owner: { clientId },
        maker: undefined,
        by: requestContext(request, { actorClientId: clientId }),
      };
    },
  });
});
