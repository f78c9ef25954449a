import type { FastifyInstance, FastifyReply } from 'fastify';
import { settingsPlugin } from '../../accounts/sessions/session.ts';
import { orNotFound } from '../../web/error-pages.ts';
import { type Page, sendPage } from '../../web/pages.ts';
import { keepEnglish } from '../../web/translated.ts';
import { ofClient } from '../client-id.ts';
import { tokenRefusals } from '../core/refusal.ts';
import { isDocumentId } from '../document-id.ts';
import { type Diagnosis, explain } from '../failed-requests/causes.ts';
import { failureKeptDays, listFailedRequests } from '../failed-requests/store.ts';
import type { failedTokenRequests } from '../failed-requests/tables.ts';
import { piecesOf } from '../token/advice.ts';
import { clientPage, developerHome as home, ownClientOf, type TabbedClient } from './own-client.ts';

declare module '../../web/pages.ts' {
  interface Views {
    'oauth/failed-requests': Page & Awaited<ReturnType<typeof describeList>>;
  }
}

/** Serves the page for the client's owner (contract §2). */
export const failedRequestsPlugin = settingsPlugin('failed-requests', home, async (app) => {
  app.addHook('onRequest', keepEnglish);
  app.get(`${home}/:clientId/failed-requests`, ofClient, async (request, reply) => {
    // The client's tab counts them, so they are stored before it is read.
    await app.failedRequests.flush();
    return sendFailedRequests(reply, orNotFound(await ownClientOf(app.db, request)));
  });
});

type Listed = TabbedClient & { readonly id: string };

/** The recorder must be flushed before: developers look for what failed a moment ago. */
export async function sendFailedRequests(reply: FastifyReply, client: Listed) {
  return sendPage(reply, 'oauth/failed-requests', await describeList(reply.request.server, client));
}

async function describeList({ db, runtime }: FastifyInstance, client: Listed) {
  const rows = await listFailedRequests(db, client.id, runtime.now());
  return {
    title: `Failed requests of ${client.name}`,
    scripts: ['copy.js'],
    client,
    keptDays: failureKeptDays,
    failedRequests: rows.map((row) =>
      show(row, isDocumentId(client.id) ? undefined : `${clientPage(client.id)}/edit`),
    ),
  };
}

const answers = {
  ...tokenRefusals,
  openid_not_registered: [303, 'invalid_scope', 'openid_not_registered'],
  post_logout_redirect_uri_not_registered: [200, 'logout', 'post_logout_redirect_uri_not_registered'],
} as const;
const ignored = [303, 'code', 'openid_not_registered'] as const;

function show({ requestId, at, reason, cause }: typeof failedTokenRequests.$inferSelect, editPage?: string) {
  const isAboutOpenid = cause.kind === 'openid_not_registered';
  const [status, error, description] = isAboutOpenid && !cause.isRefused ? ignored : answers[reason];
  const mend = editPage && mendOf(cause, editPage);
  const [, first = '', advice = ''] = /^(.+?[.?])(?: (?=[A-Z`])(.*))?$/s.exec(explain(cause, reason)) ?? [];
  const said = { cause: piecesOf(first), advice: piecesOf(advice) };
  return { requestId, at, isoTime: at.toISOString(), status, error, description, mend, ...said };
}

function mendOf(cause: Diagnosis, address: string) {
  if (cause.kind === 'openid_not_registered')
    return cause.isOffered ? { address, words: 'Edit the app’s scopes' } : undefined;
  return cause.kind === 'post_logout_redirect_uri_not_registered'
    ? { address, words: 'Edit the app’s sign-out URIs' }
    : undefined;
}
