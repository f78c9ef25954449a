import { eq } from 'drizzle-orm';
import { decodeProtectedHeader } from 'jose';
import { describe, expect, test } from 'vitest';
import { clients } from '../../src/oauth/tables.ts';
import { counted, takeOne } from '../../src/platform/limits/store.ts';
import { eventsOf } from '../support/audit.ts';
import { addPerson, addSignInClient, signInWith, verifyIdToken } from '../support/openid.ts';
import { faultOf, textOf, titleOf } from '../support/page-content.ts';
import { developerHome, findClientRow, postOwnForm, submitClient } from '../support/registration.ts';
import { openAnotherInstance, openTestService } from '../support/service.ts';
import { type ClientOptions, callMe } from '../support/world.ts';

const service = await openTestService();
const { db } = service.database;

/** An app that signs people in, and its owner. */
async function addOwnClient(options: ClientOptions = {}) {
  const [client, owner] = [await addSignInClient(service, options), await addPerson(service)];
  await db.update(clients).set({ ownerId: owner.user.id }).where(eq(clients.id, client.id));
  const path = `${developerHome}/${client.id}/sign-in`;
  const choose = (algorithm: string, cookie = owner.cookie) =>
    postOwnForm(service, path, { algorithm }, cookie);
  const open = (cookie = owner.cookie) => service.app.inject({ url: path, headers: { cookie } });
  const algorithmOf = async () => (await findClientRow(service, client.id))?.idTokenAlgorithm;
  return { client, owner, path, choose, open, algorithmOf };
}

describe('ID tokens (OpenID Connect Core, section 15.1, Registration, section 2)', () => {
  test('of an app that is registered now are signed with RS256, those of earlier ones with ES256 (contract §4)', async () => {
    const registered = await submitClient(service, { scopes: 'openid' });
    const [earlier] = await db
      .insert(clients)
      .values({
        ...{ id: 'earlier', name: 'Earlier', purpose: 'x', type: 'public', redirectUris: [] },
        ...{ createdAt: service.clock.now(), submittedAt: service.clock.now() },
      })
      .returning({ idTokenAlgorithm: clients.idTokenAlgorithm });

    expect(await findClientRow(service, registered.id)).toMatchObject({ idTokenAlgorithm: 'RS256' });
    expect(earlier).toEqual({ idTokenAlgorithm: 'ES256' });
  });

  test.each([
    ['RS256', 'RSA'],
    ['ES256', 'EC'],
  ] as const)('with %s are verified by a published key of that kind', async (algorithm, kty) => {
    const client = await addSignInClient(service, { idTokenAlgorithm: algorithm });
    const { user, cookie } = await addPerson(service);

    const tokens = await signInWith(service, client, cookie);
    const [idToken, accessToken] = [tokens.id_token ?? '', tokens.access_token].map(decodeProtectedHeader);
    const { keys } = (await service.app.inject('/.well-known/jwks.json')).json();

    expect(await verifyIdToken(service, tokens, client.id, algorithm)).toMatchObject({
      sub: String(user.id),
    });
    expect(idToken).toMatchObject({ alg: algorithm, typ: 'JWT' });
    expect(accessToken).toMatchObject({ alg: 'ES256', typ: 'at+jwt' });
    expect(keys.find(({ kid }: { kid: string }) => kid === idToken?.kid)).toMatchObject({
      ...{ kty, alg: algorithm, use: 'sig' },
    });
    expect((await callMe(service, tokens.id_token ?? '')).statusCode).toBe(401);
    expect(
      await service.app.inject({
        url: '/v2/auth/oauth2/userinfo',
        headers: { authorization: `Bearer ${tokens.access_token}` },
      }),
    ).toMatchObject({ statusCode: 200 });
  });
});

describe('the page of an app that signs people in (contract §2)', () => {
  test('chooses the algorithm, without a review, for the next sign-in', async () => {
    const { client, owner, path, choose, open, algorithmOf } = await addOwnClient();
    const { cookie } = await addPerson(service);
    const before = await open();

    const answer = await choose('ES256');
    const shown = await service.app.inject({
      url: String(answer.headers.location),
      headers: { cookie: owner.cookie },
    });
    const tokens = await signInWith(service, client, cookie);

    expect(before.body).toMatch(/value="RS256" required checked/);
    expect(textOf(before.body)).toContain(service.appUrl);
    expect(answer.headers.location).toBe(`${path}?done=saved`);
    expect(textOf(shown.body)).toContain('The next ID tokens are signed that way');
    expect(shown.body).toMatch(/value="ES256" required checked/);
    expect(decodeProtectedHeader(tokens.id_token ?? '').alg).toBe('ES256');
    expect(await findClientRow(service, client.id)).toMatchObject({ status: 'accepted', revision: 1 });
    expect(await eventsOf(service, owner.user)).toMatchObject([
      { action: 'client.edited', clientId: client.id, reason: 'ID tokens: ES256' },
    ]);
    await choose('ES256');
    expect(await eventsOf(service, owner.user)).toHaveLength(1);
    expect(await algorithmOf()).toBe('ES256');
  });

  test.each(['none', 'HS256', 'PS256', '', 'rs256'])('refuses %j, and changes nothing', async (algorithm) => {
    const { choose, algorithmOf } = await addOwnClient();

    const answer = await choose(algorithm);

    expect(answer.statusCode).toBe(400);
    expect(faultOf(answer, 'algorithm')).toBe('Choose an algorithm.');
    expect(await algorithmOf()).toBe('RS256');
  });

  test('is its owner’s alone, and takes a recent sign-in (security C74)', async () => {
    const { path, open, choose, algorithmOf, owner } = await addOwnClient();
    const other = await addPerson(service);

    const others = [await open(other.cookie), await choose('ES256', other.cookie)];
    service.clock.advance(10 * 60);
    const late = await choose('ES256');

    expect(others.map(({ statusCode }) => statusCode)).toEqual([404, 404]);
    expect(late.headers.location).toMatch(/^\/signin\/confirm\?form=/);
    expect(decodeURIComponent(String(late.headers.location))).toContain(path);
    expect((await open(owner.cookie)).statusCode).toBe(200);
    expect(await algorithmOf()).toBe('RS256');
  });

  test('is one of an owner’s 500 changes a day (security C54)', async () => {
    const { choose, algorithmOf, owner } = await addOwnClient();
    const limit = counted('changes', ['client', owner.user.id]);
    await takeOne(db, { ...limit, amount: limit.max - 1 }, service.clock.now());

    const answers = [await choose('ES256'), await choose('RS256')];

    expect(answers.map(({ statusCode }) => statusCode)).toEqual([303, 429]);
    expect(await algorithmOf()).toBe('ES256');
  });

  test('says what an app lacks that isn’t registered for openid, with the link that adds it', async () => {
    const [plain, signing] = [
      await addOwnClient({ scopes: ['BOOKING_READ'] }),
      await addOwnClient({ scopes: ['openid', 'profile', 'email'] }),
    ];

    const page = await plain.open();

    expect(titleOf(page)).toBe('Test app');
    expect(textOf(page.body)).toContain('isn’t registered for openid');
    expect(page.body).toContain(`href="${developerHome}/${plain.client.id}/edit"`);
    expect(textOf((await signing.open()).body)).not.toContain('isn’t registered for openid');
  });

  test('isn’t there without the part, and no tab leads to it (contract §1)', async () => {
    const { client, owner, path } = await addOwnClient();
    const plain = await openAnotherInstance(service, { PARTS: '-openid' });
    const headers = { cookie: owner.cookie };

    const page = await plain.app.inject({ url: path, headers });
    const overview = await plain.app.inject({ url: `${developerHome}/${client.id}`, headers });

    expect([page.statusCode, overview.statusCode]).toEqual([404, 200]);
    expect(overview.body).not.toContain(path);
  });
});
