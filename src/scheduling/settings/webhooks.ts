import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { findOwnGroup } from '../../accounts/groups/store.ts';
import { isManagingRole } from '../../accounts/person.ts';
import { auditContextOf, sessionOf } from '../../accounts/sessions/session.ts';
import { sendShownSecret, takeShownSecret } from '../../oauth/clients/new-secret.ts';
import { developerHome, ownClientOf } from '../../oauth/clients/own-client.ts';
import { webhookPage } from '../../oauth/webhooks/delivery/delivery.ts';
import { deleteWebhook, findWebhook, type Webhook, type WebhookOwner } from '../../oauth/webhooks/store.ts';
import { type FormFaults, focusOf, readDone, untouched } from '../../web/forms.ts';
import { sendNotFoundPage, sendPage } from '../../web/pages.ts';
import { inDigits, rowIdInAddress } from '../input.ts';
import { addWebhook, editWebhook, resend, testWebhook } from '../webhooks/change.ts';
import { addressFaultOf, newAppWebhook, newWebhook } from '../webhooks/request.ts';
import { type WebhookRefusal, webhookRefusals } from '../webhooks/response.ts';
import { byField, doneQuery, readAsApi, type Sent, sentFields, shownAgain } from './form.ts';
import { describeWebhook, describeWebhooks, type Place } from './webhook-rows.ts';

const wordsOf = (reason: WebhookRefusal): string => webhookRefusals[reason][1];

const doneWords: Readonly<Record<string, string>> = {
  created: 'Webhook created.',
  saved: 'Webhook saved.',
  deleted: 'Webhook deleted.',
  tested: 'Test event queued. Reload this page to see the result.',
  resent: 'Event queued again. Reload this page to see the result.',
  off: wordsOf('off'),
  limited: wordsOf('limited'),
  not_found: 'We no longer keep this delivery.',
};

/** None is found by another id. */
const params = z.object({
  groupId: rowIdInAddress.catch(0),
  clientId: z.string().catch(''),
  webhookId: z.guid().catch('00000000-0000-4000-8000-000000000000'),
  deliveryId: inDigits(z.int()).catch(0),
});

interface Route {
  Params: z.output<typeof params>;
  Querystring: z.output<typeof doneQuery>;
  Body: Sent;
}

type Request = FastifyRequest<Route>;

/** Webhooks of the user, of teams that the user manages, and of the user's apps (contract §8). */
export function registerWebhookSettings(app: FastifyInstance): void {
  registerPlace(app, '/settings', async (request) => ({
    owner: { userId: sessionOf(request).person.id },
    ...{ maker: undefined, client: undefined, crumb: undefined },
  }));
  registerPlace(app, '/settings/teams/:groupId', async (request) => {
    const { groupId: id } = request.params;
    const { id: makerId } = sessionOf(request).person;
    const team = await findOwnGroup(app.db, { kind: 'team', id }, makerId);
    if (team === undefined || !isManagingRole(team.role)) return undefined;
    const crumb = { address: `/settings/teams/${id}`, words: team.name };
    return { owner: { teamId: id }, maker: { makerId }, client: undefined, crumb };
  });
  registerPlace(app, `${developerHome}/:clientId`, async (request) => {
    const client = await ownClientOf(app.db, request);
    return client && { owner: { clientId: client.id }, maker: undefined, client, crumb: undefined };
  });
}

function registerPlace(
  app: FastifyInstance,
  parent: string,
  placeOf: (request: Request) => Promise<Place | undefined>,
): void {
  const { db } = app;
  const home = `${parent}/webhooks`;
  const one = `${home}/:webhookId`;
  const shown = { schema: { params, querystring: doneQuery } };
  const sent = { schema: { params, body: sentFields } };

  app.get<Route>(
    home,
    shown,
    at(async (request, reply, place) => {
      const done = readDone(request.query, doneWords);
      return sendPage(reply, 'settings/webhooks', { ...(await describeWebhooks(db, place)), done });
    }),
  );

  app.get<Route>(
    `${home}/new`,
    shown,
    at((_request, reply, place) => sendForm(reply, place, untouched, { active: true, triggers: [] })),
  );

  app.post<Route>(
    `${home}/new`,
    sent,
    at(async (request, reply, place) => {
      const { owner, maker } = place;
      const form = read(app, owner, { ...request.body, active: 'on' });
      const added = form.ok ? await addWebhook(app, owner, form.value, maker, auditContextOf(request)) : form;
      if (!added.ok) return sendAgain(request, reply, place, added);
      const { webhook, secret } = added.value;
      const page = webhookPage(owner, webhook.id);
      sendShownSecret(reply, app, page, webhook.id, secret);
      return reply.redirect(`${page}?done=created`, 303);
    }),
  );

  app.get<Route>(
    one,
    shown,
    atOne(async (_request, reply, place, webhook) => {
      const form = { typed: { subscriberUrl: webhook.subscriberUrl }, faults: {} };
      return sendForm(reply, place, form, webhook, webhook);
    }),
  );

  app.post<Route>(
    one,
    sent,
    atOne(async (request, reply, place, webhook) => {
      const { owner, maker } = place;
      const form = read(app, owner, request.body);
      const edited = form.ok
        ? await editWebhook(app, owner, webhook.id, form.value, maker, auditContextOf(request))
        : form;
      if (!edited.ok) return sendAgain(request, reply, place, edited, webhook);
      return reply.redirect(`${webhookPage(owner, webhook.id)}?done=saved`, 303);
    }),
  );

  app.post<Route>(
    `${one}/delete`,
    sent,
    at(async (request, reply, { owner }) => {
      const deleted = await deleteWebhook(db, owner, request.params.webhookId, auditContextOf(request));
      if (deleted === undefined) return sendNotFoundPage(reply);
      return reply.redirect(`${webhookPage(owner)}?done=deleted`, 303);
    }),
  );

  app.post<Route>(
    `${one}/test`,
    sent,
    atOne(async (_request, reply, place, webhook) => {
      const tested = await testWebhook(app, place.owner, webhook.id);
      const done = tested.ok ? 'tested' : tested.reason;
      return reply.redirect(`${webhookPage(place.owner, webhook.id)}?done=${done}`, 303);
    }),
  );

  app.post<Route>(
    `${one}/deliveries/:deliveryId/resend`,
    sent,
    atOne(async (request, reply, place, webhook) => {
      const resent = await resend(app, place.owner, webhook.id, request.params.deliveryId);
      const done = resent.ok ? 'resent' : resent.reason;
      return reply.redirect(`${webhookPage(place.owner, webhook.id)}?done=${done}`, 303);
    }),
  );

  function at(answer: (request: Request, reply: FastifyReply, place: Place) => Promise<FastifyReply>) {
    return async (request: Request, reply: FastifyReply): Promise<FastifyReply> => {
      const place = await placeOf(request);
      return place === undefined ? sendNotFoundPage(reply) : answer(request, reply, place);
    };
  }

  function atOne(
    answer: (request: Request, reply: FastifyReply, place: Place, webhook: Webhook) => Promise<FastifyReply>,
  ) {
    return at(async (request, reply, place) => {
      const webhook = await findWebhook(db, place.owner, request.params.webhookId);
      return webhook === undefined ? sendNotFoundPage(reply) : answer(request, reply, place, webhook);
    });
  }

  /** With what is wrong, and what was chosen. */
  async function sendAgain(
    request: Request,
    reply: FastifyReply,
    place: Place,
    refused: FormFaults | { readonly reason: WebhookRefusal },
    webhook?: Webhook,
  ): Promise<FastifyReply> {
    const { body } = request;
    const form = 'faults' in refused ? refused : faultsOf(body, refused.reason);
    const choices = { active: body['active'] === 'on', triggers: listed(body['triggers']) };
    return sendForm(reply.code(400), place, form, choices, webhook);
  }

  async function sendForm(
    reply: FastifyReply,
    place: Place,
    form: FormFaults,
    chosen: Parameters<typeof describeWebhook>[2],
    webhook?: Webhook,
  ): Promise<FastifyReply> {
    const shown = await describeWebhook(db, place, chosen, webhook);
    return sendPage(reply, 'settings/webhook', {
      ...{ ...shown, ...form },
      focus: focusOf(form.faults, ['subscriberUrl']),
      done: readDone(reply.request.query, doneWords),
      secret: webhook && takeShownSecret(reply, app, shown.action, webhook.id),
    });
  }
}

const listed = (value: unknown): readonly unknown[] => [value ?? []].flat();

/** As the API would get it; the secret is ours. */
function read(app: FastifyInstance, owner: WebhookOwner, sent: Sent) {
  const { subscriberUrl, triggers, active } = sent;
  const body = { subscriberUrl, triggers: listed(triggers), active: active === 'on' };
  const form = readAsApi('clientId' in owner ? newAppWebhook : newWebhook, body, sent);
  if (form.ok) return form;
  const faults = byField(form.faults);
  // Otherwise asked only when all else is right.
  const text = faults['subscriberUrl'] === undefined ? String(subscriberUrl).trim() : undefined;
  const reason = addressFaultOf(text, app.config);
  return { ...form, faults: { ...(reason && { subscriberUrl: wordsOf(reason) }), ...faults } };
}

function faultsOf(sent: Sent, reason: WebhookRefusal): FormFaults {
  return shownAgain(sent, { [reason.endsWith('address') ? 'subscriberUrl' : 'form']: wordsOf(reason) });
}
