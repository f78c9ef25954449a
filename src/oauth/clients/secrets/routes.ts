import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { auditContextOf, sessionOf, settingsPlugin } from '../../../accounts/sessions/session.ts';
import { renderEmail } from '../../../platform/mail/email.ts';
import { orNotFound, sendNotFoundPage } from '../../../web/error-pages.ts';
import { formOf } from '../../../web/forms.ts';
import { type Page, sendPage } from '../../../web/pages.ts';
import { keepEnglish } from '../../../web/translated.ts';
import { ofClient, clientParams as params } from '../../client-id.ts';
import { maxLiveSecrets } from '../../core/client.ts';
import { secretEmail } from '../emails.ts';
import {
  generateSecret,
  newRegistrationKey,
  registrationKey,
  sendShownSecret,
  takeShownSecret,
} from '../new-secret.ts';
import {
  type ClientRequest,
  clientPage,
  developerHome as home,
  ownClientOf,
  type ShownClient,
  tellClientOutcomes,
  withClientOutcome,
} from '../own-client.ts';
import { addSecret, deleteSecret, findSecret, listLiveSecrets } from './store.ts';

type ShownSecret = Awaited<ReturnType<typeof listLiveSecrets>>[number];

declare module '../../../web/pages.ts' {
  interface Views {
    'oauth/client-secrets': Page & {
      readonly client: ShownClient;
      readonly secrets: readonly ShownSecret[];
      readonly mayAdd: boolean;
      readonly registrationKey: string;
      readonly shownSecret: string | undefined;
      readonly fault: string | undefined;
    };
    'oauth/client-secret-delete': Page & {
      readonly client: ShownClient;
      readonly secret: ShownSecret;
      readonly isLast: boolean;
    };
  }
}

const additionForm = formOf(z.object({ registration_key: registrationKey }));
const ofSecret = { schema: { params: params.extend({ secretId: z.guid() }) } };
const pathOf = (clientId: string): string => `${clientPage(clientId)}/secrets`;

/** A second secret makes rotation without downtime possible (contract §2). */
export const clientSecretsPlugin = settingsPlugin('client-secrets', home, async (app) => {
  app.addHook('onRequest', keepEnglish);
  const { db, runtime, config } = app;
  tellClientOutcomes(app);

  app.get(`${home}/:clientId/secrets`, { ...ofClient, exposeHeadRoute: false }, async (request, reply) =>
    sendSecrets(request, reply),
  );

  const adding = { schema: { params, body: additionForm } };
  app.post(`${home}/:clientId/secrets`, adding, async (request, reply) => {
    const client = await confidentialClientOf(request);
    const form = request.body;
    if (!form.ok) return sendSecrets(request, reply.code(400), 'Nothing was added. Please try again.');
    const { person, idHash: sessionIdHash } = sessionOf(request);
    const { secret, stored } = await generateSecret(runtime);
    const added = { ...stored, registrationKey: form.value.registration_key };
    const email = secretEmail('added', client, stored.hint, config.appUrl);
    const notice = renderEmail(email, person.email, app);
    const whose = { clientId: client.id, ownerId: person.id, sessionIdHash };
    const outcome = await addSecret(db, whose, added, notice, auditContextOf(request));
    const path = pathOf(client.id);
    switch (outcome) {
      case 'no_client':
        return sendNotFoundPage(reply);
      case 'enough_live':
        return sendSecrets(request, reply.code(409), 'Nothing was added: you already have two secrets.');
      case 'added_before':
        return reply.redirect(withClientOutcome(path, 'secret_added_before'), 303);
      case 'added':
        sendShownSecret(reply, app, path, client.id, secret);
        return reply.redirect(withClientOutcome(path, 'secret_added'), 303);
    }
  });

  app.get(`${home}/:clientId/secrets/:secretId/delete`, ofSecret, async (request, reply) => {
    const { client, secret } = await ownSecretOf(request, request.params.secretId);
    if (secret.deletedAt !== null)
      return reply.redirect(withClientOutcome(pathOf(client.id), 'secret_deleted'), 303);
    const isLast = (await listLiveSecrets(db, client.id)).length === 1;
    const title = `Delete secret …${secret.hint}?`;
    return sendPage(reply, 'oauth/client-secret-delete', { title, client, secret, isLast });
  });

  app.post(`${home}/:clientId/secrets/:secretId/delete`, ofSecret, async (request, reply) => {
    const { client, secret } = await ownSecretOf(request, request.params.secretId);
    const { person } = sessionOf(request);
    const email = secretEmail('deleted', client, secret.hint, config.appUrl);
    const notice = renderEmail(email, person.email, app);
    await deleteSecret(db, { clientId: client.id, id: secret.id }, notice, auditContextOf(request));
    return reply.redirect(withClientOutcome(pathOf(client.id), 'secret_deleted'), 303);
  });

  async function confidentialClientOf(request: ClientRequest): Promise<ShownClient> {
    const client = await ownClientOf(db, request);
    return orNotFound(client?.type === 'confidential' ? client : undefined);
  }

  async function ownSecretOf(request: ClientRequest, id: string) {
    const client = await confidentialClientOf(request);
    return { client, secret: orNotFound(await findSecret(db, client.id, id)) };
  }

  async function sendSecrets(request: ClientRequest, reply: FastifyReply, fault?: string) {
    const client = await confidentialClientOf(request);
    const live = await listLiveSecrets(db, client.id);
    return sendPage(reply, 'oauth/client-secrets', {
      title: `Secrets of ${client.name}`,
      client,
      secrets: live,
      mayAdd: live.length < maxLiveSecrets,
      registrationKey: newRegistrationKey(runtime),
      shownSecret: takeShownSecret(reply, app, pathOf(client.id), client.id),
      fault,
    });
  }
});
