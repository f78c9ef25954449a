import { expect, test } from 'vitest';
import { addSignInClient } from '../support/openid.ts';
import { addressesOn, textOf, titleOf } from '../support/page-content.ts';
import { sharedService } from '../support/service.ts';
import { addUser, hiddenFieldsOf, postForm } from '../support/world.ts';
import { openRelyingParty, type PersonHere } from './relying-party.ts';

/**
 * The modules of `oidcc-rp-initiated-logout-certification-test-plan` of the OpenID Foundation's
 * conformance suite, by their names; `openid/config-op` has the one about discovery.
 */
const service = await sharedService();
const path = '/auth/oauth2/logout';
const registered = 'https://app.example/signed-out';
const state = 'x'.repeat(128);

/** A person signs in to the app, and the app sends them to sign out; answers where they end. */
async function signOutOf(queryOf: (hint: string) => Readonly<Record<string, string>>) {
  const client = await addSignInClient(service, { postLogoutRedirectUris: [registered] });
  const person: PersonHere = { user: await addUser(service), cookie: undefined };
  const app = openRelyingParty(service, client, person);
  const { tokens } = await app.signIn();
  const url = `${path}?${new URLSearchParams(queryOf(tokens.id_token)).toString()}`;

  const page = await service.app.inject({ url, headers: { cookie: person.cookie } });
  expect([page.statusCode, page.headers.location]).toEqual([200, undefined]);
  const [, action = ''] = /<form class="card" method="post" action="([^"]*)"/.exec(page.body) ?? [];
  const left = await postForm(service, textOf(action), hiddenFieldsOf(page.body), person.cookie);

  expect(left.statusCode).toBe(303);
  const { parameters } = await app.authorize({ prompt: 'none' });
  expect(parameters['error']).toBe('login_required');
  return { page, to: String(left.headers.location) };
}

test.each([
  ['oidcc-rp-initiated-logout', { state }, `${registered}?state=${state}`],
  ['oidcc-rp-initiated-logout-no-state', {}, registered],
])('%s: after the question, back to the app', async (_module, more, expected) => {
  const { to } = await signOutOf((id_token_hint) => ({
    ...{ id_token_hint, post_logout_redirect_uri: registered, ...more },
  }));

  expect(to).toBe(expected);
});

const unsigned = (hint: string): string => {
  const [, claims = ''] = hint.split('.');
  return `${Buffer.from('{"alg":"none"}').toString('base64url')}.${claims}.`;
};
const changed = (hint: string): string => `${hint.slice(0, -8)}AAAAAAAA`;

test.each([
  ['bad-post-logout-redirect-uri', (hint: string) => withHint(hint, 'https://app.example/other')],
  ['query-added-to-post-logout-redirect-uri', (hint: string) => withHint(hint, `${registered}?foo=bar`)],
  ['modified-id-token-hint', (hint: string) => withHint(unsigned(hint), registered)],
  ['bad-id-token-hint', (hint: string) => withHint(changed(hint), registered)],
  ['no-id-token-hint', () => ({ post_logout_redirect_uri: registered, state })],
  ['no-post-logout-redirect-uri', (hint: string) => ({ id_token_hint: hint, state })],
  ['only-state', () => ({ state })],
  ['no-params', () => ({})],
] as const)(
  'oidcc-rp-initiated-logout-%s: after the question, a page of ours that says so',
  async (_module, queryOf: (hint: string) => Readonly<Record<string, string>>) => {
    const { page, to } = await signOutOf(queryOf);
    const end = await service.app.inject(to);

    expect(addressesOn(page.body).filter((address) => address.startsWith('https://app.example'))).toEqual([]);
    expect(to).toBe(path);
    expect([end.statusCode, titleOf(end)]).toEqual([200, 'You’re signed out']);
  },
);

function withHint(hint: string, address: string) {
  return { id_token_hint: hint, post_logout_redirect_uri: address, state };
}
