import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import type { ReviewStatus } from '../../src/oauth/core/client.ts';
import { clientEdits, clients, logos } from '../../src/oauth/tables.ts';
import { setClientStatus } from '../support/client-status.ts';
import { digestTables } from '../support/database-content.ts';
import { refusingInserts } from '../support/database-faults.ts';
import { faultOf, textOf, typedIn } from '../support/page-content.ts';
import {
  developerHome,
  eventsOf,
  findClientRow,
  findEditRow,
  mailTo,
  newRegistrationKey,
  openEdit,
  registration,
  reviewDecisions,
  submitClient,
  submitEdit,
} from '../support/registration.ts';
import { openAnotherInstance, openTestService } from '../support/service.ts';
import { addUser, createPkce, openAuthorizePage, postForm, startSession } from '../support/world.ts';

const service = await openTestService();
const another = await openAnotherInstance(service);
const { db } = service.database;
const admin = await addUser(service, { isAdmin: true });
const adminCookie = await startSession(service, admin);

/** A client in a status, registered through the form. */
async function submitted(status: ReviewStatus, name = 'Tidy Desk') {
  const client = await submitClient(service, { name });
  await setClientStatus(db, client.id, status);
  const edit = (changes: Readonly<Record<string, string>> = {}) =>
    submitEdit(service, client.id, client.cookie, { name, ...changes });
  const page = (path = '') =>
    service.app.inject({ url: `${developerHome}/${client.id}${path}`, headers: { cookie: client.cookie } });
  return { ...client, edit, page };
}

async function kindsOf(id: string): Promise<readonly string[]> {
  return (await eventsOf(service, id)).map(({ kind }) => kind);
}

/** The subjects of the emails to an admin that mention a name, in the order of the alphabet. */
async function emailsAbout(name: string): Promise<readonly string[]> {
  const emails = await mailTo(service, admin.email);
  return emails
    .map(({ subject }) => subject)
    .filter((subject) => subject.includes(name))
    .toSorted();
}

async function findEmail(subject: string) {
  return (await mailTo(service, admin.email)).find((email) => email.subject === subject);
}

const doneAt = (id: string, done: string): string => `${developerHome}/${id}?done=${done}`;

/** A logo of the client's, past the page that takes one. */
async function addLogo(clientId: string): Promise<string> {
  const id = clientId.toUpperCase();
  const content = new Uint8Array([1]);
  await db.insert(logos).values({ id, clientId, mediaType: 'image/png', content, createdAt: new Date() });
  return id;
}

describe('a pending client', () => {
  test('takes its new values in place, and waits on where it was in the queue (contract §2)', async () => {
    const { id, edit, owner } = await submitted('pending', 'Early Desk');
    const before = await findClientRow(service, id);
    service.clock.advance(60);

    const answer = await edit({ purpose: 'Better words.', redirect_uris: 'https://new.example/cb' });

    expect([answer.statusCode, answer.headers.location]).toEqual([303, doneAt(id, 'changed')]);
    expect(await findClientRow(service, id)).toEqual({
      ...before,
      purpose: 'Better words.',
      redirectUris: ['https://new.example/cb'],
      revision: 2,
    });
    expect(await eventsOf(service, id)).toMatchObject([
      { kind: 'submitted' },
      { kind: 'changed', actorId: owner.id, at: service.clock.now() },
    ]);
    expect(await emailsAbout('Early Desk')).toEqual(['Review requested: Early Desk']);
  });

  test('that is sent as it is stays as it is, and the page says so', async () => {
    const { id, edit } = await submitted('pending');
    const before = await findClientRow(service, id);

    const answer = await edit();

    expect(answer.headers.location).toBe(doneAt(id, 'unchanged'));
    expect(await findClientRow(service, id)).toEqual(before);
    expect(await kindsOf(id)).toEqual(['submitted']);
  });

  test('keeps its type and its owner, whatever is sent (OWASP ASVS 15.3.3)', async () => {
    const { id, edit, owner } = await submitted('pending');

    await edit({ purpose: 'Other', client_type: 'public', status: 'accepted', owner_id: '1', id: 'x' });

    expect(await findClientRow(service, id)).toMatchObject({
      type: 'confidential',
      status: 'pending',
      ownerId: owner.id,
      purpose: 'Other',
    });
  });
});

describe('a rejected client', () => {
  async function rejected(name: string) {
    const client = await submitted('pending', name);
    await reviewDecisions.reject(service, client.id, adminCookie, 'Say more.');
    service.clock.advance(60);
    return client;
  }

  test('that is corrected goes back into review, and the admins hear of it (contract §2)', async () => {
    const { id, edit, page } = await rejected('Late Desk');
    const [shown, form] = [await page(), await page('/edit')];

    const answer = await edit({ purpose: 'Much more.' });

    expect(textOf(shown.body)).toContain('Say more.');
    expect(shown.body).toContain(`href="${developerHome}/${id}/edit">Fix and resubmit</a>`);
    expect(textOf(form.body)).toContain('Say more.');
    expect(answer.headers.location).toBe(doneAt(id, 'resubmitted'));
    expect(await findClientRow(service, id)).toMatchObject({
      status: 'pending',
      purpose: 'Much more.',
      rejectionReason: null,
      reviewedAt: null,
      reviewerId: null,
      submittedAt: service.clock.now(),
      revision: 2,
    });
    expect(await kindsOf(id)).toEqual(['submitted', 'rejected', 'resubmitted']);
    expect(await emailsAbout('Late Desk')).toEqual([
      'Review requested again: Late Desk',
      'Review requested: Late Desk',
    ]);
    const email = await findEmail('Review requested again: Late Desk');
    expect(email?.text).toContain(`${service.appUrl}/settings/admin/oauth/${id}`);
  });

  test('leaves behind an edit that was rejected with it', async () => {
    const { id, edit } = await submitted('accepted', 'Suspended Desk');
    await edit({ purpose: 'Waiting' });
    await setClientStatus(db, id, 'rejected');

    await edit({ purpose: 'Corrected' });

    expect(await findEditRow(service, id)).toBeUndefined();
    expect(await findClientRow(service, id)).toMatchObject({ status: 'pending', purpose: 'Corrected' });
  });
});

describe('an accepted client', () => {
  test('keeps its accepted values live while its edit waits (contract §2)', { tags: 'parts' }, async () => {
    const { id, edit, cookie, owner } = await submitted('accepted', 'Live Desk');
    const before = await findClientRow(service, id);
    const ask = (redirectUri: string) =>
      openAuthorizePage(service, { client_id: id, redirect_uri: redirectUri }, cookie);

    const answer = await edit({
      name: 'Livelier Desk',
      redirect_uris: 'https://new.example/cb',
      website_url: 'https://new.example',
      scopes: 'BOOKING_READ',
    });

    expect([answer.statusCode, answer.headers.location]).toEqual([303, doneAt(id, 'edit_submitted')]);
    expect(await findClientRow(service, id)).toEqual({ ...before, revision: 2 });
    expect(await findEditRow(service, id)).toEqual({
      clientId: id,
      name: 'Livelier Desk',
      purpose: registration['purpose'],
      redirectUris: ['https://new.example/cb'],
      websiteUrl: 'https://new.example',
      scopes: ['BOOKING_READ'],
      postLogoutRedirectUris: [],
      requiresPkce: false,
      logoId: null,
      status: 'pending',
      rejectionReason: null,
      submittedAt: service.clock.now(),
    });
    expect((await eventsOf(service, id)).at(-1)).toMatchObject({ kind: 'edit_submitted', actorId: owner.id });
    expect([
      (await ask('https://desk.example/callback')).statusCode,
      (await ask('https://new.example/cb')).statusCode,
    ]).toEqual([200, 400]);
    const email = await findEmail('Changes to review: Live Desk');
    expect(email?.text).toContain('Changed: Name, Website, Redirect URIs, Scopes');
    expect(email?.text).toContain(`${service.appUrl}/settings/admin/oauth/${id}`);
  });

  test('requires PKCE of itself once a reviewer has approved it, and no longer once that is undone (contract §2, §3)', async () => {
    const { id, edit, cookie, page } = await submitted('accepted', 'Strict Desk');
    const ask = async () => {
      const request = { client_id: id, redirect_uri: 'https://desk.example/callback' };
      const answers = [
        await openAuthorizePage(service, request, cookie),
        await openAuthorizePage(service, { ...request, code_challenge: createPkce().challenge }, cookie),
      ];
      return answers.map(({ statusCode, headers }) => [
        statusCode,
        new URL(headers.location ?? 'none:').searchParams.get('error_description'),
      ]);
    };
    const either = [
      [200, null],
      [200, null],
    ];

    await edit({ requires_pkce: 'yes' });
    const whileWaiting = await ask();
    const form = (await page('/edit')).body;
    await reviewDecisions.accept(service, id, adminCookie);
    const required = await ask();
    await edit();
    await reviewDecisions.accept(service, id, adminCookie);

    expect(whileWaiting).toEqual(either);
    expect(form).toMatch(/name="requires_pkce"[^>]* checked/);
    expect(required).toEqual([
      [303, 'code_challenge_required'],
      [200, null],
    ]);
    expect(await ask()).toEqual(either);
    expect(await kindsOf(id)).toEqual([
      ...['submitted', 'edit_submitted', 'edit_accepted', 'edit_submitted', 'edit_accepted'],
    ]);
  });

  test('edited again replaces the edit that waits; the admins are not told twice', async () => {
    const { id, edit, page } = await submitted('accepted', 'Twice Desk');
    await edit({ purpose: 'First' });
    const form = await page('/edit');

    await edit({ purpose: 'Second' });

    expect(typedIn(form, 'purpose')).toBe('First');
    expect(await findEditRow(service, id)).toMatchObject({ purpose: 'Second', status: 'pending' });
    expect(await findClientRow(service, id)).toMatchObject({ revision: 3, purpose: registration['purpose'] });
    expect(await emailsAbout('Twice Desk')).toEqual([
      'Changes to review: Twice Desk',
      'Review requested: Twice Desk',
    ]);
  });

  test('edited again to the same changes nothing', { tags: 'parts' }, async () => {
    const { id, edit } = await submitted('accepted');
    await edit({ purpose: 'First', scopes: 'BOOKING_READ' });
    const before = [await findClientRow(service, id), await findEditRow(service, id)];

    const answer = await edit({ purpose: 'First', scopes: 'BOOKING_READ' });

    expect(answer.headers.location).toBe(doneAt(id, 'unchanged'));
    expect([await findClientRow(service, id), await findEditRow(service, id)]).toEqual(before);
  });

  test('edited back to what is live withdraws the edit, and the page says so', async () => {
    const { id, edit, page } = await submitted('accepted');
    await edit({ purpose: 'First' });

    const answer = await edit();
    const shown = await page('?done=edit_withdrawn');

    expect(answer.headers.location).toBe(doneAt(id, 'edit_withdrawn'));
    expect(await findEditRow(service, id)).toBeUndefined();
    expect(await kindsOf(id)).toEqual(['submitted', 'edit_submitted', 'edit_withdrawn']);
    expect(await findClientRow(service, id)).toMatchObject({ revision: 3 });
    expect(textOf(shown.body)).toContain('Changes withdrawn.');
  });

  test('whose edit was rejected shows the reason, begins the form with it, and takes it again', async () => {
    const { id, edit, page } = await submitted('accepted', 'Refused Desk');
    await edit({ purpose: 'First' });
    const rejection = { status: 'rejected', rejectionReason: 'Too vague.' } as const;
    await db.update(clientEdits).set(rejection).where(eq(clientEdits.clientId, id));
    const [shown, form] = [await page(), await page('/edit')];

    const answer = await edit({ purpose: 'First' });

    expect(textOf(shown.body)).toContain('Too vague.');
    expect(shown.body).toContain('Changes rejected</span>');
    expect(typedIn(form, 'purpose')).toBe('First');
    expect(answer.headers.location).toBe(doneAt(id, 'edit_submitted'));
    expect(await findEditRow(service, id)).toMatchObject({ status: 'pending', rejectionReason: null });
    expect(await emailsAbout('Refused Desk')).toHaveLength(3);
  });

  test('never loses a logo by an edit: the live one goes along, and so does one that waits', async () => {
    const { id, edit, page } = await submitted('accepted');
    const live = await addLogo(id);
    await db.update(clients).set({ logoId: live }).where(eq(clients.id, id));

    await edit({ purpose: 'First' });
    const first = await findEditRow(service, id);
    await db.update(clientEdits).set({ logoId: null }).where(eq(clientEdits.clientId, id));
    await edit();
    const second = await findEditRow(service, id);
    const shown = await page();

    expect(first).toMatchObject({ purpose: 'First', logoId: live });
    expect(second).toMatchObject({ purpose: registration['purpose'], logoId: null, status: 'pending' });
    expect([...shown.body.matchAll(/<th scope="row">(.*?)</g)].map(([, field]) => field)).toEqual(['Logo']);
    expect(shown.body).toContain(`src="/logos/${live}" alt="Current logo"`);
  });
});

describe('withdrawing', () => {
  const withdraw = async (id: string, cookie: string, form?: { form_token: string; version: string }) =>
    postForm(
      service,
      `${developerHome}/${id}/edit/withdraw`,
      { ...(form ?? (await openEdit(service, id, cookie))) },
      cookie,
    );

  test('ends an edit; a second time it finds nothing, and says so', async () => {
    const { id, edit, cookie } = await submitted('accepted');
    await edit({ purpose: 'First' });
    const form = await openEdit(service, id, cookie);

    const answers = [await withdraw(id, cookie, form), await withdraw(id, cookie, form)];

    expect(answers.map(({ headers }) => headers.location)).toEqual([
      doneAt(id, 'edit_withdrawn'),
      doneAt(id, 'nothing_to_withdraw'),
    ]);
    expect(await findEditRow(service, id)).toBeUndefined();
    expect(await findClientRow(service, id)).toMatchObject({ revision: 3, status: 'accepted' });
    expect(await kindsOf(id)).toEqual(['submitted', 'edit_submitted', 'edit_withdrawn']);
  });

  test('leaves an edit alone that was submitted since the page was opened', async () => {
    const { id, edit, cookie } = await submitted('accepted');
    await edit({ purpose: 'First' });
    const form = await openEdit(service, id, cookie);
    await edit({ purpose: 'Second' });

    const answer = await withdraw(id, cookie, form);

    expect(answer.headers.location).toBe(doneAt(id, 'outdated'));
    expect(await findEditRow(service, id)).toMatchObject({ purpose: 'Second' });
  });
});

describe('a form that was opened before something happened', () => {
  const typed = { ...registration, access: 'chosen', name: 'Kept <Name>', scopes: 'BOOKING_READ' };

  test.each([
    [
      'another tab changed the client',
      async (id: string, cookie: string) => submitEdit(service, id, cookie, { purpose: 'Meanwhile' }),
    ],
    ['a reviewer accepted it', async (id: string) => reviewDecisions.accept(service, id, adminCookie)],
    ['a reviewer rejected it', async (id: string) => reviewDecisions.reject(service, id, adminCookie)],
  ] as const)(
    'because %s is refused once, keeps what was typed, and can be sent again',
    { tags: 'parts' },
    async (_name, happen) => {
      const { id, cookie } = await submitted('pending');
      const form = await openEdit(service, id, cookie);
      await happen(id, cookie);
      const before = await digestTables(service.database);

      const refused = await postForm(service, `${developerHome}/${id}/edit`, { ...typed, ...form }, cookie);
      const after = await digestTables(service.database);
      const again = await submitEdit(service, id, cookie, { name: 'Kept Name' });

      expect(refused.statusCode).toBe(409);
      expect(textOf(refused.body)).toContain('The app has changed since you opened this form');
      expect(typedIn(refused, 'name')).toBe('Kept <Name>');
      expect(typedIn(refused, 'redirect_uris')).toBe(registration['redirect_uris']);
      expect(refused.body).toMatch(/value="BOOKING_READ" checked/);
      expect(after).toEqual(before);
      expect(again.statusCode).toBe(303);
    },
  );

  test.each(['', 'x', '1-pending', '1-pending-none\0', '9'.repeat(200)])(
    'with the version %j is one that knows nothing of the client: 409',
    async (version) => {
      const { id, edit } = await submitted('pending');

      const answer = await edit({ purpose: 'Other', version });

      expect(answer.statusCode).toBe(409);
      expect(await findClientRow(service, id)).toMatchObject({
        purpose: registration['purpose'],
        revision: 1,
      });
    },
  );
});

test('a form with faults is shown again as it was typed, every fault beside its field, and nothing is stored', async () => {
  const { id, edit } = await submitted('accepted');
  const before = await digestTables(service.database);

  const answer = await edit({
    name: '',
    purpose: '</textarea>kept',
    website_url: 'nowhere',
    redirect_uris: 'com.example.app:/x\n\nhttp://desk.example/',
  });

  expect(answer.statusCode).toBe(400);
  expect(faultOf(answer, 'name')).toBe('Enter a name.');
  expect(faultOf(answer, 'website_url')).toBe('Enter a web address such as https://app.example.');
  expect(['redirect_uris', 'redirect_uris_2'].map((row) => faultOf(answer, row))).toEqual([
    'com.example.app:/x can’t use a private-use scheme: only public apps can.',
    'http://desk.example/ can use http only on localhost, 127.0.0.1 or [::1]. Use https.',
  ]);
  expect(typedIn(answer, 'purpose')).toBe('</textarea>kept');
  expect(await findEditRow(service, id)).toBeUndefined();
  expect(await digestTables(service.database)).toEqual(before);
});

test('when the email cannot be kept, the edit is not submitted (architecture §3)', async () => {
  const { edit } = await submitted('accepted');
  const before = await digestTables(service.database);

  const answer = await refusingInserts(service.database, 'outbox', () => edit({ purpose: 'Other' }));

  expect(answer.statusCode).toBe(500);
  expect(await digestTables(service.database)).toEqual(before);
});

describe('at the limit of what may wait', async () => {
  const { id, cookie, owner, edit } = await submitted('accepted', 'Modest Desk');
  const row = await findClientRow(service, id);
  if (row === undefined) throw new Error('the client is not there');
  const waiting = Array.from({ length: 25 }, (_, index) => ({
    ...row,
    id: `${index}`,
    registrationKey: null,
    status: 'pending' as const,
  }));
  await db.insert(clients).values(waiting);

  test('an edit is not taken, and what was typed is kept', async () => {
    const answer = await edit({ purpose: 'One more' });

    expect(answer.statusCode).toBe(409);
    expect(typedIn(answer, 'purpose')).toBe('One more');
    expect(await findEditRow(service, id)).toBeUndefined();
  });

  test('edits count, and one that waits already may be changed', async () => {
    await db.delete(clients).where(eq(clients.id, '0'));
    const first = await edit({ purpose: 'One more' });
    const again = await edit({ purpose: 'The same place' });
    const refused = await postForm(
      service,
      `${developerHome}/new`,
      { ...registration, ...(await openEdit(service, id, cookie)), registration_key: newRegistrationKey() },
      cookie,
    );

    expect([first.statusCode, again.statusCode, refused.statusCode]).toEqual([303, 303, 409]);
    expect(typedIn(refused, 'purpose')).toBe(registration['purpose']);
    expect(await db.$count(clients, eq(clients.ownerId, owner.id))).toBe(25);
  });
});

describe("another user's client", async () => {
  const { id, edit } = await submitted('accepted', 'Private Desk');
  await edit({ purpose: 'Secret plans' });
  const stranger = await startSession(service, await addUser(service));
  const form = { ...(await openEdit(service, (await submitted('pending')).id, stranger)), ...registration };

  test.each(['', '/edit', '/delete'])('has no page at %j for a stranger or an admin: 404', async (path) => {
    for (const cookie of [stranger, adminCookie]) {
      const page = await service.app.inject({ url: `${developerHome}/${id}${path}`, headers: { cookie } });

      expect(page.statusCode).toBe(404);
      expect(page.body).not.toContain('Private Desk');
    }
  });

  test.each([
    ['/edit', 404],
    ['/edit/withdraw', 404],
    ['/delete', 303],
  ] as const)('is not changed by a form sent to %s', async (path, status) => {
    const token = (await service.app.inject({ url: developerHome, headers: { cookie: stranger } })).body;
    const [, formToken = ''] = /name="form_token" value="([^"]*)"/.exec(token) ?? [];
    const before = await digestTables(service.database);

    const answer = await postForm(
      service,
      `${developerHome}/${id}${path}`,
      { ...form, form_token: formToken, name: 'Private Desk', version: '2-accepted-pending' },
      stranger,
    );

    expect(answer.statusCode).toBe(status);
    expect(await digestTables(service.database)).toEqual(before);
  });
});

test.each([1, 2])(
  'two tabs that send at the same time: one is taken, the other one told, round %i',
  async () => {
    const { id, cookie } = await submitted('accepted', 'Contested Desk');
    const form = await openEdit(service, id, cookie);
    const send = (at: typeof service, purpose: string) =>
      postForm(at, `${developerHome}/${id}/edit`, { ...registration, ...form, purpose }, cookie);

    const answers = await Promise.all([send(service, 'One'), send(another, 'Other')]);

    const winner = answers[0].statusCode === 303 ? 'One' : 'Other';
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([303, 409]);
    expect(await findEditRow(service, id)).toMatchObject({ purpose: winner });
    expect(await findClientRow(service, id)).toMatchObject({ revision: 2 });
  },
);
