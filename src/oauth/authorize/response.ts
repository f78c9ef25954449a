import type { FastifyReply, FastifyRequest } from 'fastify';
import { homePage, sendPage } from '../../pages.ts';
import type { Refusal } from '../../result.ts';
import type { AuthorizationRequest } from '../core/authorization.ts';
import { addToRedirectUri, type RegisteredRedirectUri } from '../core/redirect-uri.ts';
import {
  type AuthorizationRefusalReason,
  authorizationRefusals,
  type PageRefusalReason,
} from '../core/refusal.ts';
import type { NamedClient } from '../store.ts';
import type { OwnApp } from './own-app.ts';

/** Where an answer goes, and what goes with every answer (contract §3, RFC 9207). */
export interface Destination {
  readonly redirectUri: RegisteredRedirectUri;
  readonly state: string | undefined;
  readonly issuer: string;
}

/** A request whose answer may be redirected. */
export interface Asked {
  readonly request: AuthorizationRequest;
  readonly client: NamedClient;
  readonly destination: Destination;
}

/** Sends the browser back with a code. */
export function redirectWithCode(
  reply: FastifyReply,
  { redirectUri, state, issuer }: Destination,
  code: string,
): FastifyReply {
  return reply.redirect(addToRedirectUri(redirectUri, { code, state, iss: issuer }), 303);
}

/** Sends the browser back with an error. */
export function redirectWithRefusal(
  reply: FastifyReply,
  { redirectUri, state, issuer }: Destination,
  reason: AuthorizationRefusalReason,
): FastifyReply {
  const [error, description] = authorizationRefusals[reason];
  reply.log.info({ reason }, 'an authorization request was refused');
  return reply.redirect(
    addToRedirectUri(redirectUri, { error, error_description: description, state, iss: issuer }),
    303,
  );
}

const retry = 'Go back to the app and try again; if it happens again, tell the people who make it.';

const pageWords = {
  request_malformed: [
    'This request cannot be read',
    'A part of the address is repeated, too long or damaged.',
    retry,
  ],
  client_unknown: ['This app is not known here', 'The address names an app that is not registered.', retry],
  // In review, rejected or suspended: which of them is between the app's makers and the reviewers.
  client_not_accepted: [
    'This app may not be used',
    'It is not accepted here at present, so nobody can connect it.',
    'If you need it, ask the people who make it.',
  ],
  redirect_uri_missing: [
    'This request is not complete',
    'It does not say where to send you afterwards.',
    retry,
  ],
  redirect_uri_not_registered: [
    'This request is not safe',
    'It asks to send you to an address that the app has not registered.',
    retry,
  ],
} as const satisfies Record<PageRefusalReason, readonly [title: string, text: string, advice: string]>;

/**
 * An error that must stay on the page: nobody is sent anywhere, and the given address is not linked (contract §3). The app's own
 * developer also learns what does not fit.
 */
export async function sendPageRefusal(
  request: FastifyRequest,
  reply: FastifyReply,
  { reason, detail }: Refusal<PageRefusalReason>,
  ownApp: OwnApp | undefined,
): Promise<FastifyReply> {
  request.log.info({ reason, detail }, 'an authorization request was refused on the page');
  const [title, text, advice] = pageWords[reason];
  const words = { title, text: `${text} Nothing was shared. ${advice}`, next: homePage };
  return sendPage(request, reply.code(400), 'oauth/authorize-refusal', { ...words, ownApp });
}

/** The decision was made on a page that does not fit any more: ask again, decide nothing. */
export async function sendOutdatedDecision(
  request: FastifyRequest,
  reply: FastifyReply,
  reason: string,
  address: string,
): Promise<FastifyReply> {
  request.log.info({ reason }, 'a decision was refused');
  return sendPage(request, reply.code(400), 'error', {
    title: 'This page is out of date',
    text: 'It was opened long ago, has been used before, or you have signed in again since. Nothing was decided.',
    next: { address, words: 'Look at the request again' },
  });
}
