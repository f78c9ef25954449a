import fp from 'fastify-plugin';
import { z } from 'zod';
import { requireSignIn } from '../../accounts/sessions/session.ts';
import { readForm } from '../../web/forms.ts';
import { type Page, sendPage } from '../../web/pages.ts';
import {
  type ClientRoute,
  developerHome as home,
  type ShownClient,
  withOwnClient,
} from '../clients/own-client.ts';
import { tokenRefusals } from '../core/refusal.ts';
import type { failedTokenRequests } from '../tables.ts';
import { explain } from './causes.ts';
import { keptDays, listFailedRequests } from './store.ts';

declare module '../../web/pages.ts' {
  interface Views {
    'oauth/failed-requests': Page & {
      readonly client: ShownClient;
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

/** For the client's owner, contract §2. */
export const failedRequestsPlugin = fp(
  async (app) => {
    app.addHook('preHandler', requireSignIn(home));

    app.get<ClientRoute>(`${home}/:clientId/failed-requests`, async (request, reply) => {
      // Developers look for what failed a moment ago; the tab counts it, too.
      await app.failedRequests.flush();
      return withOwnClient(app.db, request, reply, async (client) => {
        const title = `Failed requests of ${client.name}`;
        const page = { title, client, keptDays, scripts: ['copy.js'] };
        const form = readForm(search, request.query);
        if (!form.ok) {
          const { request_id: requestId = '' } = form.typed;
          const wrong = { requestId, fault: form.faults['request_id'] };
          const data = { ...page, faults: form.faults, search: wrong, failedRequests: [] };
          return sendPage(request, reply.code(400), 'oauth/failed-requests', data);
        }
        const requestId = form.value.request_id;
        const rows = await listFailedRequests(app.db, client.id, requestId || undefined, app.runtime.now());
        const canSearch = rows.length > 0 || requestId !== '';
        return sendPage(request, reply, 'oauth/failed-requests', {
          ...page,
          search: canSearch ? { requestId, fault: undefined } : undefined,
          failedRequests: rows.map(show),
        });
      });
    });
  },
  { name: 'failed-requests', dependencies: ['platform'], encapsulate: true },
);

function show({ requestId, at, reason, cause }: typeof failedTokenRequests.$inferSelect) {
  const [status, error, description] = tokenRefusals[reason];
  const sentence = explain(cause)
    .split('`')
    .map((text, index) => ({ text, isCode: index % 2 === 1 }));
  return { requestId, at, isoTime: at.toISOString(), status, error, description, sentence };
}
