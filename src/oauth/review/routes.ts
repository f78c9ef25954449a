import type { FastifyInstance } from 'fastify';
import { requireAdmin } from '../../accounts/admin-scope.ts';
import { requireFormToken } from '../../accounts/form-token.ts';
import { requireSignIn, sessionOf } from '../../accounts/session.ts';
import { readForm } from '../../forms.ts';
import { sendNotFoundPage, sendPage } from '../../pages.ts';
import type { ClientRoute } from '../clients/address.ts';
import { reviewDecisions } from '../core/client.ts';
import { type ReviewDeps, reviewHome, sendDossier, settle } from './decisions.ts';
import { findLastDecision, findReviewedClient } from './dossier/store.ts';
import { outcomeWords } from './history.ts';
import { readList, statusOptions } from './queue/page.ts';
import { listQuery } from './queue/request.ts';

/** Where admins look at clients, accept, reject and suspend them (contract §2). Register in a scope of its own. */
export async function registerReviewRoutes(app: FastifyInstance, deps: ReviewDeps): Promise<void> {
  app.addHook('preHandler', requireSignIn(reviewHome));
  app.addHook('preHandler', requireAdmin);
  app.addHook('preHandler', requireFormToken(deps));

  app.get(reviewHome, async (request, reply) => {
    const page = { title: 'Apps to review', statusOptions };
    const query = readForm(listQuery, request.query);
    if (!query.ok) {
      const { typed, faults } = query;
      return sendPage(request, reply.code(400), 'oauth/review/queue', { ...page, typed, faults });
    }
    const { q, status, decided, span } = query.value;
    const list = await readList(deps.db, reviewHome, query.value, deps.system.now());
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
    const client = await findReviewedClient(deps.db, request.params.clientId);
    if (client === undefined) return sendNotFoundPage(request, reply);
    return sendDossier(request, reply, deps, client);
  });

  for (const decision of reviewDecisions) {
    app.post<ClientRoute>(`${reviewHome}/:clientId/${decision}`, async (request, reply) =>
      settle(request, reply, deps, decision),
    );
  }

  /** What the viewer decided just now, as the history has it; undefined when the last decision was somebody else's. */
  async function noticeOf(clientId: string | undefined, viewerId: number) {
    if (clientId === undefined) return undefined;
    const last = await findLastDecision(deps.db, clientId);
    if (last?.actorId !== viewerId) return undefined;
    const isGood = last.kind === 'accepted' || last.kind === 'edit_accepted';
    return { id: clientId, name: last.clientName, words: outcomeWords[last.kind], isGood };
  }
}

function addressOfList(query: Readonly<Record<string, string>>): string {
  return `${reviewHome}?${new URLSearchParams(query).toString()}`;
}
