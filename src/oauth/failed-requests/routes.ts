import type { FastifyInstance, FastifyReply } from 'fastify';
import { z } from 'zod';
import { requireAdmin } from '../../accounts/admin/admins.ts';
import { settingsPlugin } from '../../accounts/sessions/session.ts';
import { formOf } from '../../web/forms.ts';
import { orNotFound, type Page, sendNotFoundPage, sendPage } from '../../web/pages.ts';
import { clientParams as params, segmentOf } from '../client-id.ts';
import { developerHome as home, ownClientOf, type TabbedClient } from '../clients/own-client.ts';
import { badgesOf } from '../clients/status.ts';
import { tokenRefusals } from '../core/refusal.ts';
import { reviewHome } from '../review/routes.ts';
import { findReviewedClient } from '../review/store.ts';
import { explain } from './causes.ts';
import { keptDays, listFailedRequests } from './store.ts';
import type { failedTokenRequests } from './tables.ts';

declare module '../../web/pages.ts' {
  interface Views {
    'oauth/failed-requests': Page & Awaited<ReturnType<typeof describeList>>;
  }
}

/** Empty: all. */
const search = z
  .string({ error: 'Enter one request ID.' })
  .trim()
  .regex(/^[\w.-]{0,64}$/, { error: 'Enter the value of the X-Request-Id header.' })
  .default('');

const schema = { params, querystring: formOf(z.object({ request_id: search })) };
type Search = z.output<typeof schema.querystring>;

/** For the client's owner; of a metadata document, which has none, for admins (contract §2). */
export const failedRequestsPlugin = settingsPlugin('failed-requests', home, async (app) => {
  app.get(`${home}/:clientId/failed-requests`, { schema }, async (request, reply) => {
    // Developers look for what failed a moment ago; the tab counts it, too.
    await app.failedRequests.flush();
    return sendList(reply, orNotFound(await ownClientOf(app.db, request)), request.query);
  });

  const admins = { preValidation: requireAdmin, schema };
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
    return sendList(reply, { ...client, badges: badgesOf(client), tabs, crumb }, request.query);
  });
});

type Listed = TabbedClient & { readonly id: string };

async function sendList(reply: FastifyReply, client: Listed, form: Search): Promise<FastifyReply> {
  const page = await describeList(reply.request.server, client, form);
  return sendPage(page.fault === undefined ? reply : reply.code(400), 'oauth/failed-requests', page);
}

async function describeList({ db, runtime }: FastifyInstance, client: Listed, form: Search) {
  const faults = form.ok ? {} : form.faults;
  const requestId = form.ok ? form.value.request_id : (form.typed['request_id'] ?? '');
  const rows = form.ok ? await listFailedRequests(db, client.id, requestId || undefined, runtime.now()) : [];
  return {
    title: `Failed requests of ${client.name}`,
    scripts: ['copy.js'],
    client,
    keptDays,
    faults,
    fault: faults['request_id'],
    requestId,
    /** Not while there is nothing to search. */
    canSearch: !form.ok || rows.length > 0 || requestId !== '',
    failedRequests: rows.map(show),
  };
}

function show({ requestId, at, reason, cause }: typeof failedTokenRequests.$inferSelect) {
  const [status, error, description] = tokenRefusals[reason];
  const sentence = explain(cause)
    .split('`')
    .map((text, index) => ({ text, isCode: index % 2 === 1 }));
  return { requestId, at, isoTime: at.toISOString(), status, error, description, sentence };
}
