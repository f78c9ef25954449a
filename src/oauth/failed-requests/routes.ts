import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { requireAdmin } from '../../accounts/admin/admins.ts';
import { settingsPlugin } from '../../accounts/sessions/session.ts';
import { readForm } from '../../web/forms.ts';
import { orNotFound, type Page, sendNotFoundPage, sendPage } from '../../web/pages.ts';
import { segmentOf } from '../app-identity.ts';
import {
  type ClientRoute,
  developerHome as home,
  ownClientOf,
  type TabbedClient,
} from '../clients/own-client.ts';
import { badgesOf } from '../clients/status.ts';
import { tokenRefusals } from '../core/refusal.ts';
import { ofClient, reviewHome } from '../review/routes.ts';
import { findReviewedClient } from '../review/store.ts';
import type { failedTokenRequests } from '../tables.ts';
import { explain } from './causes.ts';
import { keptDays, listFailedRequests } from './store.ts';

declare module '../../web/pages.ts' {
  interface Views {
    'oauth/failed-requests': Page & {
      readonly client: TabbedClient;
      readonly keptDays: number;
      /** Undefined while there is nothing to search. */
      readonly search: { readonly requestId: string; readonly fault: string | undefined } | undefined;
      readonly failedRequests: readonly ReturnType<typeof show>[];
    };
  }
}

/** Empty: all. */
const search = z.object({
  request_id: z
    .string({ error: 'Enter one request ID.' })
    .trim()
    .regex(/^[\w.-]{0,64}$/, { error: 'Enter the value of the X-Request-Id header.' })
    .default(''),
});

/** For the client's owner; of a metadata document, which has none, for admins (contract §2). */
export const failedRequestsPlugin = settingsPlugin('failed-requests', home, async (app) => {
  app.get<ClientRoute>(`${home}/:clientId/failed-requests`, async (request, reply) => {
    // Developers look for what failed a moment ago; the tab counts it, too.
    await app.failedRequests.flush();
    return sendList(reply, orNotFound(await ownClientOf(app.db, request)));
  });

  const admins = { ...ofClient, preHandler: requireAdmin };
  app.get(`${reviewHome}/:clientId/failed-requests`, admins, async (request, reply) => {
    const client = await findReviewedClient(app.db, request.params.clientId);
    if (client?.ownerId !== null) return sendNotFoundPage(reply);
    await app.failedRequests.flush();
    const review = `${reviewHome}/${segmentOf(client.id)}`;
    const tabs = [
      { address: review, words: 'Review' },
      { address: `${review}/failed-requests`, words: 'Failed requests' },
    ];
    const crumb = { address: reviewHome, words: 'Apps to review' };
    return sendList(reply, { ...client, badges: badgesOf(client), tabs, crumb });
  });
});

async function sendList(reply: FastifyReply, client: TabbedClient & { readonly id: string }) {
  const { query, server } = reply.request;
  const title = `Failed requests of ${client.name}`;
  const page = { title, client, keptDays, scripts: ['copy.js'] };
  const form = readForm(search, query);
  if (!form.ok) {
    const { request_id: requestId = '' } = form.typed;
    const wrong = { requestId, fault: form.faults['request_id'] };
    const data = { ...page, faults: form.faults, search: wrong, failedRequests: [] };
    return sendPage(reply.code(400), 'oauth/failed-requests', data);
  }
  const requestId = form.value.request_id;
  const rows = await listFailedRequests(server.db, client.id, requestId || undefined, server.runtime.now());
  const canSearch = rows.length > 0 || requestId !== '';
  return sendPage(reply, 'oauth/failed-requests', {
    ...page,
    search: canSearch ? { requestId, fault: undefined } : undefined,
    failedRequests: rows.map(show),
  });
}

function show({ requestId, at, reason, cause }: typeof failedTokenRequests.$inferSelect) {
  const [status, error, description] = tokenRefusals[reason];
  const sentence = explain(cause)
    .split('`')
    .map((text, index) => ({ text, isCode: index % 2 === 1 }));
  return { requestId, at, isoTime: at.toISOString(), status, error, description, sentence };
}
