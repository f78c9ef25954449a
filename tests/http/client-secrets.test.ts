import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { clientSecrets } from '../../src/oauth/tables.ts';
import { deleteBatch, pastLife } from '../../src/platform/retention/store.ts';
import { readTables } from '../support/database-content.ts';
import { textOf, titleOf } from '../support/page-content.ts';
import { obtainResetPath } from '../support/password-reset.ts';
import {
  developerHome,
  mailTo,
  postOwnForm,
  register,
  registeredId,
  registration,
  secretsOf,
} from '../support/registration.ts';
import {
  addOnPage,
  deletionPath,
  eventsOf,
  follow,
  liveHints,
  newForm,
  type Owned,
  openOwned,
  secretOn,
  tryOut,
} from '../support/secrets.ts';
import { openAnotherInstance, openTestService, type TestService } from '../support/service.ts';
import { addUser, postForm, startSession } from '../support/world.ts';
import { createVisitor, type Visitor } from './visitor.ts';

const service = await openTestService();

async function open(url: string, { cookie }: Owned) {
  return service.app.inject({ url, headers: { cookie } });
}

async function deleteSecret(owned: Owned, secret: string) {
  return postOwnForm(service, await deletionPath(service, owned, secret), {}, owned.cookie);
}

test('the page lists a live secret by its last four characters, its day and its last use (contract §2)', async () => {
  const owned = await openOwned(service);

  const page = await open(owned.path, owned);

  const day = new Intl.DateTimeFormat('en-US', { timeZone: 'Europe/Berlin', dateStyle: 'medium' });
  expect(page.statusCode).toBe(200);
  expect(page.body).toContain(`…${owned.secret.slice(-4)}`);
  expect(page.body).not.toContain(owned.secret);
  expect(page.body).toContain(`>${day.format(service.clock.now())}</time>`);
  expect(page.body).toContain('>Never<');
});

test('a second secret is shown once, and both work: a swap needs no outage (contract §2)', async () => {
  const owned = await openOwned(service);

  const added = await postOwnForm(service, owned.path, newForm(), owned.cookie);
  const first = await follow(service, added, owned.cookie);
  const second = await open(owned.path, owned);

  const secret = secretOn(first.body) ?? '';
  expect(added.statusCode).toBe(303);
  expect(added.headers.location).toBe(`${owned.path}?done=secret_added`);
  expect(first.body).toContain('You won’t be able to see it again.');
  expect(first.body).toContain(
    'role="status" tabindex="-1" autofocus><p>Secret added. Your app can use it now.',
  );
  expect(String(first.headers['set-cookie'])).toContain('latchkey_secret=; Max-Age=0');
  expect(secretOn(second.body)).toBeUndefined();
  expect(second.body).toContain(`…${secret.slice(-4)}`);
  expect(await tryOut(service, owned.clientId, secret)).toBe('works');
  expect(await tryOut(service, owned.clientId, owned.secret)).toBe('works');
  expect(await eventsOf(service, owned.clientId)).toEqual(['submitted', 'secret_added']);
});

test('a third one is not added while two are live, and the page says why (contract §2)', async () => {
  const owned = await openOwned(service);
  const before = await addOnPage(service, owned).then(() => liveHints(service, owned.clientId));

  const page = await open(owned.path, owned);
  const answer = await postOwnForm(service, owned.path, newForm(), owned.cookie);

  expect(page.body).not.toContain('name="registration_key"');
  expect(page.body).toContain('Delete one to add another.');
  expect(answer.statusCode).toBe(409);
  expect(textOf(answer.body)).toContain('Nothing was added: you already have two secrets.');
  expect(answer.headers).not.toHaveProperty('set-cookie');
  expect(await liveHints(service, owned.clientId)).toEqual(before);
  expect(await eventsOf(service, owned.clientId)).toEqual(['submitted', 'secret_added']);
  expect(await mailTo(service, owned.owner.email)).toHaveLength(1);
});

describe('a form that is sent again', () => {
  async function sendOnce() {
    const owned = await openOwned(service);
    const form = newForm();
    const sent = await postOwnForm(service, owned.path, form, owned.cookie);
    const secret = secretOn((await follow(service, sent, owned.cookie)).body) ?? '';
    return { owned, secret, resend: () => postOwnForm(service, owned.path, form, owned.cookie), form };
  }

  test('adds nothing, says so, and how to get a new secret', async () => {
    const { owned, secret, resend } = await sendOnce();

    const again = await resend();
    const page = await follow(service, again, owned.cookie);

    expect(again.headers.location).toBe(`${owned.path}?done=secret_added_before`);
    expect(again.headers).not.toHaveProperty('set-cookie');
    expect(textOf(page.body)).toContain('delete it and add a new one');
    expect(page.body).not.toContain(secret);
    expect(await tryOut(service, owned.clientId, secret)).toBe('works');
    expect(await secretsOf(service, owned.clientId)).toHaveLength(2);
    expect(await eventsOf(service, owned.clientId)).toEqual(['submitted', 'secret_added']);
    expect(await mailTo(service, owned.owner.email)).toHaveLength(1);
  });

  test('does not bring a deleted secret back', async () => {
    const { owned, secret, resend } = await sendOnce();
    await deleteSecret(owned, secret);

    const again = await resend();

    expect(again.headers.location).toBe(`${owned.path}?done=secret_added_before`);
    expect(again.headers).not.toHaveProperty('set-cookie');
    expect(await tryOut(service, owned.clientId, secret)).toBe('401 invalid_client');
    expect(await liveHints(service, owned.clientId)).toEqual([owned.secret.slice(-4)]);
  });
});

describe('a secret that is deleted', () => {
  test('stops working immediately, while the other one goes on (contract §4)', async () => {
    const owned = await openOwned(service);
    const added = await addOnPage(service, owned);

    const answer = await deleteSecret(owned, owned.secret);

    expect(answer.statusCode).toBe(303);
    expect(answer.headers.location).toBe(`${owned.path}?done=secret_deleted`);
    expect(await tryOut(service, owned.clientId, owned.secret)).toBe('401 invalid_client');
    expect(await tryOut(service, owned.clientId, added)).toBe('works');
    const page = await open(String(answer.headers.location), owned);
    expect(page.body).toContain(
      '<div class="notice good" role="status" tabindex="-1" autofocus><p>Secret deleted.',
    );
    expect(page.body).not.toContain(`…${owned.secret.slice(-4)}`);
  });

  test('makes room for a new one', async () => {
    const owned = await openOwned(service);
    await addOnPage(service, owned);
    await deleteSecret(owned, owned.secret);

    const third = await addOnPage(service, owned);

    expect(await tryOut(service, owned.clientId, third)).toBe('works');
    expect(await liveHints(service, owned.clientId)).toHaveLength(2);
  });

  test('is told in the history and by an email, once, however often the form is sent', async () => {
    const owned = await openOwned(service);
    const path = await deletionPath(service, owned, owned.secret);

    const answers = await Promise.all(
      Array.from({ length: 4 }, () => postOwnForm(service, path, {}, owned.cookie)),
    );

    expect(answers.map(({ statusCode }) => statusCode)).toEqual([303, 303, 303, 303]);
    expect(await eventsOf(service, owned.clientId)).toEqual(['submitted', 'secret_deleted']);
    const emails = await mailTo(service, owned.owner.email);
    expect(emails.map(({ subject }) => subject)).toEqual(['A secret of Test app was deleted']);
    expect(emails[0]?.text).toContain(owned.secret.slice(-4));
    expect(emails[0]?.text).toContain(`${service.appUrl}${owned.path}`);
  });

  test('has no page of its own any more: its address leads back to the others', async () => {
    const owned = await openOwned(service);
    const path = await deletionPath(service, owned, owned.secret);
    await deleteSecret(owned, owned.secret);

    const page = await open(path, owned);

    expect(page.statusCode).toBe(303);
    expect(page.headers.location).toBe(`${owned.path}?done=secret_deleted`);
  });

  test('keeps its hash for thirty days, so that its owner can be told what an app still sends', async () => {
    const owned = await openOwned(service);
    await addOnPage(service, owned);
    await deleteSecret(owned, owned.secret);
    const deletedAt = service.clock.now();

    const afterDays = new Date(deletedAt.getTime() + 30 * 86_400_000);
    await deleteBatch(service.database.db, pastLife(clientSecrets.deletedAt, 30)(afterDays));
    const kept = await secretsOf(service, owned.clientId);
    await deleteBatch(
      service.database.db,
      pastLife(clientSecrets.deletedAt, 30)(new Date(afterDays.getTime() + 1)),
    );
    const left = await secretsOf(service, owned.clientId);

    expect(kept).toHaveLength(2);
    expect(left.map(({ hint, deletedAt: gone }) => [hint, gone])).toEqual([
      [(await liveHints(service, owned.clientId))[0], null],
    ]);
  });
});

test('secrets from before a password reset are marked on the page and in the list of apps (contract §2)', async () => {
  const owned = await openOwned(service);
  const mark = 'Created before your password was reset. Replace it.';
  const inList = 'Has a client secret created before your password was reset.';
  service.clock.advance(1);
  const path = await obtainResetPath(service, owned.owner.email);
  const password = 'another password of mine';
  const reset = await postForm(service, path, { password });
  const cookie = await startSession(service, { ...owned.owner, password });
  const signedIn = { ...owned, cookie };
  service.clock.advance(1);
  await addOnPage(service, signedIn);

  const marked = textOf((await open(owned.path, signedIn)).body);
  const list = textOf((await open(developerHome, signedIn)).body);
  await deleteSecret(signedIn, owned.secret);

  expect(reset.statusCode).toBe(303);
  expect(marked.split(mark)).toHaveLength(2);
  expect(list).toContain(inList);
  expect(textOf((await open(owned.path, signedIn)).body)).not.toContain(mark);
  expect(textOf((await open(developerHome, signedIn)).body)).not.toContain(inList);
});

describe('the page that asks before a deletion', () => {
  test('says what happens to an app that still sends the secret, and that it is the only one', async () => {
    const owned = await openOwned(service);

    const page = await open(await deletionPath(service, owned, owned.secret), owned);

    const text = textOf(page.body);
    expect(titleOf(page)).toBe(`Delete secret …${owned.secret.slice(-4)}?`);
    expect(text).toContain('never been used');
    expect(text).toContain('invalid_client');
    expect(text).toContain('This is your app’s only secret.');
    expect(await liveHints(service, owned.clientId)).toHaveLength(1);
  });

  test('does not say so of one of two', async () => {
    const owned = await openOwned(service);
    await addOnPage(service, owned);

    const page = await open(await deletionPath(service, owned, owned.secret), owned);

    expect(page.statusCode).toBe(200);
    expect(textOf(page.body)).not.toContain('This is your app’s only secret.');
  });
});

test('an email tells the owner of a new secret, without the secret', async () => {
  const owned = await openOwned(service);
  const secret = await addOnPage(service, owned);

  const emails = await mailTo(service, owned.owner.email);

  expect(emails.map(({ subject }) => subject)).toEqual(['A secret was added to Test app']);
  expect(emails[0]?.text).toContain(`ends in ${secret.slice(-4)}.`);
  expect(JSON.stringify(emails)).not.toContain(secret);
});

const stranger = await startSession(service, await addUser(service));

/** Nothing was added, deleted, told or written. */
async function expectUntouched({ clientId, owner }: Awaited<ReturnType<typeof openOwned>>): Promise<void> {
  expect(await liveHints(service, clientId)).toHaveLength(1);
  expect(await secretsOf(service, clientId)).toHaveLength(1);
  expect(await eventsOf(service, clientId)).toEqual(['submitted']);
  expect(await mailTo(service, owner.email)).toEqual([]);
}

describe("another person's client", () => {
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
  const owned = await openOwned(service, { type: 'public' });

  const page = await service.app.inject({ url: owned.path, headers: { cookie: owned.cookie } });
  const answer = await postOwnForm(service, owned.path, newForm(), owned.cookie);

  expect([page.statusCode, answer.statusCode]).toEqual([404, 404]);
  expect(await secretsOf(service, owned.clientId)).toEqual([]);
  expect(await eventsOf(service, owned.clientId)).toEqual(['submitted']);
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

async function enter(at: TestService = service): Promise<Visitor> {
  const { email, password } = await addUser(service);
  const visitor = createVisitor(at);
  await visitor.fillIn('/signin', { email, password });
  return visitor;
}

test('a confidential client has a secret that is shown once: on the page after registration (contract §2)', async () => {
  const visitor = await enter();

  const registered = await visitor.fillIn(`${developerHome}/new`, registration);
  const first = await visitor.follow(registered);
  const second = await visitor.follow(registered);

  const secret = secretOn(first.body) ?? '';
  expect(secret).not.toBe('');
  expect(first.body).toMatch(
    /role="status" tabindex="-1" autofocus>\s*<p><strong>Copy your client secret now\./,
  );
  expect(first.body).toContain('You won’t be able to see it again.');
  expect(secretOn(second.body)).toBeUndefined();
  expect(second.body).not.toContain(secret);
  expect(second.body).toContain(`…${secret.slice(-4)}`);
  expect(registered.body + JSON.stringify(registered.headers)).not.toContain(secret);
});

test('only a hash of the secret is stored, and it never reaches the log (contract §2, security C25)', async () => {
  const visitor = await enter();

  const registered = await visitor.fillIn(`${developerHome}/new`, registration);
  const secret = secretOn((await visitor.follow(registered)).body) ?? '';

  const secretHash = createHash('sha256').update(secret).digest('base64url');
  expect(await secretsOf(service, registeredId(registered))).toMatchObject([
    { secretHash, hint: secret.slice(-4) },
  ]);
  expect(JSON.stringify(await readTables(service.database)).includes(secret)).toBe(false);
  expect(service.logText().includes(secret)).toBe(false);
});

test('a public client has none (contract §2)', async () => {
  const visitor = await enter();

  const registered = await visitor.fillIn(`${developerHome}/new`, { ...registration, client_type: 'public' });
  const page = await visitor.follow(registered);

  expect(page.statusCode).toBe(200);
  expect(page.body).not.toContain('lks_');
  expect(page.body).not.toContain('Client secret');
  expect(registered.headers).not.toHaveProperty('set-cookie');
  expect(await secretsOf(service, registeredId(registered))).toEqual([]);
});

describe('the cookie that carries the secret to its page', () => {
  async function carriedBy(at: TestService) {
    const cookie = await startSession(at, await addUser(service));
    const answer = await register(at, cookie);
    const [pair = '', ...attributes] = String(answer.headers['set-cookie']).split('; ');
    return { cookie, pair, attributes, path: String(answer.headers.location) };
  }

  test('is sealed, HttpOnly, SameSite=Strict, and sent to that page alone for five minutes', async () => {
    const { pair, attributes, path } = await carriedBy(service);

    const carried = Buffer.from(pair.split('=')[1] ?? '', 'base64url');
    expect(pair).toMatch(/^latchkey_secret=/);
    expect(attributes.toSorted()).toEqual(['HttpOnly', 'Max-Age=300', `Path=${path}`, 'SameSite=Strict']);
    expect(carried.length).toBeGreaterThan(80);
    expect(carried.toString('latin1')).not.toContain('lks_');
  });

  test('on https is Secure and named so', async () => {
    const secure = await openAnotherInstance(service, { APP_URL: 'https://latchkey.example' });

    const { pair, attributes } = await carriedBy(secure);

    expect(pair).toMatch(/^__Secure-latchkey_secret=/);
    expect(attributes).toContain('Secure');
  });

  test('shows nothing to another user, who finds no page', async () => {
    const { pair, path } = await carriedBy(service);
    const stranger = await startSession(service, await addUser(service));

    const page = await service.app.inject({ url: path, headers: { cookie: `${stranger}; ${pair}` } });

    expect(page.statusCode).toBe(404);
    expect(page.body).not.toContain('lks_');
  });

  test("shows nothing on another client's page", async () => {
    const { cookie, pair } = await carriedBy(service);
    const other = registeredId(await register(service, cookie));

    const page = await service.app.inject({
      url: `${developerHome}/${other}`,
      headers: { cookie: `${cookie}; ${pair}` },
    });

    expect(page.statusCode).toBe(200);
    expect(secretOn(page.body)).toBeUndefined();
  });

  test('shows nothing after its five minutes, even if it was kept', async () => {
    const { cookie, pair, path } = await carriedBy(service);
    service.clock.advance(301);

    const page = await service.app.inject({ url: path, headers: { cookie: `${cookie}; ${pair}` } });

    expect(page.statusCode).toBe(200);
    expect(secretOn(page.body)).toBeUndefined();
  });

  test.each(['', 'x', 'AAAA', 'A'.repeat(200), '%00'])(
    'with the value "%s" is ignored and removed',
    async (value) => {
      const { cookie, path } = await carriedBy(service);

      const page = await service.app.inject({
        url: path,
        headers: { cookie: `${cookie}; latchkey_secret=${value}` },
      });

      expect(page.statusCode).toBe(200);
      expect(secretOn(page.body)).toBeUndefined();
      expect(String(page.headers['set-cookie'])).toContain('latchkey_secret=; Max-Age=0');
    },
  );
});
