import type { FastifyReply } from 'fastify';
import { requireFormToken, type Session } from '../accounts/sessions/session.ts';
import { SessionEnded } from '../accounts/store.ts';
import { refuseOnPage, requirePerson } from '../oauth/authorize/asked.ts';
import { type DocumentRequest, isOfDocument } from '../oauth/authorize/documents.ts';
import {
  addressOf,
  authorizePath,
  type HiddenField,
  hiddenFields,
  keepWay,
  parseParameters,
  shownRequest,
} from '../oauth/authorize/request.ts';
import { sendStopped } from '../oauth/authorize/response.ts';
import { segmentOf } from '../oauth/client-id.ts';
import { reviewHome } from '../oauth/clients/own-client.ts';
import type { ReviewStatus } from '../oauth/core/client.ts';
import { acceptForms } from '../platform/parameters.ts';
import { refuse } from '../result.ts';
import { homePage } from '../web/error-pages.ts';
import { pagesPlugin } from '../web/page-scope.ts';
import { type Page, sendPage } from '../web/pages.ts';
import { keepEnglish } from '../web/translated.ts';
import type { ReadingFault } from './document.ts';
import { requestReview } from './review.ts';

const reviewRequestPath = `${authorizePath}/review`;

declare module '../web/pages.ts' {
  interface Views {
    'client-documents/unreviewed': Page & {
      readonly text: string;
      readonly host: string;
      readonly url: string;
      readonly problem: string | undefined;
      readonly hiddenFields: readonly HiddenField[] | undefined;
      readonly next: { readonly address: string; readonly words: string };
    };
  }
}

export const clientDocumentsPlugin = pagesPlugin('client-documents', async (app) => {
  app.removeContentTypeParser(['application/x-www-form-urlencoded']);
  acceptForms(app, parseParameters);
  const asking = {
    config: { oldSignInBecause: 'it asks admins to look, and gives nothing' },
    preValidation: [keepWay, requireFormToken],
    schema: { body: shownRequest },
  };
  app.post(reviewRequestPath, asking, async (request, reply) => {
    const { body } = request;
    if (!body.ok) return sendStopped(reply, refuseOnPage(body));
    const asked = body.value;
    if (!isOfDocument(asked)) return sendStopped(reply, refuseOnPage(refuse('client_unknown')));
    const person = requirePerson(app, request.session, asked);
    if (!person.ok) return sendStopped(reply, person);
    return answerReviewRequest(reply, person.value, asked).catch((error) => {
      if (error instanceof SessionEnded) return sendStopped(reply, { ok: false, outcome: 'sign_in', asked });
      throw error;
    });
  });
});

const words = {
  unknown: [
    'This app isn’t approved yet',
    'An admin has to review it once, for everyone here. Request a review, and connect the app again when it is approved.',
  ],
  pending: [
    'This app is in review',
    'Nobody can connect it until an admin has approved it. Connect the app again then, or ask your admin to look at it.',
  ],
  rejected: ['This app isn’t available', 'An admin has reviewed it and doesn’t allow it here.'],
  accepted: ['This app was approved', 'Connect the app again.'],
} as const satisfies Record<ReviewStatus | 'unknown', readonly [title: string, text: string]>;

/** Nobody is redirected, and nothing is fetched until someone asks for a review. */
export async function sendUnreviewed(
  reply: FastifyReply,
  { person }: Session,
  asked: DocumentRequest,
  status: ReviewStatus | undefined,
  problem?: string,
): Promise<FastifyReply> {
  keepEnglish(reply.request);
  const { clientId: url } = asked;
  const [title, text] = words[status ?? 'unknown'];
  const review = { address: `${reviewHome}/${segmentOf(url)}`, words: 'Review app' };
  return sendPage(problem === undefined ? reply.code(400) : reply, 'client-documents/unreviewed', {
    title,
    text,
    host: new URL(url).host,
    url,
    problem,
    hiddenFields: status === undefined ? hiddenFields(asked) : undefined,
    next: person.isAdmin && status !== undefined ? review : homePage,
  });
}

const full =
  'Too many apps are waiting for review. Nothing was requested. Try again when some have been reviewed.';
const cannotRead = 'We couldn’t read the app’s description at this address.';

/** Private addresses and names that lead nowhere read alike (security C43). */
const faultWords = {
  address_not_http: cannotRead,
  address_not_public: cannotRead,
  unreachable: cannotRead,
  timed_out: 'The app’s server took too long to answer.',
  too_large: 'The app’s description is larger than 5 KB.',
  busy: 'We are reading too many of these at the moment. Try again in a minute.',
  too_many_redirects: cannotRead,
  not_found: 'The app’s server didn’t answer with status 200; redirects aren’t followed.',
  not_json: 'The app’s description isn’t a JSON object sent as application/json.',
  another_client_id: 'The app’s description names another client_id than this address.',
  not_public:
    'The app’s description asks for what we don’t offer: token_endpoint_auth_method must be none, or token_endpoint_auth_methods_supported include it, and grant_types must include authorization_code.',
  faulty_value: 'A value in the app’s description can’t be used here.',
} as const satisfies Record<ReadingFault, string>;

async function answerReviewRequest(reply: FastifyReply, session: Session, asked: DocumentRequest) {
  const { request } = reply;
  const outcome = await requestReview(reply.server, request, session, asked.clientId);
  const again = async (code: number, problem: string) =>
    sendUnreviewed(reply.code(code), session, asked, undefined, problem);
  if (outcome === 'requested' || outcome === 'requested_before') return reply.redirect(addressOf(asked), 303);
  if (outcome === 'queue_full') return again(409, full);
  if (outcome === 'too_many_waiting')
    return again(409, 'You, or apps of this domain, have too many reviews waiting. Nothing was requested.');
  const { reason, detail } = outcome;
  request.log.info({ reason, detail }, 'a metadata document was refused');
  const which = reason === 'faulty_value' && detail !== undefined ? ` ${detail}` : '';
  return again(400, `${faultWords[reason]}${which} Nothing was requested.`);
}
