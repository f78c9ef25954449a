import { randomBytes } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { passkeys } from '../../src/accounts/tables.ts';
import { recoveryCodes } from '../../src/passkeys/tables.ts';
import { auditEvents } from '../../src/platform/audit/tables.ts';
import { databaseLimits } from '../../src/platform/limits/limits.ts';
import {
  type Answer,
  addOnPage,
  answer,
  type Cbor,
  cborOf,
  createAuthenticator,
  openAsking,
  securityHome,
} from '../support/authenticator.ts';
import { addPerson } from '../support/groups.ts';
import { textOf, titleOf } from '../support/page-content.ts';
import { mailTo, postOwnForm } from '../support/registration.ts';
import { openTestService } from '../support/service.ts';
import { subjectsTo } from '../support/verification.ts';
import { signIn } from '../support/world.ts';

const service = await openTestService();
const newPath = `${securityHome}/passkeys/new`;

async function passkeysOf(userId: number) {
  return service.database.db.select().from(passkeys).where(eq(passkeys.userId, userId));
}

async function codeCountOf(userId: number) {
  return service.database.db.$count(recoveryCodes, eq(recoveryCodes.userId, userId));
}

/** As an authenticator with a certificate sends it. */
const certifiedStatement = (certificate: Buffer): Cbor =>
  new Map<string, Cbor>([
    ['x5c', [certificate]],
    ['sig', randomBytes(70)],
    ['alg', -7],
  ]);

/** With as many bytes of n: RS256 (COSE). */
const rsaKeyOf = (bytes: number): Buffer =>
  cborOf([
    [1, 3],
    [3, -257],
    [-1, randomBytes(bytes)],
    [-2, Buffer.from([1, 0, 1])],
  ]);

describe('adding a passkey (contract §1, security C75)', () => {
  test.each<[string, Partial<Answer>]>([
    ['of another origin', { origin: 'https://evil.example' }],
    ['of another RP ID', { rpId: 'evil.example' }],
    ['to another challenge', { challenge: 'A'.repeat(43) }],
    ['of another kind', { type: 'webauthn.get' }],
    ['without anyone present', { isPresent: false }],
    ['with a key that would be dear to use', { key: rsaKeyOf(1100) }],
  ])('a credential %s is refused', async (_name, changes) => {
    const { user, cookie } = await addPerson(service);

    const refused = await addOnPage(service, cookie, createAuthenticator(service), changes);

    expect(refused.statusCode).toBe(400);
    expect(textOf(refused.body)).toContain('This passkey can’t be added. Try again.');
    expect(await passkeysOf(user.id)).toEqual([]);
    expect(await mailTo(service, user.email)).toEqual([]);
  });

  test('its page proposes the browser’s name', async () => {
    const { cookie } = await addPerson(service);
    const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

    const page = await service.app.inject({ url: newPath, headers: { cookie, 'user-agent': firefox } });

    expect(page.body).toMatch(/name="name"[^>]* value="Firefox on Linux"/);
  });

  test.each([['packed'], ['tpm'], ['apple'], ['android-key'], ['fido-u2f']])(
    'an attestation "%s" is taken off unread: its certificates hold addresses that nobody asks',
    async (fmt) => {
      const { user, cookie } = await addPerson(service);
      const statement = certifiedStatement(Buffer.alloc(600, 1));

      const added = await addOnPage(service, cookie, createAuthenticator(service), { fmt, statement });

      expect(added.statusCode).toBe(200);
      expect(await passkeysOf(user.id)).toHaveLength(1);
    },
  );

  test('a challenge is for one session, five minutes and one passkey', async () => {
    const { user, cookie } = await addPerson(service);
    const authenticator = createAuthenticator(service);
    const other = await openAsking(service, newPath, await signIn(service, user));
    const asking = await openAsking(service, newPath, cookie);
    const credential = authenticator.create(asking.options);

    const [ofOther] = [other.cookie.split('; ').find((one) => one.includes('challenge')) ?? ''];
    const foreign = await answer(
      service,
      newPath,
      { ...asking, cookie: `${cookie}; ${ofOther}` },
      authenticator.create(other.options),
      { name: 'x' },
    );
    const added = await answer(service, newPath, asking, credential, { name: 'x' });
    await postOwnForm(service, `${securityHome}/passkeys/${authenticator.id}/remove`, {}, cookie);
    const replayed = await answer(service, newPath, asking, credential, { name: 'x' });
    const late = await openAsking(service, newPath, cookie);
    service.clock.advance(300);
    const tooLate = await answer(service, newPath, late, createAuthenticator(service).create(late.options), {
      name: 'x',
    });

    expect([foreign.statusCode, added.statusCode, replayed.statusCode, tooLate.statusCode]).toEqual([
      400, 200, 400, 400,
    ]);
    expect(textOf(tooLate.body)).toContain('This page has expired. Try again.');
    expect(await passkeysOf(user.id)).toEqual([]);
  });

  test("another account's credential is refused", async () => {
    const [one, other] = [await addPerson(service), await addPerson(service)];
    const authenticator = createAuthenticator(service);
    await addOnPage(service, one.cookie, authenticator);

    const refused = await addOnPage(service, other.cookie, authenticator);

    expect(refused.statusCode).toBe(400);
    expect(await passkeysOf(other.user.id)).toEqual([]);
    expect(await passkeysOf(one.user.id)).toHaveLength(1);
  });

  test('a person has up to 10, also of those that are added at the same time', async () => {
    const { user, cookie } = await addPerson(service);
    for (let count = 0; count < 9; count += 1) await addOnPage(service, cookie, createAuthenticator(service));

    const askings = await Promise.all([1, 2, 3].map(() => openAsking(service, newPath, cookie)));
    await Promise.all(
      askings.map((asking) =>
        answer(service, newPath, asking, createAuthenticator(service).create(asking.options), { name: 'x' }),
      ),
    );
    const more = await service.app.inject({ url: newPath, headers: { cookie } });

    expect(await passkeysOf(user.id)).toHaveLength(10);
    expect(more.headers.location).toBe(securityHome);
  });

  test('so many changes an hour are enough: each sends an email', async () => {
    const { user, cookie } = await addPerson(service);
    await addOnPage(service, cookie, createAuthenticator(service));
    const replace = () => postOwnForm(service, `${securityHome}/recovery-codes`, {}, cookie);
    for (let count = 1; count < databaseLimits.notable.max; count += 1)
      expect((await replace()).statusCode).toBe(200);

    const limited = await replace();

    expect(limited.statusCode).toBe(429);
    expect(titleOf(limited)).toBe('Too many requests');
    expect(await mailTo(service, user.email)).toHaveLength(databaseLimits.notable.max);
  });

  test.each([
    ['no JSON', '{'],
    ['nothing', ''],
    ['another shape', '{"id":1}'],
    ['something too large', JSON.stringify({ id: 'x'.repeat(25_000) })],
    ['deep JSON', `${'['.repeat(5000)}${']'.repeat(5000)}`],
    [
      'CBOR that nests without end',
      JSON.stringify({
        id: 'aa',
        rawId: 'aa',
        type: 'public-key',
        response: { clientDataJSON: 'aa', attestationObject: Buffer.alloc(8000, 0x81).toString('base64url') },
      }),
    ],
  ])('a browser that sends %s gets the page again', async (_name, credential) => {
    const { user, cookie } = await addPerson(service);
    const asking = await openAsking(service, newPath, cookie);

    const refused = await answer(service, newPath, asking, credential, { name: 'kept' });

    expect(refused.statusCode).toBe(400);
    expect(refused.body).toContain('value="kept"');
    expect(await passkeysOf(user.id)).toEqual([]);
  });
});

test('what happens to passkeys and codes is recorded (security C73)', async () => {
  const { user, cookie } = await addPerson(service);
  const authenticator = createAuthenticator(service);
  const one = `${securityHome}/passkeys/${authenticator.id}`;
  await addOnPage(service, cookie, authenticator);
  await postOwnForm(service, `${securityHome}/recovery-codes`, {}, cookie);
  await postOwnForm(service, `${one}/remove`, {}, cookie);

  const { db } = service.database;
  const ofUser = eq(auditEvents.userId, user.id);
  const events = await db.select().from(auditEvents).where(ofUser).orderBy(auditEvents.id);

  expect(events.map(({ action }) => action).filter((action) => !action.startsWith('user'))).toEqual([
    'passkey.added',
    'recovery_codes.created',
    'recovery_codes.created',
    'passkey.removed',
  ]);
  expect(events.filter(({ objectId }) => objectId === authenticator.id)).toHaveLength(2);
});

describe('changing passkeys (contract §1, security C74, C75)', () => {
  test('each page and form takes a recent sign-in', async () => {
    const { user, cookie } = await addPerson(service);
    const authenticator = createAuthenticator(service);
    await addOnPage(service, cookie, authenticator);
    const asking = await openAsking(service, newPath, cookie);
    const one = `${securityHome}/passkeys/${authenticator.id}`;
    service.clock.advance(600);

    const answers = [
      await service.app.inject({ url: newPath, headers: { cookie } }),
      await service.app.inject({ url: `${one}/remove`, headers: { cookie } }),
      await answer(service, newPath, asking, createAuthenticator(service).create(asking.options)),
      await postOwnForm(service, `${one}/remove`, {}, cookie),
      await postOwnForm(service, `${securityHome}/recovery-codes`, {}, cookie),
    ];

    expect(answers.map(({ statusCode }) => statusCode)).toEqual([303, 303, 307, 307, 307]);
    for (const { headers } of answers) expect(headers.location).toContain('/signin/confirm?');
    expect((await passkeysOf(user.id)).map(({ name }) => name)).toEqual(['Test passkey']);
    expect(await codeCountOf(user.id)).toBe(10);
  });

  test('people remove their own alone; the last takes the recovery codes with it', async () => {
    const [owner, stranger] = [await addPerson(service), await addPerson(service)];
    const authenticator = createAuthenticator(service);
    await addOnPage(service, owner.cookie, authenticator);
    const one = `${securityHome}/passkeys/${authenticator.id}`;

    const foreign = [
      await service.app.inject({ url: `${one}/remove`, headers: { cookie: stranger.cookie } }),
      await postOwnForm(service, `${one}/remove`, {}, stranger.cookie),
    ];
    const before = await passkeysOf(owner.user.id);
    const removed = await postOwnForm(service, `${one}/remove`, {}, owner.cookie);

    expect(foreign[0]?.statusCode).toBe(404);
    expect(before.map(({ name }) => name)).toEqual(['Test passkey']);
    expect(removed.headers.location).toBe(`${securityHome}?done=removed`);
    expect(await passkeysOf(owner.user.id)).toEqual([]);
    expect(await codeCountOf(owner.user.id)).toBe(0);
    expect(await subjectsTo(service, owner.user.email)).toContain('A passkey was removed from your account');
  });

  test('without a passkey there are no recovery codes', async () => {
    const { user, cookie } = await addPerson(service);

    const replaced = await postOwnForm(service, `${securityHome}/recovery-codes`, {}, cookie);

    expect(replaced.headers.location).toBe(securityHome);
    expect(await codeCountOf(user.id)).toBe(0);
    expect(await mailTo(service, user.email)).toEqual([]);
  });
});
