import type { FastifyReply, FastifyRequest } from 'fastify';
import { sessionOf } from '../../accounts/sessions/session.ts';
import { renderEmail } from '../../platform/mail/email.ts';
import type { Platform } from '../../platform/platform.ts';
import { readForm } from '../../web/forms.ts';
import { sendNotFoundPage, sendPage } from '../../web/pages.ts';
import type { ClientRoute } from '../clients/own-client.ts';
import { listEvents } from '../clients/store.ts';
import { decideReview, isOutcomeOf, type ReviewDecision } from '../core/client.ts';
import { readDetail } from './detail/page.ts';
import { findLastDecision, findReviewedClient, type ReviewedClient } from './detail/store.ts';
import { reviewEmail } from './emails.ts';
import { proposalOf } from './proposal.ts';
import { decisionForms } from './request.ts';
import { settleReview } from './store.ts';

type Capabilities = Pick<Platform, 'db' | 'runtime' | 'secrets' | 'config' | 'mail'>;

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
  app: Capabilities,
  decision: ReviewDecision,
): Promise<FastifyReply> {
  const client = await findReviewedClient(app.db, request.params.clientId);
  if (client === undefined) return sendNotFoundPage(request, reply);
  const { id } = client;
  const form = readForm(decisionForms[decision], request.body);
  if (!form.ok && 'revision' in form.faults) return sendIncomplete(request, reply, id);
  const revision = form.ok ? form.value.revision : Number(form.typed['revision']);
  const reason = form.ok ? form.value.reason : undefined;
  const decided = decideReview({ ...client, editStatus: client.edit?.status }, decision, revision);
  const sent = { decision, revision, reason };
  if (!decided.ok) return sendOvertaken(request, reply, app, id, sent);
  if (!form.ok) return sendDetail(request, reply.code(400), app, client, { decision, ...form });
  const outcome = decided.value;
  const { name } = outcome === 'edit_accepted' ? proposalOf(client, client.edit) : client;
  const email = reviewEmail(outcome, { id, name }, form.value.reason, app.config.appUrl);
  const notice = renderEmail(email, client.ownerEmail, { runtime: app.runtime, secrets: app.secrets });
  const reviewerId = sessionOf(request).person.id;
  const review = { outcome, reason: form.value.reason, reviewerId, revision };
  const isSettled = await settleReview(app.db, id, review, notice, app.runtime.now());
  if (!isSettled) return sendOvertaken(request, reply, app, id, sent);
  request.log.info({ clientId: id, reviewerId, outcome }, 'a client was reviewed');
  app.mail.nudge();
  return redirectToQueue(reply, id);
}

/** The page on which a client is judged. */
export async function sendDetail(
  request: FastifyRequest,
  reply: FastifyReply,
  app: Capabilities,
  client: ReviewedClient,
  faulty: Partial<FaultyForm> = {},
): Promise<FastifyReply> {
  const detail = await readDetail(app.db, client, app.config.lifetimes, app.runtime.now());
  const title = `Review ${client.name}`;
  return sendPage(request, reply, 'oauth/review/client', { title, client: detail, faulty });
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
 * The form came too late. Where the reviewer's own decision stands already, the form was sent
 * twice, and all is well; otherwise the page says whose doing it was.
 */
async function sendOvertaken(
  request: FastifyRequest,
  reply: FastifyReply,
  { db }: Capabilities,
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
    title: 'This app was already reviewed',
    text: 'Somebody reviewed it while this page was open. Nothing was changed.',
    next: { address: `${reviewHome}/${id}`, words: 'View decision' },
  });
}

async function sendChanged(request: FastifyRequest, reply: FastifyReply, id: string): Promise<FastifyReply> {
  return sendPage(request, reply.code(409), 'error', {
    title: 'The app changed while you reviewed it',
    text: 'Your decision was about its former values, so nothing was changed.',
    next: { address: `${reviewHome}/${id}`, words: 'Review it again' },
  });
}

async function sendIncomplete(
  request: FastifyRequest,
  reply: FastifyReply,
  id: string,
): Promise<FastifyReply> {
  return sendPage(request, reply.code(400), 'error', {
    title: 'This form is incomplete',
    text: "It doesn't say which version of the app you reviewed, so nothing was changed.",
    next: { address: `${reviewHome}/${id}`, words: 'Review app' },
  });
}
