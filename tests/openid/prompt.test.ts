import { describe, expect, test } from 'vitest';
import {
  type AuthorizationFields,
  codeOf,
  decide,
  openDecision,
  redirectOf,
  requestOf,
} from '../support/authorization.ts';
import { allowForGood, exchangeCode, visit } from '../support/consent.ts';
import { addPerson } from '../support/groups.ts';
import { addSignInClient, verifyIdToken } from '../support/openid.ts';
import { openTestService } from '../support/service.ts';
import {
  addClient,
  addUser,
  authorizePath,
  hiddenFieldsOf,
  openAuthorizePage,
  postForm,
  startSession,
  type TestClient,
} from '../support/world.ts';

const service = await openTestService({
  EMAIL_VERIFICATION: 'required',
  SMTP_URL: 'smtp://localhost:1',
  MAIL_FROM: 'a@b.example',
});
const openid = { scope: 'openid' } as const;

/** A person who is not asked again by the app. */
async function addRegular(client: TestClient, changes: AuthorizationFields = openid) {
  const person = await addPerson(service);
  await exchangeCode(service, client, codeOf(await allowForGood(service, client, person.cookie, changes)));
  return person;
}

function errorOf(answer: Parameters<typeof redirectOf>[0]): Readonly<Record<string, string>> {
  const { address, parameters } = redirectOf(answer);
  return { address, ...Object.fromEntries(parameters) };
}

describe('prompt=none (OpenID Connect Core, sections 3.1.2.1, 3.1.2.6)', () => {
  test.each([
    ['who is not signed in', 'login_required', async (): Promise<string | undefined> => undefined],
    ['who never approved', 'consent_required', async () => (await addPerson(service)).cookie],
    [
      'whose email address is not verified',
      'interaction_required',
      async () => startSession(service, await addUser(service, { isVerified: false })),
    ],
  ] as const)(
    'sends %s back with %s, state and iss',
    async (_who, error, cookieOf: () => Promise<string | undefined>) => {
      const client = await addSignInClient(service);
      const request = requestOf(client, { ...openid, prompt: 'none', state: 'a state' });

      const answer = await openAuthorizePage(service, request, await cookieOf());

      expect(answer.statusCode).toBe(303);
      expect(errorOf(answer)).toMatchObject({
        ...{ address: client.redirectUri, error, state: 'a state', iss: service.appUrl },
      });
    },
  );

  test.each([
    ['more than was approved', { scope: 'openid email' }, 'consent_required'],
    ['a sign-in that is newer', { ...openid, max_age: '60' }, 'login_required'],
  ] as const)('asking for %s is sent back with an error', async (_what, changes, error) => {
    const client = await addSignInClient(service);
    const { cookie } = await addRegular(client);
    service.clock.advance(61);

    const answer = await visit(service, requestOf(client, { ...changes, prompt: 'none' }), cookie);

    expect(errorOf(answer)).toMatchObject({ error });
  });

  test('of a public app never says whether somebody approved it, since its consent isn’t remembered (RFC 8252 §8.6)', async () => {
    const client = await addSignInClient(service, { type: 'public' });
    const { cookie } = await addPerson(service);
    await allowForGood(service, client, cookie, openid);

    const answer = await visit(service, requestOf(client, { ...openid, prompt: 'none' }), cookie);

    expect(errorOf(answer)).toMatchObject({ error: 'consent_required' });
  });

  test.each(['iframe', 'empty', 'image'])(
    'in a destination %s of another page gives no code, whatever is remembered (security C283)',
    async (destination) => {
      const client = await addSignInClient(service);
      const { cookie } = await addRegular(client);
      const headers = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': destination };

      const answer = await visit(service, requestOf(client, { ...openid, prompt: 'none' }), cookie, headers);

      expect(errorOf(answer)).toMatchObject({ error: 'interaction_required' });
    },
  );

  test('sends nobody to an address that isn’t registered (contract §3, security C283)', async () => {
    const client = await addSignInClient(service);
    const request = { ...openid, prompt: 'none', redirect_uri: 'https://evil.example/callback' };

    const answer = await openAuthorizePage(service, requestOf(client, request));

    expect([answer.statusCode, answer.headers.location]).toEqual([400, undefined]);
  });

  test('without openid changes nothing, signed in or not (contract §3)', async () => {
    const client = await addClient(service, { scopes: ['BOOKING_READ'] });
    const request = requestOf(client, { ...openid, scope: 'BOOKING_READ', prompt: 'none' });

    const [stranger, person] = [
      await openAuthorizePage(service, request),
      await openAuthorizePage(service, request, (await addPerson(service)).cookie),
    ];

    expect(stranger.headers.location).toMatch(/^\/signin\?return_to=/);
    expect(person.statusCode).toBe(200);
  });
});

describe('a new sign-in (OpenID Connect Core, sections 3.1.2.1, 3.1.2.3)', () => {
  const confirmAt = (address: string): string =>
    decodeURIComponent(/return_to=([^&]*)/.exec(address)?.[1] ?? '');

  test.each([
    ['prompt=login', { prompt: 'login' }, 'max_age=300'],
    ['max_age=0', { max_age: '0' }, 'max_age=300'],
    ['a max_age that is over', { max_age: '600' }, 'max_age=600'],
  ] as const)(
    '%s takes the password first, even of who has just signed in; then it isn’t asked for again',
    async (_name, changes, kept) => {
      const client = await addSignInClient(service);
      const { user, cookie } = await addRegular(client);
      service.clock.advance('max_age' in changes && changes.max_age === '600' ? 601 : 1);
      const request = requestOf(client, { ...openid, ...changes, nonce: 'n', state: 's' });

      const asked = await visit(service, request, cookie);
      const confirm = String(asked.headers.location);
      const page = await service.app.inject({ url: confirm, headers: { cookie } });
      const confirmed = await postForm(
        service,
        '/signin/confirm',
        { ...hiddenFieldsOf(page.body), password: user.password },
        cookie,
      );
      const session = confirmed.cookies.find(({ name }) => name.endsWith('latchkey_session'));
      const signedInAt = service.clock.now().getTime() / 1000;
      service.clock.advance(5);
      const back = confirmAt(confirm);
      const answer = await service.app.inject({
        url: back,
        headers: { cookie: `${session?.name}=${session?.value}` },
      });
      const tokens = (await exchangeCode(service, client, codeOf(answer))).json();

      expect(confirm).toMatch(/^\/signin\/confirm\?.*&again=\d+$/);
      expect([page.statusCode, confirmed.statusCode]).toEqual([200, 303]);
      expect(back).toContain(kept);
      expect(back).not.toContain('prompt');
      expect(await verifyIdToken(service, tokens, client.id)).toMatchObject({
        ...{ nonce: 'n', auth_time: signedInAt },
      });
    },
  );

  test('isn’t taken twice of who signs in because of the request (contract §3)', async () => {
    const client = await addSignInClient(service);

    const answer = await openAuthorizePage(service, requestOf(client, { ...openid, prompt: 'login' }));

    expect(confirmAt(String(answer.headers.location))).toMatch(
      /^\/auth\/oauth2\/authorize\?(?!.*prompt).*max_age=300/,
    );
  });

  test('is taken at Allow, too, where the page stood open for too long', async () => {
    const client = await addSignInClient(service);
    const { cookie } = await addPerson(service);
    const form = await openDecision(service, requestOf(client, { ...openid, max_age: '60' }), cookie);
    service.clock.advance(61);

    const answer = await decide(service, form, 'allow', cookie);

    expect(answer.headers.location).toMatch(/^\/signin\/confirm\?.*&again=\d+$/);
  });

  test.each([
    ['max_age', { max_age: '3600' }, 303],
    ['prompt=consent', { prompt: 'consent' }, 200],
    ['prompt=select_account', { prompt: 'select_account' }, 200],
  ] as const)('isn’t taken by %s of who signed in lately', async (_name, changes, status) => {
    const client = await addSignInClient(service);
    const { cookie } = await addRegular(client);

    const answer = await visit(service, requestOf(client, { ...openid, ...changes }), cookie);

    expect(answer.statusCode).toBe(status);
    if (status === 303) expect(codeOf(answer)).toBeDefined();
  });
});

test.each([
  [{ nonce: 'x'.repeat(513) }, 'invalid_request'],
  [{ max_age: 'soon' }, 'invalid_request'],
  [{ response_type: '' }, 'invalid_request'],
  [{ response_type: '', response_mode: 'query' }, 'invalid_request'],
  [{ prompt: 'none login' }, 'invalid_request'],
] as const)('%j is sent back as %s (OpenID Connect Core, section 3.1.2.6)', async (changes, error) => {
  const { cookie } = await addPerson(service);
  const client = await addSignInClient(service);

  const answer = await openAuthorizePage(service, requestOf(client, { ...openid, ...changes }), cookie);

  expect(errorOf(answer)).toMatchObject({ error });
});

describe('login_hint (OpenID Connect Core, section 3.1.2.1)', () => {
  const signInFor = async (client: TestClient, hint: string, scope = 'openid') => {
    const asked = await openAuthorizePage(service, requestOf(client, { scope, login_hint: hint }));
    return service.app.inject(String(asked.headers.location));
  };

  test('is text, whatever is in it (security C283)', async () => {
    const page = await signInFor(await addSignInClient(service), '"><script>alert(1)</script>@example.com');

    expect(page.body).not.toContain('<script>alert');
    expect(page.body).toContain('&quot;&gt;&lt;script&gt;');
  });

  test('is nothing of an app that doesn’t sign people in, and of an address that isn’t registered', async () => {
    const plain = await signInFor(await addClient(service, { scopes: ['BOOKING_READ'] }), 'ann@example.com');
    const client = await addSignInClient(service);
    const query = requestOf(client, {
      ...{ scope: 'openid', login_hint: 'ann@example.com', redirect_uri: 'https://evil.example/' },
    });
    const to = `${authorizePath}?${new URLSearchParams(query).toString()}`;
    const evil = await service.app.inject(`/signin?return_to=${encodeURIComponent(to)}`);

    for (const page of [plain, evil]) expect(page.body).not.toMatch(/value="ann@example.com"/);
  });

  test.each(['ann', 'x'.repeat(3000), '%00ann@example.com'])(
    '%j is no address, and nothing is filled in',
    async (hint) => {
      const page = await signInFor(await addSignInClient(service), decodeURIComponent(hint));

      expect(page.statusCode).toBe(200);
      expect(page.body).toMatch(/<input[^>]*name="email"[^>]* value="" /);
    },
  );

  test('gives way to what the person typed', async () => {
    const client = await addSignInClient(service);
    const page = await signInFor(client, 'ann@example.com');
    const typed = { email: 'bob@example.com', password: 'a wrong password' };

    const again = await postForm(service, '/signin', { ...hiddenFieldsOf(page.body), ...typed });

    expect(again.body).toMatch(/name="email"[^>]*value="bob@example.com"/);
  });
});

test('without response_type, a request that names no scope stays one of OAuth’s (contract §3, §6)', async () => {
  const { cookie } = await addPerson(service);
  const client = await addSignInClient(service);

  const answer = await openAuthorizePage(service, requestOf(client, { scope: '' }), cookie);

  expect(answer.statusCode).toBe(200);
});
