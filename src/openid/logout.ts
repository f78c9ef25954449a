import type { FastifyInstance, FastifyReply } from 'fastify';
import { z } from 'zod';
import { requireFormToken, signOut } from '../accounts/sessions/session.ts';
import { ofLogout, queryOf } from '../oauth/authorize/request.ts';
import { isLogoutUri, shortenUri } from '../oauth/clients/form.ts';
import { malformedValue } from '../oauth/core/authorization.ts';
import { type ClientType, isUsable } from '../oauth/core/client.ts';
import { readIdTokenHint } from '../oauth/core/id-token-hint.ts';
import {
  addToRedirectUri,
  hostOfRedirectUri,
  matchRedirectUri,
  type RegisteredRedirectUri,
} from '../oauth/core/redirect-uri.ts';
import { isUnreadDocument } from '../oauth/document-id.ts';
import type { RefusedOnPage } from '../oauth/failed-requests/recorder.ts';
import { formTargetsOf } from '../oauth/http/app-answer.ts';
import { parseParameters } from '../oauth/http/authorization-parameters.ts';
import { findNamedClient, type NamedClient } from '../oauth/store.ts';
import { acceptForms } from '../platform/parameters.ts';
import { pagesPlugin } from '../web/page-scope.ts';
import { type Page, sendPage } from '../web/pages.ts';

declare module '../web/pages.ts' {
  interface Views {
    'openid/logout': Page & {
      readonly clientName: string | undefined;
      readonly destinationHost: string | undefined;
      readonly address: string;
    };
  }
}

export const logoutPath = '/auth/oauth2/logout';

/** RP-Initiated Logout, section 2. */
const parameters = z.object(ofLogout);
type Parameters = z.output<typeof parameters>;

/** The app may post, too; its form decides nothing, and leads to the page. */
const addressOfPosted = ({ body }: { readonly body: unknown }): string =>
  addressOf(parameters.safeParse(body).data ?? {});

function addressOf(sent: Partial<Parameters>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(sent)) if (value !== undefined) query.set(name, value);
  return query.size === 0 ? logoutPath : `${logoutPath}?${query.toString()}`;
}

/** RP-Initiated Logout: the person decides, and goes back to an address of the app's alone. */
export const logoutPlugin = pagesPlugin('logout', async (app) => {
  app.addHook('preValidation', async (request) => {
    request.query = queryOf(request.url);
  });
  app.addHook('preValidation', requireFormToken); // protects: C287
  app.removeContentTypeParser(['application/x-www-form-urlencoded']);
  acceptForms(app, parseParameters);

  app.get(logoutPath, { schema: { querystring: parameters } }, async (request, reply) => {
    const asked = await findAsked(app, request.query);
    if (asked.refused !== undefined) app.failedRequests.recordRefused(asked.refused, request.id);
    if (request.session === undefined) return leave(reply, asked);
    const { client, redirectUri, state } = asked;
    const shown = {
      title: request.words.t('Sign out'),
      clientName: client?.name,
      destinationHost: redirectUri && hostOfRedirectUri(redirectUri),
      // The form needs no ID token: its app is known by now. A field would rewrite line breaks.
      address: addressOf({
        client_id: client?.id,
        post_logout_redirect_uri: redirectUri,
        state,
        ui_locales: localesIn(request.query),
      }),
    };
    return sendPage(reply, 'openid/logout', shown, redirectUri && formTargetsOf(redirectUri));
  });

  const deciding = {
    config: { addressOfPosted, oldSignInBecause: 'it ends a session' },
    schema: { querystring: parameters },
  };
  app.post(logoutPath, deciding, async (request, reply) => {
    const asked = await findAsked(app, request.query);
    await signOut(reply);
    return leave(reply, asked, localesIn(request.query));
  });
});

/** Malformed, they are no fault: the page is in another language. */
const localesIn = ({ ui_locales }: Parameters): string | undefined =>
  ui_locales === malformedValue ? undefined : ui_locales;

interface Asked {
  readonly client?: NamedClient | undefined;
  readonly redirectUri?: RegisteredRedirectUri | undefined;
  readonly state?: string | undefined;
  /** An address that the app hasn't registered. */
  readonly refused?: RefusedOnPage | undefined;
}

/** An app that nobody may use, or another one than the ID token is for, leads nowhere. */
async function findAsked(app: FastifyInstance, asked: Parameters): Promise<Asked> {
  // What is damaged or repeated says neither where to go nor what to take there (security C360).
  const { ui_locales: _, ...decisive } = asked;
  if (Object.values(decisive).includes(malformedValue)) return {}; // protects: C360
  const { client_id, id_token_hint: hint, post_logout_redirect_uri: requested, state } = decisive;
  const { config, db, keys } = app;
  const expected = { issuer: config.appUrl, keys: keys.lookUpHint };
  const read = hint === undefined ? undefined : await readIdTokenHint(hint, expected);
  const hinted = read?.ok === true ? read.value.clientId : undefined;
  const clientId = client_id ?? hinted;
  const isOne = clientId !== undefined && (hinted ?? clientId) === clientId; // protects: C287
  const named = isOne && !isUnreadDocument(app, clientId) ? await findNamedClient(db, clientId) : undefined;
  const client = named !== undefined && isUsable(named) ? named : undefined;
  if (client === undefined || requested === undefined) return { client, state };
  const redirectUri = matchLogoutUri(requested, client);
  if (redirectUri !== undefined) return { client, redirectUri, state };
  const kind = 'post_logout_redirect_uri_not_registered';
  const cause = { kind, uri: shownUri(requested, client.type) } as const;
  return { client, state, refused: { clientId: client.id, cause } };
}

/** Matches exactly (RP-Initiated Logout, section 3). */
function matchLogoutUri(requested: string, client: NamedClient): RegisteredRedirectUri | undefined {
  const { type, redirectUris, postLogoutRedirectUris: own } = client;
  return matchRedirectUri(requested, { type, redirectUris: own.length === 0 ? redirectUris : own });
}

/** Strangers choose it, and a query can hold a secret (security C25, C361). */
function shownUri(requested: string, type: ClientType): string | undefined {
  if (!isLogoutUri(requested, type)) return undefined;
  // protects: C361
  const [address = ''] = requested.split('?');
  return shortenUri(address).replaceAll('`', '%60');
}

async function leave(
  reply: FastifyReply,
  { redirectUri, state }: Asked,
  ui_locales?: string,
): Promise<FastifyReply> {
  if (redirectUri !== undefined)
    return reply.redirect(state === undefined ? redirectUri : addToRedirectUri(redirectUri, { state }), 303);
  if (reply.request.method === 'POST') return reply.redirect(addressOf({ ui_locales }), 303);
  const { t } = reply.request.words;
  return sendPage(reply, 'error', {
    title: t('You’re signed out'),
    text: t('You can close this page.'),
  });
}
