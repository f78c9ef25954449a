import type { FastifyReply, FastifyRequest } from 'fastify';
import PQueue from 'p-queue';
import { getDomain } from 'tldts';
import { z } from 'zod';
import { auditContextOf, requireFormToken, type Session } from '../accounts/sessions/session.ts';
import { lockUser, SessionEnded } from '../accounts/store.ts';
import { refuseOnPage, requirePerson } from '../oauth/authorize/asked.ts';
import { type DocumentRequest, isOfDocument, type Unaccepted } from '../oauth/authorize/documents.ts';
import {
  addressOf,
  authorizePath,
  type HiddenField,
  hiddenFields,
  keepWay,
  shownRequest,
} from '../oauth/authorize/request.ts';
import { sendStopped } from '../oauth/authorize/response.ts';
import { segmentOf } from '../oauth/client-id.ts';
import {
  decideChange,
  isRejected,
  isSame,
  type TypedValues,
  valuesToEdit,
} from '../oauth/clients/edits/change.ts';
import { lockOwnClient } from '../oauth/clients/edits/store.ts';
import { reviewRequestEmail } from '../oauth/clients/emails.ts';
import { describeUriFault, isLogoutUri, isWebsite, maxRedirectUris } from '../oauth/clients/form.ts';
import { reviewHome } from '../oauth/clients/own-client.ts';
import { createClient } from '../oauth/clients/store.ts';
import {
  carryOut,
  emailAdmins,
  type LockedClient,
  type SubmissionCapabilities,
} from '../oauth/clients/submission.ts';
import { checkRedirectUri } from '../oauth/core/redirect-uri.ts';
import type { KnownScopes } from '../oauth/core/scope.ts';
import { parseParameters } from '../oauth/http/authorization-parameters.ts';
import { parseJsonObject } from '../oauth/http/body.ts';
import { nameScopes } from '../oauth/own-scopes.ts';
import type { NamedClient } from '../oauth/store.ts';
import { systemContext } from '../platform/audit/context.ts';
import type { Db } from '../platform/database.ts';
import { hour } from '../platform/limits/limits.ts';
import { counted, spendAll } from '../platform/limits/store.ts';
import { type Outbound, OutboundError, type OutboundFailure } from '../platform/outbound.ts';
import { acceptForms } from '../platform/parameters.ts';
import type { Platform } from '../platform/platform.ts';
import { outOfTurn } from '../platform/turns.ts';
import { type Ok, ok, type Refusal, type Result, refuse } from '../result.ts';
import { homePage } from '../web/error-pages.ts';
import { lineOf } from '../web/forms.ts';
import { pagesPlugin } from '../web/page-scope.ts';
import { type Page, sendPage } from '../web/pages.ts';
import { keepEnglish } from '../web/translated.ts';
import { claimReading, findRegisteredScopes, isKnown, lockWaiting } from './store.ts';

/** The owner of one host of a domain may have them all. */
export function domainOfDocument(url: string): string {
  const { hostname } = new URL(url);
  return getDomain(hostname, { allowPrivateDomains: true, validateHostname: false }) ?? hostname;
}

type DocumentFault = 'not_json' | 'another_client_id' | 'not_public' | 'faulty_value';

const listWith = (wanted: string) => z.array(z.string()).refine((values) => values.includes(wanted));
const offersNone = listWith('none');

/** Accepts PKCE alone, and never a shared secret (draft, section 4.1). */
const isPublicClient = z
  .object({
    grant_types: listWith('authorization_code').optional(),
    response_types: listWith('code').optional(),
    client_secret: z.undefined().optional(),
    client_secret_expires_at: z.undefined().optional(),
    token_endpoint_auth_method: z.enum(['none', 'private_key_jwt']).optional(),
    token_endpoint_auth_methods_supported: z.unknown().optional(),
  })
  .refine(({ token_endpoint_auth_method: method, token_endpoint_auth_methods_supported: offered }) => {
    if (method === 'none') return true;
    // A client that prefers its key may offer to do without.
    return offered === undefined ? method === undefined : offersNone.safeParse(offered).success; // protects: C208
  });

const metadataFields = (known: KnownScopes) =>
  z.object({
    client_name: lineOf(80, 'is missing'),
    redirect_uris: z
      .array(z.string().superRefine(checkUri))
      .min(1)
      .max(maxRedirectUris)
      .transform((uris) => [...new Set(uris)]),
    client_uri: z.string().max(500).refine(isWebsite).nullable().catch(null),
    /** A scope whose names are all unknown must not become full access (contract §2). */
    scope: z
      .string()
      .transform((names) => [...new Set(names.split(/[ ,]+/).filter((name) => known.includes(name)))])
      .refine((scopes) => nameScopes(scopes, scopes).length > 0) // protects: C207
      .optional(),
    /** One document is for all servers, so what only another one knows is no fault. */
    post_logout_redirect_uris: z
      .array(z.string())
      .max(maxRedirectUris)
      .catch([])
      .transform((uris) => [...new Set(uris.filter((uri) => isLogoutUri(uri, 'public')))]),
  });

function checkUri(uri: string, { addIssue }: z.RefinementCtx): void {
  const checked = checkRedirectUri(uri, 'public');
  if (!checked.ok) addIssue(describeUriFault(uri, checked, 'public'));
}

/**
 * Reads a document (draft, section 4.1; RFC 7591 §2). Nothing is fetched for it, so logos are
 * ignored.
 */
export function readDocument(
  url: string,
  text: string,
  known: KnownScopes,
): Result<TypedValues, DocumentFault> {
  const json = parseJsonObject(text);
  if (json === undefined) return refuse('not_json');
  if (!('client_id' in json) || json.client_id !== url) return refuse('another_client_id');
  if (!isPublicClient.safeParse(json).success) return refuse('not_public');
  const { data, error } = metadataFields(known).safeParse(json);
  if (data === undefined) {
    const [fault] = error.issues;
    const isUri = fault?.path[0] === 'redirect_uris' && fault.code === 'custom';
    return refuse('faulty_value', isUri ? fault.message : fault?.path.join('.'));
  }
  return ok({
    name: data.client_name,
    purpose: '',
    redirectUris: data.redirect_uris,
    postLogoutRedirectUris: data.post_logout_redirect_uris,
    websiteUrl: data.client_uri,
    scopes: data.scope ?? null,
    requiresPkce: false,
  });
}

export type ReadingFault = DocumentFault | OutboundFailure | 'not_found';

export type ReadClientDocument = (
  url: string,
  known: KnownScopes,
) => Promise<Result<TypedValues, ReadingFault>>;

declare module '../platform/platform.ts' {
  interface Platform {
    readonly readClientDocument: ReadClientDocument;
  }
}

/** The draft recommends no more (section 6.6). */
const maxBytes = 5 * 1024;
const usualDeadlineMs = 5000;
/** More are refused, so that nobody waits behind hosts that answer slowly. */
export const maxAtOnce = 8;

/** A reading counts for as long, whatever the server says (draft, section 4.3). */
const after = (now: Date): Date => new Date(now.getTime() + hour * 1000);

/** Errors aren't cached, and redirects aren't followed (draft, section 4). */
export function createDocumentReader(outbound: Outbound, deadlineMs = usualDeadlineMs): ReadClientDocument {
  const underWay = new Map<string, ReturnType<ReadClientDocument>>();
  const read: ReadClientDocument = async (url, scopes) => {
    try {
      const { status, headers, text } = await outbound.fetch(url, {
        headers: { accept: 'application/json' },
        redirect: 'manual',
        maxBytes,
        signal: AbortSignal.timeout(deadlineMs),
      });
      if (status !== 200) return refuse('not_found', String(status));
      if (!isJson(headers.get('content-type') ?? '')) return refuse('not_json', 'another content type');
      return readDocument(url, text, scopes);
    } catch (error) {
      if (error instanceof OutboundError) return refuse(error.reason);
      throw error;
    }
  };
  return async (url, scopes) => {
    const known = underWay.get(url);
    if (known !== undefined) return known;
    if (underWay.size >= maxAtOnce) return refuse('busy'); // protects: C98
    const reading = read(url, scopes).finally(() => underWay.delete(url));
    underWay.set(url, reading);
    return reading;
  };
}

const isJson = (type: string): boolean => /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(type);

/** Limits apps in review that nobody here registered. No later app takes an earlier one's place. */
export const maxDocumentsWaiting = { together: 100, ofDomain: 5, ofPerson: 5 } as const;

function whatIsFull(waiting: readonly { readonly id: string }[], url: string) {
  if (waiting.length >= maxDocumentsWaiting.together) return 'queue_full'; // protects: C98
  const domain = domainOfDocument(url);
  const ofDomain = waiting.filter(({ id }) => domainOfDocument(id) === domain);
  return ofDomain.length >= maxDocumentsWaiting.ofDomain ? 'too_many_waiting' : undefined;
}

type Capabilities = SubmissionCapabilities & Pick<Platform, 'readClientDocument' | 'log' | 'mail'>;

/**
 * Puts an unknown app into review (contract §2), once however many ask. Limits are checked before
 * anything is fetched.
 */
async function requestReview(
  app: Capabilities,
  request: FastifyRequest,
  { person, idHash }: Session,
  id: string,
): Promise<Ok<undefined> | Refusal<ReadingFault | 'queue_full' | 'too_many_waiting'>> {
  await spendAll(app.db, [counted('notable', ['document', person.id])], app.runtime.now());
  const read = await outOfTurn(() => app.readClientDocument(id, app.permissions.known));
  if (!read.ok) return read;
  const documentExpiresAt = after(app.runtime.now());
  const client = { ...read.value, id, ownerId: null, type: 'public', documentExpiresAt } as const;
  const notices = await emailAdmins(
    app.db,
    reviewRequestEmail('submitted', { ...client, owner: null }, app),
    app,
  );
  return app.db.transaction(async (tx) => {
    await lockUser(tx, person.id, idHash);
    const waiting = await lockWaiting(tx);
    if (await isKnown(tx, id)) return ok(undefined);
    const full = whatIsFull(waiting, id);
    if (full !== undefined) return refuse(full);
    const ofPerson = waiting.filter(({ requesterId }) => requesterId === person.id);
    if (ofPerson.length >= maxDocumentsWaiting.ofPerson) return refuse('too_many_waiting');
    await createClient(tx, client, undefined, notices, auditContextOf(request));
    return ok(undefined);
  });
}

/**
 * A change waits for review, as an owner's does. A failed reading changes nothing (draft, section
 * 4.3).
 */
async function refreshDocument(app: Capabilities, id: string): Promise<void> {
  const now = app.runtime.now();
  if (!(await claimReading(app.db, id, now, after(now)))) return;
  const { known } = app.permissions;
  const read = await app.readClientDocument(id, [...known, ...(await findRegisteredScopes(app.db, id))]);
  if (!read.ok) {
    app.log.info(
      { clientId: id, reason: read.reason, detail: read.detail },
      'a metadata document was not read',
    );
    return;
  }
  const outcome = await app.db.transaction(async (tx) => {
    const current = await lockOwnClient(tx, id, null);
    return current === undefined ? 'unchanged' : submit(tx, app, current, read.value);
  });
  app.log.info({ clientId: id, outcome }, 'a metadata document was read again');
  if (outcome !== 'unchanged') app.mail.nudge();
}

async function submit(tx: Db, app: Capabilities, current: LockedClient, values: TypedValues) {
  const wanted = { ...values, logoId: current.logoId };
  const isRepeated = isRejected(current) && isSame(valuesToEdit(current), wanted);
  const change = isRepeated ? 'unchanged' : decideChange(current, wanted, app.permissions.known);
  if (change === 'resubmitted' && whatIsFull(await lockWaiting(tx), current.id)) return 'too_many_waiting';
  return carryOut(tx, app, { current, change, wanted }, systemContext(app.runtime.now(), app.log));
}

export function createRefreshes() {
  const refreshes = new PQueue({ concurrency: maxAtOnce });
  return {
    refreshSoon(app: Capabilities, { id: clientId, documentExpiresAt }: NamedClient): void {
      if (documentExpiresAt === null || documentExpiresAt > app.runtime.now()) return;
      refreshes
        .add(() => refreshDocument(app, clientId))
        .catch((err: unknown) => app.log.warn({ err, clientId }, 'a metadata document was not refreshed'));
    },
    finish: () => refreshes.onIdle(),
  };
}

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
} as const satisfies Record<Unaccepted | 'unknown', readonly [title: string, text: string]>;

/** Nobody is redirected, and nothing is fetched until someone asks for a review. */
export async function sendUnreviewed(
  reply: FastifyReply,
  { person }: Session,
  asked: DocumentRequest,
  status: Unaccepted | undefined,
  problem?: string,
): Promise<FastifyReply> {
  await keepEnglish(reply.request);
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

/** All else reads alike, private addresses and names that lead nowhere too (security C43). */
const faultWords = {
  timed_out: 'The app’s server took too long to answer.',
  too_large: 'The app’s description is larger than 5 KB.',
  busy: 'We are reading too many of these at the moment. Try again in a minute.',
  not_found: 'The app’s server didn’t answer with status 200; redirects aren’t followed.',
  not_json: 'The app’s description isn’t a JSON object sent as application/json.',
  another_client_id: 'The app’s description names another client_id than this address.',
  not_public:
    'The app’s description asks for what we don’t offer: token_endpoint_auth_method must be none, or token_endpoint_auth_methods_supported include it, and grant_types must include authorization_code.',
  faulty_value: 'A value in the app’s description can’t be used here.',
  queue_full: 'Too many apps are waiting for review. Try again when some have been reviewed.',
  too_many_waiting: 'You, or apps of this domain, have too many reviews waiting.',
} as const satisfies Partial<Record<ReadingFault | 'queue_full' | 'too_many_waiting', string>>;

const isTold = (reason: string): reason is keyof typeof faultWords => reason in faultWords;

async function answerReviewRequest(reply: FastifyReply, session: Session, asked: DocumentRequest) {
  const { request } = reply;
  const requested = await requestReview(reply.server, request, session, asked.clientId);
  if (requested.ok) return reply.redirect(addressOf(asked), 303);
  const { reason, detail } = requested;
  request.log.info({ reason, detail }, 'a metadata document was refused');
  const which = reason === 'faulty_value' && detail !== undefined ? ` ${detail}` : '';
  const words = isTold(reason)
    ? faultWords[reason]
    : 'We couldn’t read the app’s description at this address.';
  const problem = `${words}${which} Nothing was requested.`;
  const code = reason === 'queue_full' || reason === 'too_many_waiting' ? 409 : 400;
  return sendUnreviewed(reply.code(code), session, asked, undefined, problem);
}
