import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { actAndTell, holdEmail } from '../../accounts/emails.ts';
import { findOwnGroup } from '../../accounts/groups/store.ts';
import { isManagingRole } from '../../accounts/person.ts';
import {
  auditContextOf,
  requireVerifiedEmail,
  sessionOf,
  settingsPlugin,
} from '../../accounts/sessions/session.ts';
import { sendShownSecret, takeShownSecret } from '../../oauth/clients/new-secret.ts';
import { developerHome, ownClientOf } from '../../oauth/clients/own-client.ts';
import type { Email } from '../../platform/mail/email.ts';
import type { Platform } from '../../platform/platform.ts';
import type { ScopedApp } from '../../platform/scoped-plugin.ts';
import { outOfTurn } from '../../platform/turns.ts';
import type { Words } from '../../platform/words.ts';
import { byField, readAsApi, type SentFields, sentFields, shownAgain } from '../../v2/form.ts';
import { inDigits, rowIdInAddress } from '../../v2/input.ts';
import { orNotFound } from '../../web/error-pages.ts';
import { type FormFaults, untouched } from '../../web/forms.ts';
import { tellOutcomes } from '../../web/outcomes.ts';
import { sendPage } from '../../web/pages.ts';
import { keepEnglish } from '../../web/translated.ts';
import { addWebhook, editWebhook, resend, testWebhook } from '../change.ts';
import { webhookPage } from '../delivery/delivery.ts';
import { type ShownDelivery, wasAttempted } from '../delivery/store.ts';
import { addressFaultOf, newAppWebhook, newWebhook } from '../request.ts';
import { type WebhookRefusal, webhookRefusals } from '../response.ts';
import { deleteWebhook, findWebhook, type Webhook, type WebhookOwner } from '../store.ts';
import { decryptWebhookUrl } from '../webhook.ts';
import { describeWebhook, describeWebhooks, triggersFor, type WebhooksSubject } from './rows.ts';

const wordsOf = (reason: WebhookRefusal): string => webhookRefusals[reason][1];

const doneWords = {
  created: 'Webhook created.',
  saved: 'Webhook saved.',
  deleted: 'Webhook deleted.',
  answered: 'Event sent. Its result is below.',
  tested: 'Event queued. Its result isn’t here yet: your server is slow, or other events wait before it.',
  off: wordsOf('off'),
  not_found: 'We no longer keep this delivery.',
} as const;
const nothingDone = [doneWords.off, doneWords.not_found];

/** A person waits two seconds at most; tests and resends are limited by account. */
const resultTries = 8;
const resultEveryMs = 250;

const params = z.object({ groupId: rowIdInAddress.optional(), clientId: z.string().optional() });
const ofOne = params.extend({ webhookId: z.guid() });
const ofDelivery = ofOne.extend({ deliveryId: inDigits(z.int()) });

type RequestAt<Params extends z.ZodType> = FastifyRequest & { readonly params: z.output<Params> };

/** The pages are for webhooks of the user and the user's teams and apps (contract §8). */
export const webhookSettingsPlugin = settingsPlugin('webhook-settings', '/settings/webhooks', async (app) => {
  app.addHook('onRequest', keepEnglish);
  app.addHook('preValidation', requireVerifiedEmail);
  tellOutcomes(app, doneWords, nothingDone);
  registerPages(app, '/settings', async (request) => ({
    owner: { userId: sessionOf(request).person.id },
    maker: undefined,
    client: undefined,
    crumb: undefined,
  }));
  registerPages(app, '/settings/teams/:groupId', async (request) => {
    const id = orNotFound(request.params.groupId);
    const { id: makerId } = sessionOf(request).person;
    const team = await findOwnGroup(app.db, { kind: 'team', id }, makerId);
    const { name } = orNotFound(isManagingRole(team?.role) ? team : undefined);
    const crumb = { address: `/settings/teams/${id}`, words: name };
    return { owner: { teamId: id }, maker: { makerId }, client: undefined, crumb };
  });
  registerPages(app, `${developerHome}/:clientId`, async (request) => {
    const client = orNotFound(await ownClientOf(app.db, request));
    const maker = { makerId: sessionOf(request).person.id };
    return { owner: { clientId: client.id }, maker, client, crumb: undefined };
  });
});

function registerPages(
  app: ScopedApp,
  parent: string,
  subjectOf: (request: RequestAt<typeof params>) => Promise<WebhooksSubject>,
): void {
  const { config, db, runtime, secrets } = app;
  const saving = { config, runtime, secrets };
  const home = `${parent}/webhooks`;
  const one = `${home}/:webhookId`;
  const shown = { schema: { params } };
  const sent = { schema: { params: ofOne, body: sentFields } };
  const again = { oldSignInBecause: 'it goes where a recent sign-in has sent it' };

  app.get(home, shown, async (request, reply) =>
    sendPage(reply, 'webhooks/webhooks', await describeWebhooks(app, await subjectOf(request))),
  );

  app.get(`${home}/new`, shown, async (request, reply) =>
    sendForm(reply, await subjectOf(request), untouched, { active: true, triggers: [] }),
  );

  app.post(`${home}/new`, { schema: { params, body: sentFields } }, async (request, reply) =>
    save(reply, await subjectOf(request), { ...request.body, active: 'on' }),
  );

  app.get(one, { schema: { params: ofOne } }, async (request, reply) => {
    const { subject, webhook } = await findOne(request);
    const subscriberUrl = decryptWebhookUrl(app.secrets, webhook) ?? webhook.subscriberUrl;
    const form = { typed: { subscriberUrl }, faults: {} };
    return sendForm(reply, subject, form, webhook, webhook);
  });

  app.post(one, sent, async (request, reply) => {
    const { subject, webhook } = await findOne(request);
    return save(reply, subject, request.body, webhook);
  });

  // protects: C273
  app.get(`${one}/delete`, { schema: { params: ofOne } }, async (request, reply) => {
    const { subject, webhook } = await findOne(request);
    return sendPage(reply, 'deletion', {
      title: 'Delete this webhook?',
      text: 'Waiting events won’t be sent, and the log is deleted. You can’t undo this.',
      button: 'Delete webhook',
      back: { address: webhookPage(subject.owner, webhook.id), words: 'Webhook' },
    });
  });

  const ending = { oldSignInBecause: 'it ends copies for others' };
  app.post(`${one}/delete`, { ...sent, config: ending }, async (request, reply) => {
    const { owner } = await subjectOf(request);
    orNotFound(await deleteWebhook(db, owner, request.params.webhookId, auditContextOf(request)));
    return reply.redirect(`${webhookPage(owner)}?done=deleted`, 303);
  });

  app.post(`${one}/test`, { ...sent, config: again }, async (request, reply) => {
    const { subject, webhook } = await findOne(request);
    const tested = await testWebhook(app, subject.owner, webhook.id);
    const done = tested.ok ? await outOfTurn(() => resultOf(webhook.id, tested.value)) : tested.reason;
    return reply.redirect(`${webhookPage(subject.owner, webhook.id)}?done=${done}`, 303);
  });

  app.post(
    `${one}/deliveries/:deliveryId/resend`,
    { config: again, schema: { params: ofDelivery, body: sentFields } },
    async (request, reply) => {
      const { subject, webhook } = await findOne(request);
      const resent = await resend(app, subject.owner, webhook.id, request.params.deliveryId);
      const done = resent.ok ? await outOfTurn(() => resultOf(webhook.id, resent.value)) : resent.reason;
      return reply.redirect(`${webhookPage(subject.owner, webhook.id)}?done=${done}`, 303);
    },
  );

  /** Most servers answer in less time than a person needs to reload. */
  async function resultOf(id: string, { delivery }: ShownDelivery): Promise<'answered' | 'tested'> {
    for (let tries = 0; tries < resultTries; tries += 1) {
      await sleep(resultEveryMs);
      if (await wasAttempted(db, id, delivery.id)) return 'answered';
    }
    return 'tested';
  }

  async function findOne(request: RequestAt<typeof ofOne>) {
    const subject = await subjectOf(request);
    const webhook = orNotFound(await findWebhook(db, subject.owner, request.params.webhookId));
    return { subject, webhook };
  }

  /** Saves a new webhook, or one that is there, and announces it to the person. */
  async function save(
    reply: FastifyReply,
    subject: WebhooksSubject,
    sent: SentFields,
    webhook?: Webhook,
  ): Promise<FastifyReply> {
    const { owner, maker } = subject;
    const choices = { active: sent['active'] === 'on', triggers: listed(sent['triggers']) };
    // All events are selected, and nothing is saved yet.
    if ('selectAll' in sent) {
      const all = { ...choices, triggers: triggersFor(owner) };
      return sendForm(reply, subject, shownAgain(sent, {}), all, webhook);
    }
    const form = read(app, owner, { subscriberUrl: sent['subscriberUrl'], ...choices }, sent);
    if (!form.ok) return sendForm(reply.code(400), subject, form, choices, webhook);
    const { person } = sessionOf(reply.request);
    const caller = { owner, maker, by: auditContextOf(reply.request) };
    const done = webhook === undefined ? 'created' : 'changed';
    const saved = await actAndTell(
      app,
      person,
      (tx) =>
        webhook === undefined
          ? addWebhook({ ...saving, db: tx }, caller, form.value)
          : editWebhook({ ...saving, db: tx }, caller, webhook.id, form.value),
      (outcome, words) => (outcome.ok ? emailOf(done, owner, outcome.value, words) : undefined),
    );
    if (!saved.ok) return sendForm(reply.code(400), subject, faultsOf(sent, saved.reason), choices, webhook);
    const { id, secret }: Webhook & { readonly secret?: string } = saved.value;
    const page = webhookPage(owner, id);
    if (secret !== undefined) sendShownSecret(reply, app, page, id, secret);
    return reply.redirect(`${page}?done=${webhook === undefined ? 'created' : 'saved'}`, 303);
  }

  function emailOf(
    done: 'created' | 'changed',
    owner: WebhookOwner,
    { id, subscriberUrl }: Webhook,
    words: Words,
  ): Email {
    const values = { done, host: new URL(subscriberUrl).host };
    const text = words.t(
      'A webhook was {done, select, created {created} other {changed}}. It sends what happens to bookings to {host}.',
      values,
    );
    const subject = words.t('Webhook {done, select, created {created} other {changed}}', { done });
    return holdEmail(subject, text, webhookPage(owner, id), config.appUrl, words);
  }

  async function sendForm(
    reply: FastifyReply,
    subject: WebhooksSubject,
    form: FormFaults,
    chosen: Parameters<typeof describeWebhook>[2],
    webhook?: Webhook,
  ): Promise<FastifyReply> {
    const shown = await describeWebhook(app, subject, chosen, webhook);
    const secret = webhook && takeShownSecret(reply, app, shown.action, webhook.id);
    return sendPage(reply, 'webhooks/webhook', { ...shown, ...form, secret });
  }
}

const listed = (value: unknown): readonly unknown[] => [value ?? []].flat();

function read(
  { config }: Pick<Platform, 'config'>,
  owner: WebhookOwner,
  body: Readonly<Record<string, unknown>>,
  sent: SentFields,
) {
  const form = readAsApi('clientId' in owner ? newAppWebhook : newWebhook, body, sent);
  if (form.ok) return form;
  const faults = byField(form.faults);
  // The address is checked only when all else is right.
  const text = faults['subscriberUrl'] === undefined ? String(body['subscriberUrl']).trim() : undefined;
  const reason = addressFaultOf(text, config);
  return { ...form, faults: { ...(reason && { subscriberUrl: wordsOf(reason) }), ...faults } };
}

function faultsOf(sent: SentFields, reason: WebhookRefusal): FormFaults {
  return shownAgain(sent, { [reason.endsWith('address') ? 'subscriberUrl' : 'form']: wordsOf(reason) });
}
