import type { FastifyInstance, FastifyReply } from 'fastify';
import { z } from 'zod';
import { requireFormToken, signOut } from '../accounts/sessions/session.ts';
import { formTargetsOf } from '../oauth/authorize/answer.ts';
import { isUnreadDocument } from '../oauth/client-id.ts';
import { isUsable } from '../oauth/core/client.ts';
import { readIdTokenHint } from '../oauth/core/id-token.ts';
import {
  addToRedirectUri,
  hostOfRedirectUri,
  matchLogoutUri,
  type RegisteredRedirectUri,
} from '../oauth/core/redirect-uri.ts';
import { findNamedClient } from '../oauth/store.ts';
import { type Page, pagesPlugin, sendPage, translated } from '../web/pages.ts';

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

const parameter = z
  .string()
  .max(4096)
  .regex(/^[^\0]*$/)
  .optional()
  .catch(undefined);
/** RP-Initiated Logout, section 2. What is repeated, too long or damaged counts as absent. */
const parameters = z.object({
  client_id: parameter,
  id_token_hint: parameter,
  post_logout_redirect_uri: parameter,
  state: parameter,
});
type Parameters = z.output<typeof parameters>;

/** The app may post, too; its form decides nothing, and leads to the page. */
const addressOfPosted = ({ body }: { readonly body: unknown }): string =>
  addressOf(parameters.catch(noParameters).parse(body));
const noParameters = parameters.parse({});

function addressOf(sent: Partial<Parameters>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(sent)) if (value !== undefined) query.set(name, value);
  return `${logoutPath}?${query.toString()}`;
}

/** RP-Initiated Logout: the person decides, and goes back to an address of the app's alone. */
export const logoutPlugin = pagesPlugin('logout', async (app) => {
  app.addHook('onRequest', translated);
  app.addHook('preValidation', requireFormToken); // protects: C287

  app.get(logoutPath, { schema: { querystring: parameters } }, async (request, reply) => {
    const asked = await findAsked(app, request.query);
    if (request.session === undefined) return leave(reply, asked);
    const { client, redirectUri, state } = asked;
    const shown = {
      title: request.words.t('Sign out'),
      clientName: client?.name,
      destinationHost: redirectUri && hostOfRedirectUri(redirectUri),
      // The form needs no ID token: its app is known by now. A field would rewrite line breaks.
      address: addressOf({ client_id: client?.id, post_logout_redirect_uri: redirectUri, state }),
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
    return leave(reply, asked);
  });
});

interface Asked {
  readonly client: { readonly id: string; readonly name: string } | undefined;
  readonly redirectUri: RegisteredRedirectUri | undefined;
  readonly state: string | undefined;
}

/** An app that nobody may use, or another one than the ID token is for, leads nowhere. */
async function findAsked(
  app: FastifyInstance,
  { client_id, id_token_hint: hint, post_logout_redirect_uri: requested, state }: Parameters,
): Promise<Asked> {
  const { config, db, keys } = app;
  const expected = { issuer: config.appUrl, keys: keys.lookUpHint };
  const read = hint === undefined ? undefined : await readIdTokenHint(hint, expected);
  const hinted = read?.ok === true ? read.value.clientId : undefined;
  const clientId = client_id ?? hinted;
  const isOne = clientId !== undefined && (hinted ?? clientId) === clientId; // protects: C287
  const named = isOne && !isUnreadDocument(app, clientId) ? await findNamedClient(db, clientId) : undefined;
  const client = named !== undefined && isUsable(named) ? named : undefined;
  return { client, redirectUri: client && matchLogoutUri(requested ?? '', client), state };
}

async function leave(reply: FastifyReply, { redirectUri, state }: Asked): Promise<FastifyReply> {
  if (redirectUri !== undefined)
    return reply.redirect(state === undefined ? redirectUri : addToRedirectUri(redirectUri, { state }), 303);
  if (reply.request.method === 'POST') return reply.redirect(logoutPath, 303);
  const { t } = reply.request.words;
  return sendPage(reply, 'error', {
    title: t('You’re signed out'),
    text: t('You can close this page.'),
  });
}
