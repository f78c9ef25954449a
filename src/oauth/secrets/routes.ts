import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { requireFormToken } from '../../accounts/form-token.ts';
import { requireSignIn, type SessionDeps, sessionOf } from '../../accounts/session.ts';
import { readForm } from '../../forms.ts';
import { writeLetter } from '../../outbox/letter.ts';
import { sendNotFoundPage, sendPage } from '../../pages.ts';
import { type ClientRoute, clientPage, developerHome as home, withDone } from '../clients/address.ts';
import { deriveSecret } from '../clients/derived-secret.ts';
import { isRepeatedSoon, newFormId } from '../clients/form-id.ts';
import { describeDone } from '../clients/overview.ts';
import { ownClientOf } from '../clients/own.ts';
import { sendShownSecret, takeShownSecret } from '../clients/shown-secret.ts';
import type { Hash } from '../core/crypto.ts';
import { mostLiveSecrets } from '../core/secret.ts';
import { additionLetter, deletionLetter } from './letters.ts';
import { additionForm, isSecretId } from './request.ts';
import { addSecret, deleteSecret, findSecret, listLiveSecrets } from './store.ts';

export interface SecretPageDeps extends SessionDeps {
  readonly hash: Hash;
  readonly nudgeOutbox: () => void;
}

interface SecretRoute {
  Params: { clientId: string; secretId: string };
}

/** Where owners of confidential clients swap secrets without an outage (contract §2). Register in a scope of its own. */
export async function registerSecretRoutes(app: FastifyInstance, deps: SecretPageDeps): Promise<void> {
  app.addHook('preHandler', requireSignIn(home));
  app.addHook('preHandler', requireFormToken(deps));

  app.get<ClientRoute>(`${home}/:clientId/secrets`, { exposeHeadRoute: false }, async (request, reply) =>
    sendSecrets(request, reply),
  );

  app.post<ClientRoute>(`${home}/:clientId/secrets`, async (request, reply) => {
    const client = await findConfidentialClient(request);
    if (client === undefined) return sendNotFoundPage(request, reply);
    const form = readForm(additionForm, request.body);
    if (!form.ok) return sendSecrets(request, reply.code(400), 'Nothing was added. Please try again.');
    const { person } = sessionOf(request);
    const { secret, stored } = await deriveSecret(deps, client.id, form.value.form_id);
    const notice = writeLetter(additionLetter(client, stored.hint, deps.appUrl), person.email, deps);
    const now = deps.system.now();
    const addition = await addSecret(deps.db, client.id, person.id, stored, notice, now);
    switch (addition.outcome) {
      case 'no_client':
        return sendNotFoundPage(request, reply);
      case 'enough_live':
        return sendSecrets(request, reply.code(409), 'Nothing was added: two secrets are live already.');
      case 'repeated':
        if (!addition.isLive || !isRepeatedSoon(addition.createdAt, now))
          return sendRepeated(request, reply, client.id);
        break;
      case 'added':
        request.log.info({ clientId: client.id, secretId: stored.id }, 'a client secret was added');
        deps.nudgeOutbox();
    }
    const path = pathOf(client.id);
    sendShownSecret(reply, deps, path, client.id, secret);
    return reply.redirect(withDone(path, 'secret_added'), 303);
  });

  app.get<SecretRoute>(`${home}/:clientId/secrets/:secretId/delete`, async (request, reply) => {
    const found = await findOwnSecret(request);
    if (found === undefined) return sendNotFoundPage(request, reply);
    const { client, secret } = found;
    if (secret.deletedAt !== null) return reply.redirect(withDone(pathOf(client.id), 'secret_deleted'), 303);
    const isLast = (await listLiveSecrets(deps.db, client.id)).length === 1;
    const title = `Delete the secret …${secret.hint}?`;
    return sendPage(request, reply, 'oauth/client-secret-delete', { title, client, secret, isLast });
  });

  app.post<SecretRoute>(`${home}/:clientId/secrets/:secretId/delete`, async (request, reply) => {
    const found = await findOwnSecret(request);
    if (found === undefined) return sendNotFoundPage(request, reply);
    const { client, secret } = found;
    const { person } = sessionOf(request);
    const notice = writeLetter(deletionLetter(client, secret.hint, deps.appUrl), person.email, deps);
    const now = deps.system.now();
    if (await deleteSecret(deps.db, client.id, secret.id, person.id, notice, now)) {
      request.log.info({ clientId: client.id, secretId: secret.id }, 'a client secret was deleted');
      deps.nudgeOutbox();
    }
    return reply.redirect(withDone(pathOf(client.id), 'secret_deleted'), 303);
  });

  /** The client if it is the signed-in person's own, and has secrets at all. */
  async function findConfidentialClient(request: FastifyRequest<ClientRoute>) {
    const client = await ownClientOf(deps.db, request);
    return client?.type === 'confidential' ? client : undefined;
  }

  async function findOwnSecret(request: FastifyRequest<SecretRoute>) {
    const { clientId, secretId } = request.params;
    const client = await findConfidentialClient(request);
    if (client === undefined || !isSecretId(secretId)) return undefined;
    const secret = await findSecret(deps.db, clientId, secretId);
    return secret === undefined ? undefined : { client, secret };
  }

  async function sendSecrets(
    request: FastifyRequest<ClientRoute>,
    reply: FastifyReply,
    fault?: string,
  ): Promise<FastifyReply> {
    const client = await findConfidentialClient(request);
    if (client === undefined) return sendNotFoundPage(request, reply);
    const secrets = await listLiveSecrets(deps.db, client.id);
    return sendPage(request, reply, 'oauth/client-secrets', {
      title: `Secrets of ${client.name}`,
      client,
      secrets,
      mayAdd: secrets.length < mostLiveSecrets,
      formId: newFormId(deps.system),
      shownSecret: takeShownSecret(request, reply, deps, pathOf(client.id), client.id),
      fault,
      done: describeDone(request.query, client),
    });
  }
}

const pathOf = (clientId: string): string => `${clientPage(clientId)}/secrets`;

/** The form was sent before, too long ago to show its secret again, or its secret is gone. */
async function sendRepeated(
  request: FastifyRequest,
  reply: FastifyReply,
  clientId: string,
): Promise<FastifyReply> {
  return sendPage(request, reply.code(409), 'error', {
    title: 'This form was used already',
    text: 'It added a secret when it was sent the first time, so nothing was added now. If you do not have that secret any more, delete it and add another one.',
    next: { address: pathOf(clientId), words: 'Back to the secrets' },
  });
}
