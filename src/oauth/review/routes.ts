import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { requireAdmin } from '../../accounts/admin/admins.ts';
import { auditContextOf, sessionOf, settingsPlugin } from '../../accounts/sessions/session.ts';
import { orNotFound, type PageRefusal, sendNotFoundPage, sendRefusalPage } from '../../web/error-pages.ts';
import { type FormFaults, formOf, textOf, untouched } from '../../web/forms.ts';
import { tellOutcomes } from '../../web/outcomes.ts';
import { type Page, sendPage } from '../../web/pages.ts';
import { keepEnglish } from '../../web/translated.ts';
import { ofClient, clientParams as params, segmentOf } from '../client-id.ts';
import { sendFailedRequests } from '../clients/failed-requests.ts';
import { scopesInField } from '../clients/form.ts';
import { reviewHome as home } from '../clients/own-client.ts';
import {
  badgesOf,
  decideReview,
  type ReviewDecision,
  type ReviewOutcome,
  reviewDecisions,
} from '../clients/status.ts';
import { nameScopes } from '../own-scopes.ts';
import { noticesOf, readDetail } from './detail.ts';
import { queueQuery, readList, statusOptions } from './queue/page.ts';
import { findReviewedClient, type ReviewedClient, setResource, settleReview } from './store.ts';
import { acceptedWith } from './warnings.ts';

declare module '../../web/pages.ts' {
  interface Views {
    'oauth/review/queue': Page & {
      readonly statusOptions: typeof statusOptions;
      readonly status?: string;
      readonly list?: Awaited<ReturnType<typeof readList>>;
    } & FormFaults;
    'oauth/review/client': Page & {
      readonly client: Awaited<ReturnType<typeof readDetail>>;
      readonly path: string;
      readonly resourceOptions: readonly (readonly [address: string, words: string])[] | undefined;
      readonly reject: FormFaults;
      readonly suspend: FormFaults;
    };
  }
}

const outcomeWords = {
  accepted: 'App approved.',
  rejected: 'App rejected.',
  suspended: 'App suspended, and its access revoked.',
  edit_accepted: 'Changes approved.',
  edit_rejected: 'Changes rejected.',
} as const satisfies Record<ReviewOutcome, string>;

const wholeOutcomes = { accept: 'accepted', reject: 'rejected', suspend: 'suspended' } as const;

const refusals = {
  incomplete: [
    'Review app',
    400,
    'This form is incomplete',
    'It doesn’t say which version of the app you reviewed, so nothing was changed.',
  ],
  changed_meanwhile: [
    'Review it again',
    409,
    'The app changed while you reviewed it',
    'Your decision was about its former values, so nothing was changed.',
  ],
  already_reviewed: [
    'View decision',
    409,
    'This app was already reviewed',
    'Another admin reviewed it while this page was open. Nothing was changed.',
  ],
} as const satisfies Record<string, readonly [next: string, ...PageRefusal]>;

const revision = z
  .string()
  .regex(/^[1-9][0-9]{0,8}$/)
  .transform(Number);
const withReason = z
  .object({ revision, reason: textOf(1000, 'Enter a reason.') })
  .transform((form) => ({ ...form, scopes: [] }));
const decisionForms = {
  accept: z.object({ revision, scopes: scopesInField }).transform((form) => ({ ...form, reason: null })),
  reject: withReason,
  suspend: withReason,
} as const satisfies Record<ReviewDecision, z.ZodType>;

/** Admins approve, reject and suspend clients here (contract §2). */
export const reviewPlugin = settingsPlugin('review', home, async (app) => {
  app.addHook('onRequest', keepEnglish);
  const { db, config, permissions } = app;
  tellOutcomes(app, outcomeWords);
  const resourceOptions: [address: string, words: string][] = config.resources.map(({ address, name }) => [
    address,
    `${name} (${address})`,
  ]);
  const resource = z.enum(['', ...resourceOptions.map(([address]) => address)]);
  app.addHook('preValidation', requireAdmin);

  app.get(home, { schema: { querystring: formOf(queueQuery) } }, async (request, reply) => {
    const { query } = request;
    const page = { title: 'Apps to review', statusOptions, typed: query.typed };
    if (!query.ok) return sendPage(reply.code(400), 'oauth/review/queue', { ...page, faults: query.faults });
    const { status } = query.value;
    const list = await readList(app, home, query.value);
    return sendPage(reply, 'oauth/review/queue', { ...page, list, status, faults: {} });
  });

  app.get(`${home}/:clientId`, ofClient, async (request, reply) =>
    sendDetail(reply, orNotFound(await findReviewedClient(db, request.params.clientId))),
  );

  // A metadata document has no owner who could read its failed requests.
  app.get(`${home}/:clientId/failed-requests`, ofClient, async (request, reply) => {
    const client = await findReviewedClient(db, request.params.clientId);
    if (client?.ownerId !== null) return sendNotFoundPage(reply);
    await app.failedRequests.flush();
    const review = `${home}/${segmentOf(client.id)}`;
    const tabs = [
      { address: review, words: 'Review' },
      { address: `${review}/failed-requests`, words: 'Failed requests' },
    ];
    const crumb = { address: home, words: 'Apps to review' };
    const shown = { ...client, badges: badgesOf(client), tabs, crumb };
    return sendFailedRequests(reply, shown);
  });

  for (const decision of reviewDecisions) {
    const deciding = { schema: { params, body: formOf(decisionForms[decision]) } };
    app.post(`${home}/:clientId/${decision}`, deciding, async (request, reply) => {
      const client = orNotFound(await findReviewedClient(db, request.params.clientId));
      const { id } = client;
      const form = request.body;
      if (!form.ok && ('revision' in form.faults || 'scopes' in form.faults))
        return sendRefusal(reply, id, 'incomplete');
      const revision = form.ok ? form.value.revision : Number(form.typed['revision']);
      const decided = decideReview({ ...client, editStatus: client.edit?.status }, decision, revision);
      const sent = { decision, revision, reason: form.ok ? form.value.reason : undefined };
      if (!decided.ok) return sendOvertaken(reply, id, sent);
      if (!form.ok) return sendDetail(reply.code(400), client, { [decision]: form });
      const outcome = decided.value;
      const { reason } = form.value;
      const reviewerId = sessionOf(request).person.id;
      const acceptedScopes = acceptedWith(client, nameScopes(form.value.scopes, permissions.known));
      const review = { outcome, reason, reviewerId, acceptedScopes };
      const notices = noticesOf(app, client, outcome, reason);
      const isSettled = await settleReview(db, client, review, notices, auditContextOf(request));
      if (!isSettled) return sendOvertaken(reply, id, sent);
      return reply.redirect(`${home}?done=${outcome}`, 303);
    });
  }

  const choosing = { schema: { params, body: formOf(z.object({ resource })) } };
  app.post(`${home}/:clientId/resource`, choosing, async (request, reply) => {
    const client = orNotFound(await findReviewedClient(db, request.params.clientId));
    const form = request.body;
    if (!form.ok) return sendNotFoundPage(reply);
    await setResource(db, client.id, form.value.resource || null, auditContextOf(request));
    return reply.redirect(`${home}/${segmentOf(client.id)}#resource-server`, 303);
  });

  async function sendDetail(
    reply: FastifyReply,
    client: ReviewedClient,
    typed: Partial<Record<ReviewDecision, FormFaults>> = {},
  ): Promise<FastifyReply> {
    return sendPage(reply, 'oauth/review/client', {
      title: `Review ${client.name}`,
      client: await readDetail(app, client),
      path: `${home}/${segmentOf(client.id)}`,
      resourceOptions:
        client.type === 'public' || resourceOptions.length === 0
          ? undefined
          : [['', 'None'], ...resourceOptions],
      reject: typed.reject ?? untouched,
      suspend: typed.suspend ?? untouched,
      faults: { ...typed.reject?.faults, ...typed.suspend?.faults },
    });
  }

  async function sendOvertaken(
    reply: FastifyReply,
    id: string,
    sent: { decision: ReviewDecision; revision: number; reason: string | null | undefined },
  ): Promise<FastifyReply> {
    const { revision, reviewerId, status, edit, rejectionReason } = orNotFound(
      await findReviewedClient(db, id),
    );
    if (revision !== sent.revision) return sendRefusal(reply, id, 'changed_meanwhile', sent.reason);
    const isOwn = reviewerId === sessionOf(reply.request).person.id;
    const isDone =
      sent.decision === 'accept'
        ? status === 'accepted' && edit === null
        : (edit ?? { rejectionReason }).rejectionReason === sent.reason;
    if (!isOwn || !isDone) return sendRefusal(reply, id, 'already_reviewed', sent.reason);
    return reply.redirect(`${home}?done=${wholeOutcomes[sent.decision]}`, 303);
  }
});

async function sendRefusal(
  reply: FastifyReply,
  id: string,
  refusal: keyof typeof refusals,
  reason?: string | null,
) {
  const [words, ...page] = refusals[refusal];
  return sendRefusalPage(reply, page, { address: `${home}/${segmentOf(id)}`, words }, reason);
}
