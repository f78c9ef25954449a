import type { FastifyReply } from 'fastify';
import { withPage } from '../../accounts/sessions/on-the-way.ts';
import {
  redirectToConfirm,
  redirectToSignIn,
  type Session,
  sendVerifyFirst,
} from '../../accounts/sessions/session.ts';
import type { Db } from '../../platform/database.ts';
import type { Platform } from '../../platform/platform.ts';
import type { Sentence, Words } from '../../platform/words.ts';
import type { Refusal } from '../../result.ts';
import { homePage } from '../../web/error-pages.ts';
import { type Page, sendPage } from '../../web/pages.ts';
import { clientPage } from '../clients/own-client.ts';
import { findOwnClient } from '../clients/store.ts';
import { describeApp, describeDestination } from '../consent-card.ts';
import type { AuthorizationRequest } from '../core/authorization.ts';
import {
  type AuthorizationRefusalReason,
  authorizationRefusals,
  type PageRefusalReason,
} from '../core/refusal.ts';
import { covers, mayBeRemembered } from '../core/remembered.ts';
import { afterSignIn } from '../core/sign-in-request.ts';
import { type Destination, formTargetsOf } from '../http/app-answer.ts';
import { ownMeaning } from '../own-scopes.ts';
import {
  describeLimits,
  describeResources,
  describeTeams,
  isOnlySignIn,
  listPermissions,
  type Permission,
} from '../permissions.ts';
import { sendAnswer } from './answer.ts';
import type { Stopped } from './asked.ts';
import type { ConsentOutcome, ConsentPrompt } from './consent.ts';
import { addressOf, hiddenFields, type ValidRequest } from './request.ts';

export async function sendStopped(reply: FastifyReply, stopped: Stopped): Promise<FastifyReply> {
  switch (stopped.outcome) {
    case 'page_refused':
      return sendPageRefusal(reply, stopped.refusal, stopped.asked);
    case 'sign_in':
      return redirectToSignIn(reply, addressOf(stopped.asked));
    case 'verify_first':
      return sendVerifyFirst(reply, addressOf(stopped.asked));
    case 'refused':
      return sendRefusal(reply, stopped.destination, stopped.reason);
    case 'another_account':
      return sendAnotherAccount(reply, stopped);
    case 'unreviewed':
      return stopped.documents.sendUnreviewed(reply, stopped.session, stopped.asked, stopped.status);
  }
}

export async function sendOutcome(reply: FastifyReply, valid: ValidRequest, sent: ConsentOutcome) {
  const address = addressOf(valid.isSignIn ? afterSignIn(valid.request) : valid.request);
  const { t } = reply.request.words;
  switch (sent.outcome) {
    case 'sign_in':
      return redirectToSignIn(reply, address);
    case 'confirm':
      return redirectToConfirm(reply, address);
    case 'sign_in_again':
      return redirectToConfirm(reply, address, true);
    case 'ask':
      return sendPage(
        reply,
        'oauth/authorize',
        describeConsent(valid, sent, reply.server, reply.request.words),
        formTargetsOf(valid.destination.redirectUri),
      );
    case 'allowed':
      return sendAnswer(reply, valid.destination, { code: sent.code });
    case 'refused':
      return sendRefusal(reply, valid.destination, sent.reason);
    // A way back to the request would only ask again for what the app has.
    case 'allowed_before':
      return sendPage(reply.code(400), 'error', {
        title: t('You’ve already allowed this'),
        text: t('The app has the access that you approved. Go back to the app.'),
        next: { address: '/settings/apps', words: t('View connected apps') },
      });
    case 'outdated':
      reply.log.info({ reason: sent.reason }, 'a decision was refused');
      return sendPage(reply.code(400), 'error', {
        title: t('This page has expired'),
        text: t(
          'It was opened too long ago or already used, or you’ve signed in again since. Your click changed nothing.',
        ),
        next: { address: withPage(address), words: t('View the request again') },
      });
  }
}

/** Only *Use another account* goes on from here; the app hears of it with `prompt=none`. */
async function sendAnotherAccount(
  reply: FastifyReply,
  { asked, client, askedFor }: Extract<Stopped, { readonly outcome: 'another_account' }>,
): Promise<FastifyReply> {
  return sendPage(reply, 'oauth/another-account', {
    title: reply.request.words.t('Use another account'),
    clientName: client.name,
    askedForEmail: askedFor.email,
    address: addressOf(asked),
    backAddress: addressOf({ ...asked, prompt: 'none' }),
  });
}

async function sendRefusal(
  reply: FastifyReply,
  destination: Destination,
  reason: AuthorizationRefusalReason,
): Promise<FastifyReply> {
  const [error, error_description] = authorizationRefusals[reason];
  reply.log.info({ reason }, 'an authorization request was refused');
  return sendAnswer(reply, destination, { error, error_description });
}

const retry: Sentence = 'Go back to the app and try again. If it keeps happening, contact the developer.';

const refusalWords = {
  request_malformed: ['Invalid request', 'Part of the address is repeated, too long or damaged.', retry],
  client_unknown: ['Unknown app', 'The address names no registered app.', retry],
  // Only the developer and the reviewers know which status it is.
  client_not_accepted: [
    'This app isn’t available',
    'It isn’t approved at the moment.',
    'Contact the developer.',
  ],
  redirect_uri_missing: ['Incomplete request', 'It doesn’t say where to send you afterwards.', retry],
  redirect_uri_not_registered: [
    'The redirect URI doesn’t match',
    'The app asked to send you to an address that it hasn’t registered.',
    retry,
  ],
} as const satisfies Record<PageRefusalReason, readonly Sentence[]>;

const signInAsOwner: Sentence =
  'Is it your app? Sign in with the account that registered it and open this address again to see what to fix.';

const developerHints = {
  request_malformed:
    'Building this app? Send each parameter once, in UTF-8, with at most 2,048 characters (state: 4,096).',
  client_unknown:
    'Building this app? Check that client_id is the client ID on your app’s page, or the full https address of its metadata document.',
  client_not_accepted: signInAsOwner,
  redirect_uri_missing: signInAsOwner,
  redirect_uri_not_registered: signInAsOwner,
} as const satisfies Record<PageRefusalReason, Sentence>;

const otherHints = {
  ...developerHints,
  client_unknown: 'Building this app? Check that client_id is the client ID on your app’s page.',
} as const satisfies Record<PageRefusalReason, Sentence>;

declare module '../../web/pages.ts' {
  interface Views {
    'oauth/authorize-refusal': {
      readonly title: string;
      readonly text: string;
      readonly hint: string | undefined;
      readonly ownApp: Awaited<ReturnType<typeof findOwnApp>>;
      readonly next: { readonly address: string; readonly words: string };
    };
    'oauth/authorize': ReturnType<typeof describeConsent>;
    'oauth/permissions': { readonly permissions: readonly Permission[]; readonly label?: string };
    'oauth/another-account': Page & {
      readonly clientName: string;
      readonly askedForEmail: string | undefined;
      readonly address: string;
      readonly backAddress: string;
    };
  }
}

/** The address is neither followed nor linked (contract §3). */
async function sendPageRefusal(
  reply: FastifyReply,
  { reason, detail }: Refusal<PageRefusalReason>,
  asked: AuthorizationRequest | undefined,
): Promise<FastifyReply> {
  const { request } = reply;
  request.log.info({ reason, detail }, 'an authorization request was refused on the page');
  const ownApp = asked && (await findOwnApp(request.server.db, request.session, asked));
  const { t } = request.words;
  const [title, text, advice] = refusalWords[reason];
  const hints = request.server.clientDocuments === undefined ? otherHints : developerHints;
  const hint = ownApp === undefined ? t(hints[reason]) : undefined;
  // An earlier click on the same form may have shared something.
  const effect: Sentence = request.method === 'POST' ? 'Your click changed nothing.' : 'Nothing was shared.';
  const said = [text, effect, advice] as const;
  const words = { title: t(title), text: said.map((one) => t(one)).join(' '), hint, next: homePage };
  return sendPage(reply.code(400), 'oauth/authorize-refusal', { ...words, ownApp });
}

async function findOwnApp(
  db: Db,
  session: Session | undefined,
  { clientId, redirectUri }: AuthorizationRequest,
) {
  if (session === undefined || clientId === undefined) return undefined;
  const client = await findOwnClient(db, clientId, session.person.id);
  if (client === undefined) return undefined;
  const { name, status, redirectUris: registeredUris } = client;
  /** The page shows the URI as text, never as a link (contract §3). */
  const sentUri = shorten(redirectUri);
  return { name, status, sentUri, registeredUris, address: clientPage(client.id) };
}

const maxShown = 300;

function shorten(text: string | undefined): string | undefined {
  return text === undefined || text.length <= maxShown ? text : `${text.slice(0, maxShown)}…`;
}

function describeConsent(
  { client, request: asked, destination: { redirectUri } }: ValidRequest,
  { approval, teams, past, isRemembered, askedFor, decision }: ConsentPrompt,
  { config, permissions }: Pick<Platform, 'config' | 'permissions'>,
  words: Words,
) {
  const { scopes } = approval;
  const isSignIn = isOnlySignIn(scopes);
  const isForTeam = approval.team !== null;
  const accounts = (['person', 'team'] as const).filter((kind) =>
    kind === 'team' ? isForTeam || teams.length > 0 : !isForTeam,
  );
  return {
    title: words.t(isSignIn ? 'Sign in to {app}' : 'Allow {app}?', { app: client.name }),
    ...describeApp(client),
    approvedAt: past.approved?.at,
    asksForMore: past.approved !== undefined && !covers(past.approved.scopes, scopes, ownMeaning),
    isOnlySignIn: isSignIn,
    /** The page shows that of the chosen account alone. */
    accounts: accounts.map((kind) => ({
      kind,
      permissions: listPermissions(permissions, scopes, kind, past.approved?.scopes ?? scopes),
      includes: kind === 'person' ? describeTeams(teams, scopes, words) : [],
      limits: describeLimits(permissions, scopes, kind),
    })),
    resources: describeResources(approval.resources, config, words),
    teamName: approval.team?.name,
    askedFor,
    teams,
    mayBeRemembered: mayBeRemembered(client, approval),
    isRemembered,
    ...describeDestination(redirectUri),
    isScheme: !/^https?:/.test(redirectUri),
    hiddenFields: hiddenFields(asked),
    decision,
    address: addressOf(asked),
  };
}
