import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { ScopedApp } from '../platform/scoped-plugin.ts';
import { pageQuery } from '../v2/input.ts';
import {
  type operationsOf,
  pageOf,
  sendRefusalWords,
  showPage,
  showPart,
  successOf,
} from '../v2/operation.ts';
import { addWebhook, editWebhook, resend, testWebhook } from './change.ts';
import { countDeliveries, listDeliveries } from './delivery/store.ts';
import {
  type appWebhookChanges,
  deliveryId,
  type newAppWebhook,
  type newWebhook,
  type webhookChanges,
  webhookId,
} from './request.ts';
import {
  createdWebhook,
  deliveryAnswer,
  showDelivery,
  showWebhook,
  type WebhookRefusal,
  webhookAnswer,
  webhookRefusals,
} from './response.ts';
import { deleteWebhook, findWebhook, listWebhooks, type WebhookCaller } from './store.ts';

declare module 'fastify' {
  interface FastifyRequest {
    webhookCaller: WebhookCaller | undefined;
  }
}
const inPath = z.object({ webhookId });
const inDeliveryPath = z.object({ deliveryId });
const one = successOf(webhookAnswer);
const oneDelivery = successOf(deliveryAnswer);
const notFound = webhookRefusals.not_found[1];
const off = webhookRefusals.off[1];
const differences = {
  refused: { payloadTemplate: ['There are no templates: read the usual payload.'] },
  renamed: { eventTriggers: 'triggers' },
} as const;

function sendWebhookRefusal(reply: FastifyReply, reason: WebhookRefusal, retryAfterSeconds?: string) {
  if (retryAfterSeconds !== undefined) reply.header('retry-after', retryAfterSeconds);
  return sendRefusalWords(reply, webhookRefusals[reason]);
}

interface Surface {
  readonly noun: '' | 'Team' | 'EventType' | 'App';
  readonly whose: string;
  readonly read: ReturnType<typeof operationsOf>;
  readonly write: ReturnType<typeof operationsOf>;
  readonly params: z.ZodObject;
  readonly listErrors: Readonly<Record<number, string>>;
  /** Cal.com has this for some kinds. */
  readonly deletesAll?: true;
  readonly created: typeof newWebhook | typeof newAppWebhook;
  readonly changed: typeof webhookChanges | typeof appWebhookChanges;
  callerOf(request: FastifyRequest, reply: FastifyReply): Promise<WebhookCaller | undefined>;
}

/** Registers the same operations for webhooks of all owners (contract §8). */
export function registerWebhooks(app: ScopedApp, surface: Surface): void {
  const { db, secrets } = app;
  const { noun, whose, read, write, created, changed } = surface;
  const aWebhook = `${noun === 'App' || noun === 'EventType' ? 'an' : 'a'} ${whose}webhook`;
  const ofOne = surface.params.extend(inPath.shape);
  const idOf = ({ params }: { readonly params: unknown }): string => inPath.parse(params).webhookId;

  app.decorateRequest('webhookCaller', undefined);
  app.addHook('preHandler', async (request, reply) => {
    request.webhookCaller = await surface.callerOf(request, reply);
    return request.webhookCaller === undefined ? reply : undefined;
  });

  app.get(
    '',
    read(`list${noun}Webhooks`, `List ${whose}webhooks`, pageOf(webhookAnswer), {
      params: surface.params,
      querystring: z.object(pageQuery),
      description:
        'Oldest first. Secrets are never returned: if you find your webhook but have lost its secret, send a new one with PATCH.',
      errors: surface.listErrors,
    }),
    async (request, reply) => {
      const { owner, maker } = callerIn(request);
      const shown = (await listWebhooks(db, owner)).map((webhook) => showWebhook(webhook, maker, secrets));
      return reply.send(showPart(shown, request.query));
    },
  );

  app.post(
    '',
    write(`create${noun}Webhook`, `Create ${aWebhook}`, successOf(createdWebhook), {
      params: surface.params,
      body: created,
      differences,
      status: 201,
      errors: { ...surface.listErrors, 409: webhookRefusals.too_many[1] },
    }),
    async (request, reply) => {
      const caller = callerIn(request);
      const added = await addWebhook(app, caller, request.body);
      if (!added.ok) return sendWebhookRefusal(reply, added.reason);
      const { secret } = added.value;
      const data = { ...showWebhook(added.value, caller.maker, secrets), secret };
      return reply.code(201).send({ status: 'success', data });
    },
  );

  if (surface.deletesAll === true)
    app.delete(
      '',
      write(`deleteAll${noun}Webhooks`, `Delete all ${whose}webhooks`, successOf(z.string()), {
        params: surface.params,
        errors: surface.listErrors,
      }),
      async (request, reply) => {
        const { owner, by } = callerIn(request);
        const all = await listWebhooks(db, owner);
        for (const { id } of all) await deleteWebhook(db, owner, id, by);
        return reply.send({ status: 'success', data: `${all.length} webhooks deleted` });
      },
    );

  app.get(
    '/:webhookId',
    read(`get${noun}Webhook`, `Get ${aWebhook}`, one, { params: ofOne, errors: { 404: notFound } }),
    async (request, reply) => {
      const { owner, maker } = callerIn(request);
      const found = await findWebhook(db, owner, idOf(request));
      if (found === undefined) return sendWebhookRefusal(reply, 'not_found');
      return reply.send({ status: 'success', data: showWebhook(found, maker, secrets) });
    },
  );

  app.patch(
    '/:webhookId',
    write(`update${noun}Webhook`, `Update ${aWebhook}`, one, {
      params: ofOne,
      body: changed,
      description:
        'Omitted fields stay unchanged. Turning it on clears its failures. An access token changes the URL and secret only of webhooks that its app created.',
      differences,
      errors: { 404: notFound },
    }),
    async (request, reply) => {
      const caller = callerIn(request);
      const edited = await editWebhook(app, caller, idOf(request), request.body);
      if (!edited.ok) return sendWebhookRefusal(reply, edited.reason);
      return reply.send({ status: 'success', data: showWebhook(edited.value, caller.maker, secrets) });
    },
  );

  app.delete(
    '/:webhookId',
    write(`delete${noun}Webhook`, `Delete ${aWebhook}`, one, {
      params: ofOne,
      description: 'Its deliveries go with it; what waits is never sent.',
      errors: { 404: notFound },
    }),
    async (request, reply) => {
      const { owner, maker, by } = callerIn(request);
      const deleted = await deleteWebhook(db, owner, idOf(request), by);
      if (deleted === undefined) return sendWebhookRefusal(reply, 'not_found');
      return reply.send({ status: 'success', data: showWebhook(deleted, maker, secrets) });
    },
  );

  app.post(
    '/:webhookId/test',
    write(`test${noun}Webhook`, `Send a test event to ${aWebhook}`, oneDelivery, {
      params: ofOne,
      description: 'Queues an event with the trigger PING. Its delivery says what your server answered.',
      status: 201,
      errors: { 404: notFound, 409: off },
    }),
    async (request, reply) => {
      const { owner } = callerIn(request);
      const tested = await testWebhook(app, owner, idOf(request));
      if (!tested.ok) return sendWebhookRefusal(reply, tested.reason, tested.detail);
      return reply.code(201).send({ status: 'success', data: showDelivery(tested.value) });
    },
  );

  app.get(
    '/:webhookId/deliveries',
    read(`list${noun}WebhookDeliveries`, `List deliveries of ${aWebhook}`, pageOf(deliveryAnswer), {
      params: ofOne,
      querystring: z.object(pageQuery),
      description: 'Newest first: what waits, and the last 100 of 7 days.',
      errors: { 404: notFound },
    }),
    async (request, reply) => {
      const { owner } = callerIn(request);
      const found = await findWebhook(db, owner, idOf(request));
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
    write(`resend${noun}WebhookDelivery`, `Resend a delivery of ${aWebhook}`, oneDelivery, {
      params: ofOne.extend(inDeliveryPath.shape),
      description: 'Sends the same event with the same ID once more, and retries it for a day.',
      errors: { 404: 'Webhook or delivery not found.', 409: off },
    }),
    async (request, reply) => {
      const { owner } = callerIn(request);
      const { deliveryId: id } = inDeliveryPath.parse(request.params);
      const resent = await resend(app, owner, idOf(request), id);
      if (!resent.ok) return sendWebhookRefusal(reply, resent.reason, resent.detail);
      return reply.send({ status: 'success', data: showDelivery(resent.value) });
    },
  );
}

function callerIn({ webhookCaller }: FastifyRequest): WebhookCaller {
  if (webhookCaller === undefined) throw new Error('this route is not one of webhooks');
  return webhookCaller;
}
