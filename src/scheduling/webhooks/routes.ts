import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { isManagingRole } from '../../accounts/person.ts';
import { sendApiError } from '../../api/errors.ts';
import { bearerOf } from '../../oauth/bearer.ts';
import { clientContextOf } from '../../oauth/token/client-authentication.ts';
import {
  type ByApp,
  countDeliveries,
  deleteWebhook,
  findWebhook,
  listDeliveries,
  listWebhooks,
  type WebhookOwner,
} from '../../oauth/webhooks/store.ts';
import { maxWebhooks } from '../../oauth/webhooks/webhook.ts';
import type { AuditContext } from '../../platform/audit/store.ts';
import { refillSeconds } from '../../platform/rate-limits/in-memory.ts';
import { pageQuery, rowIdInAddress } from '../input.ts';
import { callingClientOf, callingClientPlugin } from '../managed-users/platform-client.ts';
import { clientParams } from '../managed-users/request.ts';
import { operationsOf, pageOf, type RefusalWords, sendRefusal, showPage, successOf } from '../operation.ts';
import { principalOf, refuseTeamGrant } from '../principals/scope.ts';
import { findTeamRole } from '../principals/store.ts';
import { addWebhook, editWebhook, resend, testWebhook, type WebhookRefusal } from './change.ts';
import {
  appWebhookChanges,
  deliveryId,
  newAppWebhook,
  newWebhook,
  webhookChanges,
  webhookId,
} from './request.ts';
import { createdWebhook, deliveryAnswer, showDelivery, showWebhook, webhookAnswer } from './response.ts';

const inPath = z.object({ webhookId });
const inDeliveryPath = z.object({ deliveryId });
const one = successOf(webhookAnswer);
const oneDelivery = successOf(deliveryAnswer);
const notFound = 'Webhook not found.';
const tooMany = `There are ${maxWebhooks} webhooks, the maximum. Delete one first.`;
const off = 'The webhook is turned off. Turn it on first.';
const limited = 'Too many tests and resends. Try again in a minute.';

/** Their sentences are on pages, too. */
export const webhookRefusals = {
  address: [
    'BadRequest',
    'Use an https:// address without a username or password, up to 2000 characters.',
    'subscriberUrl',
  ],
  too_many: ['Conflict', tooMany],
  not_found: ['NotFound', notFound],
  off: ['Conflict', off],
  limited: ['TooManyRequests', limited],
} as const satisfies Record<WebhookRefusal, RefusalWords>;

function sendWebhookRefusal(reply: FastifyReply, reason: WebhookRefusal): FastifyReply {
  if (reason === 'limited') reply.header('retry-after', refillSeconds);
  return sendRefusal(reply, webhookRefusals[reason]);
}

/** Whose webhooks a request is about, and who asks. */
interface WebhookCaller {
  readonly owner: WebhookOwner;
  readonly app: ByApp;
  readonly by: AuditContext;
}

interface Surface {
  /** Of the names of operations: `listTeamWebhooks`. */
  readonly noun: '' | 'Team' | 'App';
  readonly whose: string;
  readonly read: ReturnType<typeof operationsOf>;
  readonly write: ReturnType<typeof operationsOf>;
  readonly params: z.ZodObject;
  /** Why there may be no list at all. */
  readonly listErrors: Readonly<Record<number, string>>;
  readonly created: typeof newWebhook | typeof newAppWebhook;
  readonly changed: typeof webhookChanges | typeof appWebhookChanges;
  /** Undefined: answered already. */
  callerOf(request: FastifyRequest, reply: FastifyReply): Promise<WebhookCaller | undefined>;
}

/** The same operations for webhooks of users, teams and apps (contract §8). */
function registerWebhooks(scope: FastifyInstance, surface: Surface): void {
  const app = scope.withTypeProvider<ZodTypeProvider>();
  const { db } = app;
  const { noun, whose, read, write, created, changed, callerOf } = surface;
  const ofOne = surface.params.extend(inPath.shape);
  const idOf = ({ params }: { readonly params: unknown }): string => inPath.parse(params).webhookId;

  app.get(
    '',
    read(`list${noun}Webhooks`, `List ${whose}webhooks`, successOf(z.array(webhookAnswer)), {
      params: surface.params,
      description: 'Oldest first. Secrets are never returned.',
      errors: surface.listErrors,
    }),
    async (request, reply) => {
      const caller = await callerOf(request, reply);
      if (caller === undefined) return reply;
      const found = await listWebhooks(db, caller.owner);
      return reply.send({ status: 'success', data: found.map(showWebhook) });
    },
  );

  app.post(
    '',
    write(
      `create${noun}Webhook`,
      `Create ${whose === '' ? 'a ' : `a ${whose}`}webhook`,
      successOf(createdWebhook),
      {
        params: surface.params,
        body: created,
        status: 201,
        errors: { ...surface.listErrors, 409: tooMany },
      },
    ),
    async (request, reply) => {
      const caller = await callerOf(request, reply);
      if (caller === undefined) return reply;
      const added = await addWebhook(app, caller.owner, request.body, caller.app, caller.by);
      if (!added.ok) return sendWebhookRefusal(reply, added.reason);
      const { webhook, secret } = added.value;
      return reply.code(201).send({ status: 'success', data: { ...showWebhook(webhook), secret } });
    },
  );

  app.get(
    '/:webhookId',
    read(`get${noun}Webhook`, `Get a ${whose}webhook`, one, { params: ofOne, errors: { 404: notFound } }),
    async (request, reply) => {
      const caller = await callerOf(request, reply);
      if (caller === undefined) return reply;
      const found = await findWebhook(db, caller.owner, idOf(request));
      if (found === undefined) return sendWebhookRefusal(reply, 'not_found');
      return reply.send({ status: 'success', data: showWebhook(found) });
    },
  );

  app.patch(
    '/:webhookId',
    write(`update${noun}Webhook`, `Update a ${whose}webhook`, one, {
      params: ofOne,
      body: changed,
      description: 'Omitted fields stay unchanged. Turning it on clears its failures.',
      errors: { 404: notFound },
    }),
    async (request, reply) => {
      const caller = await callerOf(request, reply);
      if (caller === undefined) return reply;
      const edited = await editWebhook(app, caller.owner, idOf(request), request.body, caller.by);
      if (!edited.ok) return sendWebhookRefusal(reply, edited.reason);
      return reply.send({ status: 'success', data: showWebhook(edited.value) });
    },
  );

  app.delete(
    '/:webhookId',
    write(`delete${noun}Webhook`, `Delete a ${whose}webhook`, one, {
      params: ofOne,
      description: 'Its deliveries go with it; what waits is never sent.',
      errors: { 404: notFound },
    }),
    async (request, reply) => {
      const caller = await callerOf(request, reply);
      if (caller === undefined) return reply;
      const deleted = await deleteWebhook(db, caller.owner, idOf(request), caller.by);
      if (deleted === undefined) return sendWebhookRefusal(reply, 'not_found');
      return reply.send({ status: 'success', data: showWebhook(deleted) });
    },
  );

  app.post(
    '/:webhookId/test',
    write(`test${noun}Webhook`, `Send a test event to a ${whose}webhook`, oneDelivery, {
      params: ofOne,
      description: 'Queues an event with the trigger PING. Its delivery says what your server answered.',
      status: 201,
      errors: { 404: notFound, 409: off, 429: limited },
    }),
    async (request, reply) => {
      const caller = await callerOf(request, reply);
      if (caller === undefined) return reply;
      const tested = await testWebhook(app, caller.owner, idOf(request));
      if (!tested.ok) return sendWebhookRefusal(reply, tested.reason);
      return reply.code(201).send({ status: 'success', data: showDelivery(tested.value) });
    },
  );

  app.get(
    '/:webhookId/deliveries',
    read(`list${noun}WebhookDeliveries`, `List deliveries of a ${whose}webhook`, pageOf(deliveryAnswer), {
      params: ofOne,
      querystring: z.object(pageQuery),
      description: 'Newest first: what waits, and the last 100 of 7 days.',
      errors: { 404: notFound },
    }),
    async (request, reply) => {
      const caller = await callerOf(request, reply);
      if (caller === undefined) return reply;
      const found = await findWebhook(db, caller.owner, idOf(request));
      if (found === undefined) return sendWebhookRefusal(reply, 'not_found');
      const { take, skip } = request.query;
      const [total, listed] = await Promise.all([
        countDeliveries(db, found.id),
        listDeliveries(db, found.id, take, skip),
      ]);
      return reply.send(showPage(listed.map(showDelivery), total, request.query));
    },
  );

  app.post(
    '/:webhookId/deliveries/:deliveryId/resend',
    write(`resend${noun}WebhookDelivery`, `Resend a delivery of a ${whose}webhook`, oneDelivery, {
      params: ofOne.extend(inDeliveryPath.shape),
      description: 'Sends the same event with the same ID once more, and retries it for a day.',
      errors: { 404: 'Webhook or delivery not found.', 409: off, 429: limited },
    }),
    async (request, reply) => {
      const caller = await callerOf(request, reply);
      if (caller === undefined) return reply;
      const { deliveryId: id } = inDeliveryPath.parse(request.params);
      const resent = await resend(app, caller.owner, idOf(request), id);
      if (!resent.ok) return sendWebhookRefusal(reply, resent.reason);
      return reply.send({ status: 'success', data: showDelivery(resent.value) });
    },
  );
}

const read = operationsOf('Webhooks', { scope: 'WEBHOOK_READ' });
const write = operationsOf('Webhooks', { scope: 'WEBHOOK_WRITE' });

/** The user's own webhooks, for bookings that the user hosts. */
export const webhooksPlugin = fp(
  async (scope) => {
    scope.addHook('preValidation', refuseTeamGrant);
    registerWebhooks(scope, {
      ...{ noun: '', whose: '', read, write, params: z.object({}), listErrors: {} },
      ...{ created: newWebhook, changed: webhookChanges },
      callerOf: async (request) => callerWithToken(request, { userId: principalOf(request).userId }),
    });
  },
  { name: 'webhooks', dependencies: ['platform', 'principals'], encapsulate: true },
);

function callerWithToken(request: FastifyRequest, owner: WebhookOwner): WebhookCaller {
  const { userId } = principalOf(request);
  const { clientId } = bearerOf(request);
  const by = { ...clientContextOf(request, { clientId }), actorId: userId };
  return { owner, app: { appId: clientId, appUserId: userId }, by };
}

const teamParams = z.object({ teamId: rowIdInAddress.describe('The team ID.') });

/** For bookings of the team, by its owners and admins. */
export const teamWebhooksPlugin = fp(
  async (scope) => {
    registerWebhooks(scope, {
      ...{ noun: 'Team', whose: 'team ', read, write, params: teamParams },
      listErrors: { 404: 'Team not found.' },
      ...{ created: newWebhook, changed: webhookChanges },
      callerOf: async (request, reply) => {
        const { teamId } = teamParams.parse(request.params);
        const role = await findTeamRole(scope.db, principalOf(request), teamId);
        if (isManagingRole(role)) return callerWithToken(request, { teamId });
        const [code, message] =
          role === undefined
            ? (['NotFound', 'Team not found.'] as const)
            : (['Forbidden', 'Only owners and admins of the team can do this.'] as const);
        sendApiError(request, reply, code, message);
        return undefined;
      },
    });
  },
  { name: 'team-webhooks', dependencies: ['platform', 'principals'], encapsulate: true },
);

const byClient = operationsOf('Webhooks', { caller: 'client' });

/** Of an app, with its own credentials. */
export const appWebhooksPlugin = fp(
  async (scope) => {
    await scope.register(callingClientPlugin);
    registerWebhooks(scope, {
      ...{ noun: 'App', whose: 'app ', read: byClient, write: byClient, params: clientParams },
      listErrors: {},
      ...{ created: newAppWebhook, changed: appWebhookChanges },
      callerOf: async (request) => {
        const { id: clientId } = callingClientOf(request);
        return { owner: { clientId }, app: undefined, by: clientContextOf(request, { clientId }) };
      },
    });
  },
  { name: 'app-webhooks', dependencies: ['platform'], encapsulate: true },
);
