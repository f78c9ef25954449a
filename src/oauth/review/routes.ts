import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { requireFormToken, requireSignIn, sessionOf } from '../../accounts/session.ts';
import { readForm } from '../../forms.ts';
import { writeLetter } from '../../outbox/letter.ts';
import { sendNotFoundPage, sendPage } from '../../pages.ts';
import type { ClientPageDeps } from '../clients/developer.ts';
import { decideReview, type ReviewDecision } from '../core/client.ts';
import { acceptanceLetter, rejectionLetter } from './letters.ts';
import { rejectionForm } from './request.ts';
import { findReviewedClient, listPendingClients, listReviewedClients, settleReview } from './store.ts';

const home = '/settings/admin/oauth';
/** The page shows so many of those that wait, and of those that were reviewed last. */
const listLimit = 50;

interface ClientRoute {
  Params: { clientId: string };
}

/** Where admins accept and reject clients (contract §2). Register in a scope of its own. */
export async function registerReviewRoutes(app: FastifyInstance, deps: ClientPageDeps): Promise<void> {
  app.addHook('preHandler', requireSignIn(home));
  app.addHook('preHandler', requireAdmin);
  app.addHook('preHandler', requireFormToken(deps));

  app.get(home, async (request, reply) => sendQueue(request, reply));

  app.post<ClientRoute>(`${home}/:clientId/accept`, async (request, reply) =>
    settle(request, reply, 'accept', null),
  );

  app.post<ClientRoute>(`${home}/:clientId/reject`, async (request, reply) => {
    const form = readForm(rejectionForm, request.body);
    if (form.ok) return settle(request, reply, 'reject', form.value.reason);
    return sendQueue(request, reply.code(400), { clientId: request.params.clientId, ...form });
  });

  async function settle(
    request: FastifyRequest<ClientRoute>,
    reply: FastifyReply,
    decision: ReviewDecision,
    rejectionReason: string | null,
  ): Promise<FastifyReply> {
    const client = await findReviewedClient(deps.db, request.params.clientId);
    if (client === undefined) return sendNotFoundPage(request, reply);
    const decided = decideReview({ status: client.status, editStatus: undefined }, decision);
    if (!decided.ok) return sendAlreadyReviewed(request, reply);
    const letter =
      rejectionReason === null
        ? acceptanceLetter(client, deps.appUrl)
        : rejectionLetter(client, rejectionReason, deps.appUrl);
    const notice = writeLetter(letter, client.ownerEmail, deps);
    const reviewerId = sessionOf(request).person.id;
    const review = { outcome: decided.value, reason: rejectionReason, reviewerId };
    const isSettled = await settleReview(deps.db, client.id, review, notice, deps.system.now());
    if (!isSettled) return sendAlreadyReviewed(request, reply);
    request.log.info({ clientId: client.id, reviewerId, outcome: decided.value }, 'a client was reviewed');
    deps.nudgeOutbox();
    return reply.redirect(home, 303);
  }

  async function sendQueue(
    request: FastifyRequest,
    reply: FastifyReply,
    faulty: object = {},
  ): Promise<FastifyReply> {
    const [pending, reviewed] = await Promise.all([
      listPendingClients(deps.db, listLimit),
      listReviewedClients(deps.db, listLimit),
    ]);
    return sendPage(request, reply, 'oauth/review/queue', {
      title: 'Apps to review',
      pending,
      reviewed,
      faulty,
    });
  }
}

async function requireAdmin(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> {
  if (sessionOf(request).person.isAdmin) return undefined;
  const words = { title: 'This page is for admins', text: 'Your account may not review apps.' };
  return sendPage(request, reply.code(403), 'error', words);
}

async function sendAlreadyReviewed(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  return sendPage(request, reply.code(409), 'error', {
    title: 'This app was reviewed already',
    text: 'Somebody decided while this page was open. Nothing was changed.',
    next: { address: home, words: 'Back to the apps' },
  });
}
