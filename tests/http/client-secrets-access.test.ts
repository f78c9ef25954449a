import { describe, expect, test } from 'vitest';
import {
  formTokenOf,
  mailTo,
  postOwnForm,
  register,
  registeredId,
  secretsOf,
} from '../support/registration.ts';
import { deletionPath, eventsOf, liveHints, newForm, openOwned } from '../support/secrets.ts';
import { sharedService } from '../support/service.ts';
import { addUser, postForm, startSession } from '../support/world.ts';

const service = await sharedService();
const stranger = await startSession(service, await addUser(service));

/** Nothing was added, deleted, told or written. */
async function expectUntouched({ clientId, owner }: Awaited<ReturnType<typeof openOwned>>): Promise<void> {
  expect(await liveHints(service, clientId)).toHaveLength(1);
  expect(await secretsOf(service, clientId)).toHaveLength(1);
  expect(await eventsOf(service, clientId)).toEqual(['submitted']);
  expect(await mailTo(service, owner.email)).toEqual([]);
}

describe("another person's client", () => {
  test('has no secrets page for them: 404', async () => {
    const owned = await openOwned(service, { name: 'Hidden Desk' });

    const page = await service.app.inject({ url: owned.path, headers: { cookie: stranger } });

    expect(page.statusCode).toBe(404);
    expect(page.body).not.toContain('Hidden Desk');
    expect(page.body).not.toContain(owned.secret.slice(-4));
  });

  test('gets no secret from them, and loses none', async () => {
    const owned = await openOwned(service);
    const path = await deletionPath(service, owned, owned.secret);

    const answers = [
      await postOwnForm(service, owned.path, newForm(), stranger),
      await service.app.inject({ url: path, headers: { cookie: stranger } }),
      await postOwnForm(service, path, {}, stranger),
    ];

    expect(answers.map(({ statusCode }) => statusCode)).toEqual([404, 404, 404]);
    await expectUntouched(owned);
  });
});

test("a secret cannot be deleted through another client of the same owner's", async () => {
  const owned = await openOwned(service);
  const [secret] = await secretsOf(service, owned.clientId);
  const other = registeredId(await register(service, owned.cookie));
  const path = `/settings/developer/oauth/${other}/secrets/${secret?.id ?? ''}/delete`;

  const answer = await postOwnForm(service, path, {}, owned.cookie);

  expect(answer.statusCode).toBe(404);
  await expectUntouched(owned);
});

test.each(['none', '0', '00000000-0000-0000-0000-000000000000', "'", 'x'.repeat(3000), '%20'])(
  'there is no secret %s: 404',
  async (id) => {
    const owned = await openOwned(service);
    const path = `${owned.path}/${id}/delete`;

    const page = await service.app.inject({ url: path, headers: { cookie: owned.cookie } });
    const answer = await postOwnForm(service, path, {}, owned.cookie);

    expect([page.statusCode, answer.statusCode]).toEqual([404, 404]);
    await expectUntouched(owned);
  },
);

test('a public client has no secrets page, and gets no secret (contract §2)', async () => {
  const owned = await openOwned(service, { client_type: 'public' });

  const page = await service.app.inject({ url: owned.path, headers: { cookie: owned.cookie } });
  const answer = await postOwnForm(service, owned.path, newForm(), owned.cookie);

  expect([page.statusCode, answer.statusCode]).toEqual([404, 404]);
  expect(await secretsOf(service, owned.clientId)).toEqual([]);
  expect(await eventsOf(service, owned.clientId)).toEqual(['submitted']);
});

test('who is not signed in comes to the sign-in page, and nothing is done', async () => {
  const owned = await openOwned(service);
  const path = await deletionPath(service, owned, owned.secret);

  const answers = [
    await service.app.inject(owned.path),
    await postForm(service, owned.path, newForm()),
    await postForm(service, path, {}),
  ];

  expect(answers.map(({ statusCode }) => statusCode)).toEqual([303, 303, 303]);
  expect(answers[0]?.headers.location).toBe(`/signin?return_to=${encodeURIComponent(owned.path)}`);
  await expectUntouched(owned);
});

test("a form without the session's token is refused, and one from another site", async () => {
  const owned = await openOwned(service);
  const path = await deletionPath(service, owned, owned.secret);
  const foreign = await formTokenOf(service, stranger);

  const answers = [
    await postForm(service, owned.path, newForm(), owned.cookie),
    await postForm(service, owned.path, { ...newForm(), form_token: foreign }, owned.cookie),
    await postForm(service, path, { form_token: foreign }, owned.cookie),
    await service.app.inject({
      method: 'POST',
      url: path,
      headers: {
        cookie: owned.cookie,
        'sec-fetch-site': 'cross-site',
        'content-type': 'application/x-www-form-urlencoded',
      },
      payload: new URLSearchParams({ form_token: await formTokenOf(service, owned.cookie) }).toString(),
    }),
  ];

  expect(foreign).not.toBe('');
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([403, 403, 403, 403]);
  await expectUntouched(owned);
});

test.each(['', 'x', '\0', `${'0'.repeat(31)}\0`, '0'.repeat(33), 'A'.repeat(32), '%00'])(
  'a registration key that no page gave adds nothing: %j (security C35)',
  async (key) => {
    const owned = await openOwned(service);

    const answer = await postOwnForm(service, owned.path, { registration_key: key }, owned.cookie);

    expect(answer.statusCode).toBe(400);
    expect(answer.body).toContain('Nothing was added.');
    await expectUntouched(owned);
  },
);

test('the name of a client is text wherever its secrets are spoken of (security C33)', async () => {
  const name = '<img src=x onerror=alert(1)>';
  const owned = await openOwned(service, { name });
  const path = await deletionPath(service, owned, owned.secret);

  const pages = await Promise.all(
    [owned.path, path].map((url) => service.app.inject({ url, headers: { cookie: owned.cookie } })),
  );
  await postOwnForm(service, owned.path, newForm(), owned.cookie);

  for (const { body } of pages) {
    expect(body).toContain('&lt;img src=x');
    expect(body).not.toContain('<img src=x');
  }
  const [email] = await mailTo(service, owned.owner.email);
  expect(email?.html).not.toContain('<img');
  expect(email?.subject).toBe(`A secret was added to ${name}`);
});
