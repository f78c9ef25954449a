import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import {
  auditContextOf,
  requireRecentSignIn,
  sessionOf,
  settingsPlugin,
} from '../../accounts/sessions/session.ts';
import { countManagedBy, listAdminEmails } from '../../accounts/store.ts';
import type { Db } from '../../platform/database.ts';
import { renderEmail } from '../../platform/mail/email.ts';
import type { ScopedApp } from '../../platform/scoped-plugin.ts';
import { orNotFound } from '../../web/error-pages.ts';
import { type FormFaults, formOf, isTypedName, untouched } from '../../web/forms.ts';
import { type Page, sendPage } from '../../web/pages.ts';
import { keepEnglish } from '../../web/translated.ts';
import { initialOf } from '../app-identity.ts';
import { ofClient, clientParams as params } from '../client-id.ts';
import { countConnectedUsers } from '../connected-apps/store.ts';
import type { ReviewStatus } from '../core/client.ts';
import { hasFailed } from '../failed-requests/store.ts';
import { liveScopesOf, notOffered, unacceptedOf } from './accepted.ts';
import { describeEdit, type EditedField } from './edits/change.ts';
import { deletionEmail } from './emails.ts';
import { addEdits, addRegistration } from './form-pages.ts';
import { takeShownSecret } from './new-secret.ts';
import {
  clientPage,
  developerHome,
  ownClientOf,
  reviewHome,
  type ShownClient,
  tellClientOutcomes,
  withClientOutcome,
} from './own-client.ts';
import { describeQuickstart, languageTabs } from './quickstart/quickstart.ts';
import { describeLastTokenRequest } from './quickstart/seen.ts';
import { languages } from './quickstart/snippets.ts';
import { badgesOf, describeCount, describeType, eventWordsOf } from './status.ts';
import { deleteClient, listClientEvents, listOwnClients } from './store.ts';

declare module '../../web/pages.ts' {
  interface Views {
    'oauth/clients': Page & { readonly clients: Awaited<ReturnType<typeof listOwnApps>> };
    'oauth/client': Awaited<ReturnType<typeof describeClient>> & { readonly shownSecret: string | undefined };
    'oauth/client-quickstart': Page & {
      readonly client: ShownClient;
      readonly quickstart: ReturnType<typeof describeQuickstart>;
      readonly seen: Awaited<ReturnType<typeof describeLastTokenRequest>>;
      readonly isShell: boolean;
      readonly languages: ReturnType<typeof languageTabs>;
    };
    'oauth/changes': {
      readonly differences: readonly EditedField[];
      readonly now: string;
      readonly then: string;
    };
    'oauth/client-snippet': ReturnType<typeof describeQuickstart>['steps'][number] & {
      readonly download?: string;
    };
    'oauth/client-delete': Page & Awaited<ReturnType<typeof describeDeletion>>;
  }
}

const statusWords = {
  pending: {
    title: 'Your app is in review',
    text: 'Users can’t connect it until it’s approved. You can edit it and prepare your code meanwhile.',
  },
  accepted: {
    title: 'Your app is approved',
    text: 'Users can connect it. Get your first token with the quickstart.',
  },
  rejected: {
    title: 'Your app was rejected',
    text: 'Users can’t connect it, and its tokens don’t work. Fix what the reviewer names and resubmit it.',
  },
  suspended: {
    title: 'Your app was suspended',
    text: 'It was approved before. Users can’t connect it now, and its tokens don’t work. Fix what the reviewer names and resubmit it.',
  },
} as const satisfies Record<ReviewStatus | 'suspended', { readonly title: string; readonly text: string }>;

const deletionPath = `${developerHome}/:clientId/delete`;
const maxEvents = 50;
const querystring = z.object({ language: z.enum(languages).catch('javascript') });

/** Contract §2 says what developers can do here. */
export const clientsPlugin = settingsPlugin('clients', developerHome, async (app) => {
  app.addHook('onRequest', keepEnglish);
  const { db, config } = app;
  tellClientOutcomes(app);

  app.get(developerHome, async (request, reply) => {
    const clients = await listOwnApps(db, sessionOf(request).person.id);
    return sendPage(reply, 'oauth/clients', { title: 'Your apps', clients });
  });

  addRegistration(app);
  addEdits(app);
  addDeletion(app);

  app.get(`${developerHome}/:clientId`, { ...ofClient, exposeHeadRoute: false }, async (request, reply) => {
    const client = orNotFound(await ownClientOf(db, request));
    const described = await describeClient(request, client);
    const shownSecret = takeShownSecret(reply, app, clientPage(client.id), client.id);
    return sendPage(reply, 'oauth/client', { ...described, shownSecret });
  });

  const quickstartPath = `${developerHome}/:clientId/quickstart`;
  const starting = { schema: { params, querystring }, exposeHeadRoute: false };
  app.get(quickstartPath, starting, async (request, reply) => {
    const client = orNotFound(await ownClientOf(db, request));
    const { language } = request.query;
    await app.failedRequests.flush();
    return sendPage(reply, 'oauth/client-quickstart', {
      title: `Quickstart for ${client.name}`,
      connects: true,
      client,
      quickstart: describeQuickstart(client, config, language, app.permissions),
      seen: await describeLastTokenRequest(app, client.id),
      isShell: language === 'shell',
      languages: languageTabs(`${clientPage(client.id)}/quickstart`, language),
    });
  });

  app.get(`${developerHome}/:clientId/quickstart.mjs`, ofClient, async (request, reply) => {
    const client = orNotFound(await ownClientOf(db, request));
    const { steps } = describeQuickstart(client, config, 'javascript', app.permissions);
    return reply
      .header('content-disposition', 'attachment; filename="quickstart.mjs"')
      .type('text/javascript; charset=utf-8')
      .send(`${steps[0]?.code}\n`);
  });
});

const toldWhere = (isEmailed: boolean): string =>
  isEmailed ? 'We’ll email you the result.' : 'You’ll see the result here.';

const noReviewer = 'This installation has no reviewer yet: its operator has to make an admin.';

const isInReview = ({ status, edit }: ShownClient): boolean =>
  status === 'pending' || (status === 'accepted' && edit?.status === 'pending');

async function listOwnApps(db: Db, ownerId: number) {
  const rows = await listOwnClients(db, ownerId);
  return rows.map((client) => ({
    ...client,
    initial: initialOf(client.name),
    typeName: client.type === 'public' ? 'Public' : 'Confidential',
    badges: badgesOf(client),
  }));
}

async function describeClient(request: FastifyRequest, client: ShownClient) {
  const { server: app } = request;
  const { id, status, edit } = client;
  const { known } = app.permissions;
  const live = { ...client, scopes: liveScopesOf(client, known) };
  await app.failedRequests.flush();
  const mayLackOpenid = known.includes('openid') && client.scopes?.includes('openid') !== true;
  const waits = isInReview(client);
  const [events, users, admins, hasAskedForOpenid] = await Promise.all([
    listClientEvents(app.db, id, maxEvents),
    countConnectedUsers(app, id),
    waits ? listAdminEmails(app.db) : [],
    mayLackOpenid && hasFailed(app.db, id, 'openid_not_registered', app.runtime.now()),
  ]);
  return {
    title: client.name,
    client,
    statusWords: statusWords[client.isSuspended ? 'suspended' : status],
    typeWords: describeType(client),
    hasAskedForOpenid,
    scopeWords: client.scopes?.join(' '),
    notOffered: notOffered(client.scopes, known).join(' '),
    unaccepted: status === 'accepted' && edit === undefined ? unacceptedOf(client, known).join(' ') : '',
    userCount: describeCount(users),
    queue: waits ? (admins.length === 0 ? noReviewer : toldWhere(app.mail.isConfigured)) : undefined,
    reviewAddress: sessionOf(request).person.isAdmin && waits ? `${reviewHome}/${id}` : undefined,
    differences: status === 'accepted' && edit !== undefined ? describeEdit(live, edit) : [],
    history: events.map(({ kind, reason, at }) => ({ words: eventWordsOf(kind), reason, at })),
  };
}

const wrongName = 'This isn’t the app’s name. Enter it as shown above.';
const name = z.string({ error: wrongName }).max(500, { error: wrongName });
const deletionForm = formOf(z.object({ name }));

function addDeletion(app: ScopedApp): void {
  const { db } = app;

  app.get(deletionPath, { ...ofClient, preValidation: requireRecentSignIn }, async (request, reply) =>
    sendDeletion(reply, orNotFound(await ownClientOf(db, request))),
  );

  app.post(deletionPath, { schema: { params, body: deletionForm } }, async (request, reply) => {
    const { person } = sessionOf(request);
    const client = await ownClientOf(db, request);
    if (client === undefined)
      return reply.redirect(withClientOutcome(developerHome, 'nothing_to_delete'), 303);
    const sent = request.body;
    if (!sent.ok) return sendDeletion(reply.code(400), client, sent);
    if (!isTypedName({ name: client.name, typed: sent.value.name })) {
      return sendDeletion(reply.code(400), client, { typed: sent.typed, faults: { name: wrongName } });
    }
    const notice = renderEmail(deletionEmail(client), person.email, app);
    const isDeleted = await deleteClient(db, client.id, notice, auditContextOf(request));
    if (!isDeleted) return reply.redirect(withClientOutcome(developerHome, 'nothing_to_delete'), 303);
    return reply.redirect(withClientOutcome(developerHome, 'deleted'), 303);
  });
}

async function sendDeletion(reply: FastifyReply, client: ShownClient, form = untouched) {
  const page = await describeDeletion(reply.request.server, client, form);
  return sendPage(reply, 'oauth/client-delete', page);
}

async function describeDeletion(app: FastifyInstance, client: ShownClient, form: FormFaults) {
  const managed = await countManagedBy(app.db, client.id);
  const count = describeCount(await countConnectedUsers(app, client.id));
  return {
    ...form,
    title: `Delete ${client.name}`,
    client,
    connections:
      count === '0'
        ? 'Nobody is connected to it.'
        : count === '1'
          ? '1 user loses the connection to it.'
          : `${count} users lose the connection to it.`,
    managed: managed === 0 ? undefined : managed === 1 ? '1 managed user is' : `${managed} managed users are`,
  };
}
