import { describe, expect, test } from 'vitest';
import { setClientStatus } from '../support/client-status.ts';
import { addPerson } from '../support/groups.ts';
import { addSignInClient as addAnySignInClient, signInWith } from '../support/openid.ts';
import { textOf } from '../support/page-content.ts';
import { openTestService } from '../support/service.ts';
import { hiddenFieldsOf, postForm } from '../support/world.ts';

const service = await openTestService();
const path = '/auth/oauth2/logout';
const back = 'https://app.example/signed-out';
const addSignInClient: typeof addAnySignInClient = (at, options) =>
  addAnySignInClient(at, { postLogoutRedirectUris: [back], ...options });

const open = (query: Readonly<Record<string, string>>, cookie?: string) =>
  service.app.inject({
    url: `${path}?${new URLSearchParams(query).toString()}`,
    headers: cookie === undefined ? {} : { cookie },
  });
const isSignedIn = async (cookie: string): Promise<boolean> =>
  (await service.app.inject({ url: '/settings/apps', headers: { cookie } })).statusCode === 200;

/** Sends the page's form. */
function press({ body }: { readonly body: string }, cookie: string) {
  const [, action = ''] = /<form class="card" method="post" action="([^"]*)"/.exec(body) ?? [];
  return postForm(service, textOf(action), hiddenFieldsOf(body), cookie);
}

async function confirm(query: Readonly<Record<string, string>>, cookie: string) {
  const page = await open(query, cookie);
  expect(page.statusCode).toBe(200);
  return press(page, cookie);
}

describe('RP-initiated logout (RP-Initiated Logout, sections 2, 3)', () => {
  test('gives any state back unchanged, though browsers rewrite line breaks in the fields of a form (section 2)', async () => {
    const { cookie } = await addPerson(service);
    const client = await addSignInClient(service);
    const state = 'a\nb\rc "<%&+';

    const page = await open({ client_id: client.id, post_logout_redirect_uri: back, state }, cookie);
    const left = await press(page, cookie);

    expect(Object.keys(hiddenFieldsOf(page.body))).toEqual(['form_token']);
    expect(new URL(String(left.headers.location)).searchParams.get('state')).toBe(state);
  });

  test('sends who is signed out already back without a question', async () => {
    const client = await addSignInClient(service);

    const answer = await open({ client_id: client.id, post_logout_redirect_uri: back, state: 's' });

    expect([answer.statusCode, answer.headers.location]).toEqual([303, `${back}?state=s`]);
  });
});

describe('nobody is sent elsewhere (security C287)', () => {
  test.each([
    'https://evil.example/',
    'https://app.example.evil.example/',
    'https://app.example:8443/',
    '//evil.example',
    'javascript:alert(1)',
    'com.example.app:/signed-out',
    // Addresses of the same origin are registered one by one, too.
    'https://app.example/',
    'https://app.example/callback',
    'https://app.example/go?to=https://evil.example',
    `${back}?foo=bar`,
    `${back}/`,
    `${back}/../go`,
    'https://APP.example/signed-out',
  ])('%s is no address of the app’s', async (uri) => {
    const { cookie } = await addPerson(service);
    const client = await addSignInClient(service);
    const query = { client_id: client.id, post_logout_redirect_uri: uri };

    const [signedOut, left] = [await open(query), await confirm(query, cookie)];

    expect([signedOut.statusCode, signedOut.headers.location]).toEqual([200, undefined]);
    expect(left.headers.location).toBe(path);
  });

  test.each(['client_id', 'id_token_hint', 'post_logout_redirect_uri', 'state'])(
    'a %s that is damaged, too long or repeated leads nowhere (security C360)',
    async (name) => {
      const { cookie } = await addPerson(service);
      const client = await addSignInClient(service);
      const { id_token: hint = '' } = await signInWith(service, client, cookie);
      const right = {
        ...{ client_id: client.id, id_token_hint: hint, post_logout_redirect_uri: back, state: 's' },
      };
      const { [name]: value = '', ...others } = Object.fromEntries(Object.entries(right));
      const query = new URLSearchParams(others).toString();
      const headers = { cookie };

      for (const damaged of ['%00', '%ff', 'x'.repeat(9000), `${value}&${name}=${value}`]) {
        const url = `${path}?${query}&${name}=${damaged}`;
        const signedOut = await service.app.inject(url);
        const page = await service.app.inject({ url, headers });
        const posted = await service.app.inject({
          ...{ method: 'POST', url: path, payload: `${query}&${name}=${damaged}` },
          headers: { cookie, 'content-type': 'application/x-www-form-urlencoded' },
        });
        const after = await service.app.inject(String(posted.headers.location));

        expect([signedOut.statusCode, signedOut.headers.location]).toEqual([200, undefined]);
        expect([after.statusCode, after.headers.location]).toEqual([200, undefined]);
        expect(textOf(page.body)).not.toContain('redirected to');
      }
    },
  );

  test('an app that isn’t approved, one that there isn’t, and none lead nowhere', async () => {
    const client = await addSignInClient(service);
    await setClientStatus(service.database.db, client.id, 'rejected');

    for (const app of [{ client_id: client.id }, { client_id: 'unknown' }, {}])
      expect((await open({ ...app, post_logout_redirect_uri: back })).headers.location).toBeUndefined();
  });

  test('the ID token of one app doesn’t lead to another', async () => {
    const { cookie } = await addPerson(service);
    const [one, other] = [
      await addSignInClient(service),
      await addSignInClient(service, { postLogoutRedirectUris: ['https://other.example/'] }),
    ];
    const { id_token: hint = '' } = await signInWith(service, one, cookie);
    const query = { id_token_hint: hint, post_logout_redirect_uri: 'https://other.example/' };

    expect((await open(query)).headers.location).toBeUndefined();
    expect((await open({ ...query, client_id: other.id })).headers.location).toBeUndefined();
  });
});

describe('an app’s sign-out URIs (RP-Initiated Logout, section 3)', () => {
  const ends = async (client: { readonly id: string }, uri: string) =>
    (await open({ client_id: client.id, post_logout_redirect_uri: uri })).headers.location;

  test('are its redirect URIs, if it has registered none, and no other address of their origins', async () => {
    const client = await addAnySignInClient(service, { redirectUris: ['https://app.example/cb?x=1'] });

    expect(await ends(client, 'https://app.example/cb?x=1')).toBe('https://app.example/cb?x=1');
    for (const uri of ['https://app.example/cb', 'https://app.example/', 'https://app.example/go?to=x'])
      expect(await ends(client, uri)).toBeUndefined();
  });

  test('are read whole, whatever question marks are in them (RFC 3986 §3.4)', async () => {
    const client = await addSignInClient(service);
    const query = `client_id=${client.id}&post_logout_redirect_uri=${back}?foo%3Dbar&state=s`;

    expect((await service.app.inject(`${path}?${query}`)).headers.location).toBeUndefined();
  });

  test('replace the redirect URIs, and can be of any host', async () => {
    const client = await addAnySignInClient(service, {
      postLogoutRedirectUris: ['https://bye.example/?x=1'],
    });

    expect(await ends(client, 'https://bye.example/?x=1')).toBe('https://bye.example/?x=1');
    expect(await ends(client, 'https://app.example/callback')).toBeUndefined();
  });

  test('can have a private-use scheme, and any port of the loopback interface, for public apps alone (RFC 8252)', async () => {
    const uris = ['com.example.app:/signed-out', 'http://127.0.0.1/signed-out'] as const;
    const options = { postLogoutRedirectUris: uris };
    const app = await addAnySignInClient(service, { type: 'public', ...options });
    const server = await addAnySignInClient(service, options);

    expect(await ends(app, uris[0])).toBe(uris[0]);
    expect(await ends(app, 'http://127.0.0.1:50123/signed-out')).toBe('http://127.0.0.1:50123/signed-out');
    expect(await ends(app, 'http://127.0.0.1:50123/other')).toBeUndefined();
    expect(await ends(server, 'http://127.0.0.1:50123/signed-out')).toBeUndefined();
  });
});

describe('another site can’t sign anybody out (security C287)', () => {
  test('its post becomes a page that asks, with its parameters', async () => {
    const { cookie } = await addPerson(service);
    const client = await addSignInClient(service);
    const query = { client_id: client.id, post_logout_redirect_uri: back, state: 's' };

    const answer = await service.app.inject({
      ...{ method: 'POST', url: path, payload: new URLSearchParams(query).toString() },
      headers: {
        ...{ cookie, 'content-type': 'application/x-www-form-urlencoded' },
        ...{ 'sec-fetch-site': 'cross-site', origin: 'https://app.example' },
      },
    });

    expect(answer.statusCode).toBe(303);
    expect(answer.headers.location).toBe(`${path}?${new URLSearchParams(query).toString()}`);
    expect(await isSignedIn(cookie)).toBe(true);
  });

  test('a form without our token does nothing', async () => {
    const { cookie } = await addPerson(service);

    expect((await postForm(service, path, {}, cookie)).statusCode).toBe(403);
    expect(await isSignedIn(cookie)).toBe(true);
  });
});
