import fp from 'fastify-plugin';
import { requireAdmin } from '../../accounts/admin/scope.ts';
import { requireFormToken, requireSignIn, sessionOf } from '../../accounts/sessions/session.ts';
import { readForm } from '../../web/forms.ts';
import { sendNotFoundPage, sendPage } from '../../web/pages.ts';
import type { ClientRoute } from '../clients/own-client.ts';
import { reviewDecisions } from '../core/client.ts';
import { reviewHome, sendDetail, settle } from './decisions.ts';
import { findLastDecision, findReviewedClient } from './detail/store.ts';
import { outcomeWords } from './history.ts';
import { readList, statusOptions } from './queue/page.ts';
import { listQuery } from './queue/request.ts';

/** Where admins approve, reject and suspend clients (contract §2). */
export const reviewPlugin = fp(
  async (app) => {
    app.addHook('preHandler', requireSignIn(reviewHome));
    app.addHook('preHandler', requireAdmin);
    app.addHook('preHandler', requireFormToken);

    app.get(reviewHome, async (request, reply) => {
      const page = { title: 'Apps to review', statusOptions };
      const query = readForm(listQuery, request.query);
      if (!query.ok) {
        const { typed, faults } = query;
        return sendPage(request, reply.code(400), 'oauth/review/queue', { ...page, typed, faults });
      }
      const { q, status, decided, span } = query.value;
      const list = await readList(app.db, reviewHome, query.value, app.runtime.now());
      const notice = await noticeOf(decided, sessionOf(request).person.id);
      return sendPage(request, reply, 'oauth/review/queue', {
        ...page,
        list,
        notice,
        status,
        isFurther: span !== undefined,
        startAddress: addressOfList({ q, status }),
        allAddress: addressOfList({ q, status: 'all' }),
        typed: { q },
        faults: {},
      });
    });

    app.get<ClientRoute>(`${reviewHome}/:clientId`, async (request, reply) => {
      const client = await findReviewedClient(app.db, request.params.clientId);
      if (client === undefined) return sendNotFoundPage(request, reply);
      return sendDetail(request, reply, app, client);
    });

    for (const decision of reviewDecisions) {
      app.post<ClientRoute>(`${reviewHome}/:clientId/${decision}`, async (request, reply) =>
        settle(request, reply, app, decision),
      );
    }

    /**
     * What the viewer decided just now, as the history has it; undefined when the last decision was
     * somebody else's.
     */
    async function noticeOf(clientId: string | undefined, viewerId: number) {
      if (clientId === undefined) return undefined;
      const last = await findLastDecision(app.db, clientId);
      if (last?.actorId !== viewerId) return undefined;
      const isGood = last.kind === 'accepted' || last.kind === 'edit_accepted';
      return { id: clientId, name: last.clientName, words: outcomeWords[last.kind], isGood };
    }
  },
  { name: 'review', dependencies: ['platform'], encapsulate: true },
);

function addressOfList(query: Readonly<Record<string, string>>): string {
  return `${reviewHome}?${new URLSearchParams(query).toString()}`;
}
