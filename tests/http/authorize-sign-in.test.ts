import { expect, test } from 'vitest';
import { decisionFormOf, openDecision, redirectOf, requestOf } from '../support/authorization.ts';
import { addressesOn, hiddenFieldOf } from '../support/page-content.ts';
import { openTestService } from '../support/service.ts';
import { addTeam } from '../support/teams.ts';
import { grantsOf } from '../support/tokens.ts';
import { trustingMail } from '../support/verification.ts';
import {
  addClient,
  addUser,
  authorizePath,
  createPkce,
  hiddenFieldsOf,
  openAuthorizePage,
  postForm,
  signIn,
} from '../support/world.ts';

const service = await openTestService(trustingMail);
const user = await addUser(service);
const team = await addTeam(service, user);
const client = await addClient(service, { scopes: ['PROFILE_READ', 'BOOKING_READ'] });
const native = await addClient(service, { type: 'public' });

const { challenge } = createPkce();
const full = {
  client_id: client.id,
  redirect_uri: client.redirectUri,
  response_type: 'code',
  scope: 'PROFILE_READ BOOKING_READ',
  state: 'blank +plus &and =is %2B %00 /? "quotes" <tag> äöü 日本 🗝 \r\n#',
  code_challenge: challenge,
  code_challenge_method: 'S256',
  team_slug: team.slug,
};

const requests = [
  ['every parameter', full],
  ['a wrong scope', requestOf(client, { scope: 'NONSENSE', state: 'x' })],
  ['a wrong response_type', requestOf(client, { response_type: 'token', state: 'x' })],
  ['the method plain', requestOf(client, { code_challenge_method: 'plain', state: 'x' })],
  ['no challenge of a public client', requestOf(native, { code_challenge: '', state: 'x' })],
  ['an unknown team', requestOf(client, { team_slug: 'unknown', state: 'x' })],
] as const;

/** The authorization request inside a `return_to`. */
function requestIn(location: string | undefined): unknown {
  const returnTo = new URL(location ?? '', service.appUrl).searchParams.get('return_to') ?? '';
  const address = new URL(returnTo, service.appUrl);
  expect(address.pathname).toBe(authorizePath);
  return Object.fromEntries(address.searchParams);
}

test.each(requests)(
  'a request with %s leads to the sign-in page first, every parameter kept (contract §3, security C30)',
  async (_name, request) => {
    const answer = await openAuthorizePage(service, request);

    expect(answer.statusCode).toBe(303);
    expect(answer.headers.location).toMatch(/^\/signin\?return_to=/);
    expect(requestIn(answer.headers.location)).toEqual(request);
  },
);

test('a decision whose session has ended asks to sign in, keeps every parameter and issues nothing (contract §3)', async () => {
  const cookie = await signIn(service, user);
  const form = await openDecision(service, full, cookie);

  const answer = await postForm(service, authorizePath, { ...form, action: 'allow' });

  expect(answer.statusCode).toBe(303);
  expect(requestIn(answer.headers.location)).toEqual(full);
  expect(await grantsOf(service, client)).toEqual([]);
});

test.each(['/signin', '/signup'])(
  '%s keeps the whole request in its form and links (contract §3)',
  async (path) => {
    const toSignIn = await openAuthorizePage(service, full);
    const query = String(toSignIn.headers.location).replace('/signin', '');

    const page = await service.app.inject(`${path}${query}`);

    const other = path === '/signin' ? '/signup' : '/signin';
    const link = addressesOn(page.body).find((address) => address.startsWith(`${other}?`));
    expect(requestIn(`/?return_to=${encodeURIComponent(hiddenFieldOf(page.body, 'return_to'))}`)).toEqual(
      full,
    );
    expect(requestIn(link)).toEqual(full);
  },
);

/** Signs in on the way to a request, and answers the address of the link that goes on. */
async function signInOnTheWay(
  request: Readonly<Record<string, string>>,
): Promise<[address: string, cookie: string]> {
  const toSignIn = await openAuthorizePage(service, request);
  const page = await service.app.inject(String(toSignIn.headers.location));
  const signedIn = await postForm(service, '/signin', {
    ...hiddenFieldsOf(page.body),
    email: user.email,
    password: user.password,
  });
  const cookie = signedIn.cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
  const onward = await service.app.inject({ url: String(signedIn.headers.location), headers: { cookie } });
  const [address = ''] = addressesOn(onward.body).filter((found) => found.startsWith(authorizePath));
  return [address, cookie];
}

test('after sign-in the way goes on to the same request (contract §3)', async () => {
  const [address, cookie] = await signInOnTheWay(full);
  const page = await service.app.inject({ url: address, headers: { cookie } });

  const { decision: _decision, ...form } = decisionFormOf(page.body);
  const { decision: _other, ...straight } = await openDecision(service, full, cookie);
  expect(page.statusCode).toBe(200);
  expect(form).toEqual(straight);
  expect(Object.keys(form)).toEqual(expect.arrayContaining(Object.keys(full)));
});

test('only after sign-in a refusal goes to the client (RFC 9700 §4.11.2)', async () => {
  const [address, cookie] = await signInOnTheWay(requestOf(client, { scope: 'NONSENSE', state: 'x' }));

  const answer = await service.app.inject({ url: address, headers: { cookie } });

  expect(redirectOf(answer).address).toBe(client.redirectUri);
  expect(redirectOf(answer).parameters).toContainEqual(['error', 'invalid_scope']);
});

test('the account can be switched without losing the request (contract §3)', async () => {
  const cookie = await signIn(service, user);
  const page = await openAuthorizePage(service, full, cookie);
  const [, form = ''] = /<form[^>]*action="\/signout">(.*?)<\/form>/s.exec(page.body) ?? [];

  const signedOut = await postForm(service, '/signout', hiddenFieldsOf(form), cookie);
  const toSignIn = await service.app.inject({ url: String(signedOut.headers.location), headers: { cookie } });

  expect(signedOut.statusCode).toBe(303);
  expect(requestIn(toSignIn.headers.location)).toEqual(full);
});

test.each(['/signin', '/signup', '/forgot', '/signin/passkey'])(
  '%s names the app that asks, and no other (contract §3)',
  { tags: 'parts' },
  async (path) => {
    const hostile = await addClient(service, { name: '<b>Nina</b> Notes' });
    const pending = await addClient(service, { name: 'Nina Pending', status: 'pending' });
    const purposeOf = async (changes: Readonly<Record<string, string>>, from = hostile): Promise<string> => {
      const asked = new URLSearchParams(requestOf(from, changes)).toString();
      const returnTo = encodeURIComponent(`${authorizePath}?${asked}`);
      const { body } = await service.app.inject(`${path}?return_to=${returnTo}`);
      return /<p class="soft">(.* to continue .*)<\/p>/.exec(body)?.[1] ?? '';
    };

    expect(await purposeOf({})).toMatch(
      / to continue to <strong><bdi>&lt;b&gt;Nina&lt;\/b&gt; Notes<\/bdi><\/strong>$/,
    );
    for (const purpose of [
      await purposeOf({}, pending),
      await purposeOf({ client_id: 'unknown' }),
      await purposeOf({ redirect_uri: 'https://evil.example/' }),
    ])
      expect(purpose).toMatch(/ to continue to the app\.$/);
  },
);

test('who asks for a password reset on the way keeps the request (contract §3)', async () => {
  const signInPage = (await openAuthorizePage(service, full)).headers.location;
  const leadsTo = async (url: string, path: string): Promise<string> =>
    addressesOn((await service.app.inject(url)).body).find((address) => address.startsWith(path)) ?? '';

  const forgotPage = await leadsTo(String(signInPage), '/forgot?');
  const form = hiddenFieldsOf((await service.app.inject(forgotPage)).body);
  const sent = await postForm(service, '/forgot', { ...form, email: 'nobody@example.com' });
  const back = await leadsTo(String(sent.headers.location), '/signin?');

  for (const address of [forgotPage, sent.headers.location, back]) expect(requestIn(address)).toEqual(full);
});

test('the sign-in page shows the mark of the app (contract §2, §3)', async () => {
  const { headers } = await openAuthorizePage(service, requestOf(client));

  const { body } = await service.app.inject(String(headers.location));

  expect(body).toContain('<span class="app-mark small" aria-hidden="true">T</span>');
});
