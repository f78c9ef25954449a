import type { FastifyReply, FastifyRequest } from 'fastify';
import { sessionOf } from '../../accounts/session.ts';
import { readForm } from '../../forms.ts';
import { writeLetter } from '../../outbox/letter.ts';
import { sendNotFoundPage, sendPage } from '../../pages.ts';
import type { ClientRoute } from '../clients/address.ts';
import type { ClientPageDeps } from '../clients/developer.ts';
import { listEvents } from '../clients/history/store.ts';
import { decideReview, isOutcomeOf, type ReviewDecision } from '../core/client.ts';
import type { Lifetimes } from '../core/grant.ts';
import { readDossier } from './dossier/page.ts';
import { findLastDecision, findReviewedClient, type ReviewedClient } from './dossier/store.ts';
import { reviewLetter } from './letters.ts';
import { proposalOf } from './proposal.ts';
import { decisionForms } from './request.ts';
import { settleReview } from './store.ts';

export interface ReviewDeps extends ClientPageDeps {
  readonly lifetimes: Lifetimes;
}

export const reviewHome = '/settings/admin/oauth';

/** What stands in a form that is shown again, and what is wrong with it. */
interface FaultyForm {
  readonly decision: ReviewDecision;
  readonly typed: Readonly<Record<string, string>>;
  readonly faults: Readonly<Record<string, string>>;
}

/** An admin's form: load, decide, commit. */
export async function settle(
  request: FastifyRequest<ClientRoute>,
  reply: FastifyReply,
  deps: ReviewDeps,
  decision: ReviewDecision,
): Promise<FastifyReply> {
  const client = await findReviewedClient(deps.db, request.params.clientId);
  if (client === undefined) return sendNotFoundPage(request, reply);
  const { id } = client;
  const form = readForm(decisionForms[decision], request.body);
  if (!form.ok && 'revision' in form.faults) return sendIncomplete(request, reply, id);
  const revision = form.ok ? form.value.revision : Number(form.typed['revision']);
  const reason = form.ok ? form.value.reason : undefined;
  const decided = decideReview({ ...client, editStatus: client.edit?.status }, decision, revision);
  const sent = { decision, revision, reason };
  if (!decided.ok) return sendOvertaken(request, reply, deps, id, sent);
  if (!form.ok) return sendDossier(request, reply.code(400), deps, client, { decision, ...form });
  const outcome = decided.value;
  const { name } = outcome === 'edit_accepted' ? proposalOf(client, client.edit) : client;
  const letter = reviewLetter(outcome, { id, name }, form.value.reason, deps.appUrl);
  const notice = writeLetter(letter, client.ownerEmail, deps);
  const reviewerId = sessionOf(request).person.id;
  const review = { outcome, reason: form.value.reason, reviewerId, revision };
  const isSettled = await settleReview(deps.db, id, review, notice, deps.system.now());
  if (!isSettled) return sendOvertaken(request, reply, deps, id, sent);
  request.log.info({ clientId: id, reviewerId, outcome }, 'a client was reviewed');
  deps.nudgeOutbox();
  return redirectToQueue(reply, id);
}

/** The page on which a client is judged. */
export async function sendDossier(
  request: FastifyRequest,
  reply: FastifyReply,
  deps: ReviewDeps,
  client: ReviewedClient,
  faulty: Partial<FaultyForm> = {},
): Promise<FastifyReply> {
  const dossier = await readDossier(deps.db, client, deps.lifetimes, deps.system.now());
  const title = `Review ${client.name}`;
  return sendPage(request, reply, 'oauth/review/client', { title, client: dossier, faulty });
}

/** Onwards to what waits next; the list says what was decided. */
function redirectToQueue(reply: FastifyReply, id: string): FastifyReply {
  return reply.redirect(`${reviewHome}?decided=${id}`, 303);
}

interface SentDecision {
  readonly decision: ReviewDecision;
  readonly revision: number;
  /** Undefined: none that could be read. */
  readonly reason: string | null | undefined;
}

/**
 * The form came too late. Where the reviewer's own decision stands already, the form was sent twice, and all is well; otherwise the page says
 * whose doing it was.
 */
async function sendOvertaken(
  request: FastifyRequest,
  reply: FastifyReply,
  { db }: ReviewDeps,
  id: string,
  { decision, revision, reason }: SentDecision,
): Promise<FastifyReply> {
  const [client, last, [latest]] = await Promise.all([
    findReviewedClient(db, id),
    findLastDecision(db, id),
    listEvents(db, id, 1),
  ]);
  if (client === undefined) return sendNotFoundPage(request, reply);
  const isOwn = last?.actorId === sessionOf(request).person.id;
  if (client.revision !== revision) return sendChanged(request, reply, id);
  if (latest?.kind === 'edit_withdrawn') return sendChanged(request, reply, id);
  if (isOwn && isOutcomeOf(decision, last.kind) && last.reason === reason) return redirectToQueue(reply, id);
  return sendPage(request, reply.code(409), 'error', {
    title: 'This app was reviewed already',
    text: 'It was decided while this page was open. Nothing was changed.',
    next: { address: `${reviewHome}/${id}`, words: 'See what was decided' },
  });
}

async function sendChanged(request: FastifyRequest, reply: FastifyReply, id: string): Promise<FastifyReply> {
  return sendPage(request, reply.code(409), 'error', {
    title: 'The app was changed while you looked at it',
    text: 'Your decision was about other values than it has now, so nothing was done.',
    next: { address: `${reviewHome}/${id}`, words: 'Look at it again' },
  });
}

async function sendIncomplete(
  request: FastifyRequest,
  reply: FastifyReply,
  id: string,
): Promise<FastifyReply> {
  return sendPage(request, reply.code(400), 'error', {
    title: 'This form is incomplete',
    text: 'It does not say which version of the app you looked at, so nothing was done.',
    next: { address: `${reviewHome}/${id}`, words: 'Look at the app and decide' },
  });
}
