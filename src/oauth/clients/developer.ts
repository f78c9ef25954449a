import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { requireFormToken, requireSignIn, type SessionDeps, sessionOf } from '../../accounts/session.ts';
import { listAdminEmails } from '../../accounts/store.ts';
import { type FormFaults, readForm } from '../../forms.ts';
import { newUuid, randomHex } from '../../io/system.ts';
import { writeLetter } from '../../outbox/letter.ts';
import { sendNotFoundPage, sendPage } from '../../pages.ts';
import { toBase64url } from '../core/bytes.ts';
import type { Hash } from '../core/crypto.ts';
import { scopes } from '../core/scope.ts';
import {
  clientSecretBytes,
  formatClientSecret,
  hashClientSecret,
  hintOfClientSecret,
} from '../core/secret.ts';
import { submissionLetter } from './letters.ts';
import { clientForm } from './request.ts';
import { sendShownSecret, takeShownSecret } from './shown-secret.ts';
import { countPendingClients, createClient, findOwnClient, listOwnClients } from './store.ts';

export interface ClientPageDeps extends SessionDeps {
  readonly hash: Hash;
  /** Tells the outbox that there is something to send. */
  readonly nudgeOutbox: () => void;
}

const home = '/settings/developer/oauth';
/** So that one person cannot fill the admins' queue. */
const mostPending = 25;

/** Where developers register their clients and see what became of them (contract §2). Register in a scope of its own. */
export async function registerDeveloperRoutes(app: FastifyInstance, deps: ClientPageDeps): Promise<void> {
  app.addHook('preHandler', requireSignIn(home));
  app.addHook('preHandler', requireFormToken(deps));

  app.get(home, async (request, reply) => {
    const clients = await listOwnClients(deps.db, sessionOf(request).person.id);
    return sendPage(request, reply, 'oauth/clients', { title: 'Your apps', clients });
  });

  app.get(`${home}/new`, async (request, reply) => sendClientForm(request, reply));

  app.post(`${home}/new`, async (request, reply) => {
    const form = readForm(clientForm, request.body);
    if (!form.ok) return sendClientForm(request, reply.code(400), form, ticked(request.body));
    const id = randomHex(deps.system, 16);
    const {
      name,
      purpose,
      client_type: type,
      redirect_uris: redirectUris,
      website_url: websiteUrl,
    } = form.value;
    const ownerId = sessionOf(request).person.id;
    if ((await countPendingClients(deps.db, ownerId)) >= mostPending)
      return sendTooManyPending(request, reply);
    const client = { id, ownerId, name, purpose, type, redirectUris, websiteUrl, scopes: form.value.scopes };
    const secret =
      type === 'confidential' ? formatClientSecret(deps.system.randomBytes(clientSecretBytes)) : undefined;
    const newSecret = secret === undefined ? undefined : await describeSecret(secret, deps);
    const letter = submissionLetter(client, deps.appUrl);
    const notices = (await listAdminEmails(deps.db)).map((email) => writeLetter(letter, email, deps));
    await createClient(deps.db, client, newSecret, notices, deps.system.now());
    deps.nudgeOutbox();
    if (secret !== undefined) sendShownSecret(reply, deps, `${home}/${id}`, id, secret);
    return reply.redirect(`${home}/${id}`, 303);
  });

  app.get<{ Params: { clientId: string } }>(
    `${home}/:clientId`,
    { exposeHeadRoute: false },
    async (request, reply) => {
      const { clientId } = request.params;
      const client = await findOwnClient(deps.db, clientId, sessionOf(request).person.id);
      if (client === undefined) return sendNotFoundPage(request, reply);
      const shownSecret = takeShownSecret(request, reply, deps, `${home}/${clientId}`, clientId);
      return sendPage(request, reply, 'oauth/client', { title: client.name, client, shownSecret });
    },
  );
}

async function sendTooManyPending(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  return sendPage(request, reply.code(409), 'error', {
    title: 'Your other apps come first',
    text: `${mostPending} of your apps wait for their review. Register this one when some of them have been decided.`,
    next: { address: home, words: 'Back to your apps' },
  });
}

async function describeSecret(secret: string, deps: ClientPageDeps) {
  const secretHash = toBase64url(await hashClientSecret(secret, deps.hash));
  return { id: newUuid(deps.system), secretHash, hint: hintOfClientSecret(secret) };
}

/** The scopes that were ticked, for the form to be shown again. */
function ticked(body: unknown): readonly unknown[] {
  if (typeof body !== 'object' || body === null || !('scopes' in body)) return [];
  return Array.isArray(body.scopes) ? body.scopes : [body.scopes];
}

async function sendClientForm(
  request: FastifyRequest,
  reply: FastifyReply,
  form: FormFaults = { typed: {}, faults: {} },
  tickedScopes: readonly unknown[] = [],
): Promise<FastifyReply> {
  return sendPage(request, reply, 'oauth/client-form', {
    title: 'Register an app',
    scopes,
    tickedScopes,
    ...form,
  });
}
