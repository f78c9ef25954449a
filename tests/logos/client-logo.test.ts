import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { unusedLogos } from '../../src/oauth/clients/logo-files/store.ts';
import { clientEdits, clients } from '../../src/oauth/tables.ts';
import { deleteBatch } from '../../src/platform/retention/store.ts';
import { setClientStatus } from '../support/client-status.ts';
import { textOf } from '../support/page-content.ts';
import { logoPath, logosOf, makePng, uploadLogo } from '../support/pictures.ts';
import { findClientRow, mailTo, postOwnForm, submitClient } from '../support/registration.ts';
import { eventsOf } from '../support/secrets.ts';
import { sharedService } from '../support/service.ts';
import { addUser } from '../support/world.ts';

const service = await sharedService();
const { db } = service.database;
const admin = await addUser(service, { isAdmin: true });
const [light, dark] = [makePng(64, 64, { shade: 200 }), makePng(64, 64, { shade: 20 })];

type Submitted = Awaited<ReturnType<typeof submitClient>>;

async function submit(status: 'pending' | 'accepted' | 'rejected'): Promise<Submitted> {
  const submitted = await submitClient(service);
  await setClientStatus(db, submitted.id, status);
  return submitted;
}

/** An accepted client with a live logo. */
async function submitWithLogo(): Promise<Submitted & { readonly live: string }> {
  const submitted = await submit('pending');
  await uploadLogo(service, submitted.id, submitted.cookie, light);
  await setClientStatus(db, submitted.id, 'accepted');
  return { ...submitted, live: (await stateOf(submitted)).logoId ?? 'none' };
}

async function stateOf({ id }: Submitted) {
  const [edit] = await db.select().from(clientEdits).where(eq(clientEdits.clientId, id));
  const row = await findClientRow(service, id);
  return { logoId: row?.logoId, revision: row?.revision, status: row?.status, edit };
}

async function upload({ id, cookie }: Submitted, file: Buffer) {
  const answer = await uploadLogo(service, id, cookie, file);
  expect(answer.statusCode).toBe(303);
  const { pathname, search } = new URL(String(answer.headers.location), service.appUrl);
  expect(pathname).toBe(logoPath(id));
  return search;
}

async function remove({ id, cookie }: Submitted) {
  const answer = await postOwnForm(service, `${logoPath(id)}/remove`, {}, cookie);
  expect(answer.statusCode).toBe(303);
  const { pathname, search } = new URL(String(answer.headers.location), service.appUrl);
  expect(pathname).toBe(logoPath(id));
  return search;
}

async function open({ id, cookie }: Submitted, done = ''): Promise<string> {
  return (await service.app.inject({ url: `${logoPath(id)}${done}`, headers: { cookie } })).body;
}

/** The emails to the admin about one client's logo. */
async function emailsAbout({ id }: Submitted) {
  const emails = await mailTo(service, admin.email);
  return emails.filter(({ text }) => text.includes(id) && text.includes('Logo'));
}

async function idsOf({ id }: Submitted): Promise<string[]> {
  return (await logosOf(service, id)).map((logo) => logo.id);
}

test.each([
  ['pending', 'Changes saved.'],
  ['accepted', 'Changes submitted for review.'],
  ['rejected', 'Saved. It will be reviewed'],
] as const)('what became of the new logo of a client that is %s is said: %s', async (status, words) => {
  const submitted = await submit(status);

  const done = await upload(submitted, light);

  expect(await open(submitted, done)).toContain(
    `<div class="notice good" role="status" tabindex="-1" autofocus><p>${words}`,
  );
  expect(await open(submitted)).not.toContain('role="status"');
});

describe("a pending client's logo (contract §2)", () => {
  test('is its logo immediately, and the reviewer has to look again', async () => {
    const submitted = await submit('pending');

    await upload(submitted, light);

    const state = await stateOf(submitted);
    expect(await idsOf(submitted)).toEqual([state.logoId]);
    expect(state.logoId).toMatch(/^[0-9a-f]{32}$/);
    expect(state).toMatchObject({ revision: 2, status: 'pending', edit: undefined });
    expect(await eventsOf(service, submitted.id)).toEqual(['submitted', 'changed']);
    expect(await emailsAbout(submitted)).toEqual([]);
    expect(await open(submitted)).toContain(`src="/logos/${state.logoId}"`);
  });

  test('is replaced by the next, and the former is gone', async () => {
    const submitted = await submit('pending');
    await upload(submitted, light);
    const { logoId: former } = await stateOf(submitted);

    await upload(submitted, dark);

    const { logoId } = await stateOf(submitted);
    expect(logoId).not.toBe(former);
    expect(await idsOf(submitted)).toEqual([logoId]);
    expect((await service.app.inject(`/logos/${former}`)).statusCode).toBe(404);
  });

  test('is removed, and is gone', async () => {
    const submitted = await submit('pending');
    await upload(submitted, light);

    await remove(submitted);

    expect(await stateOf(submitted)).toMatchObject({ logoId: null, revision: 3 });
    expect(await idsOf(submitted)).toEqual([]);
    expect(await open(submitted)).toContain('Your app has no logo.');
  });
});

test("a rejected client's logo is kept for its resubmission, and submits nothing (contract §2)", async () => {
  const submitted = await submit('rejected');

  const done = await upload(submitted, light);

  const state = await stateOf(submitted);
  expect(done).toBe('?done=kept');
  expect(await idsOf(submitted)).toEqual([state.logoId]);
  expect(state).toMatchObject({ revision: 1, status: 'rejected', edit: undefined });
  expect(await eventsOf(service, submitted.id)).toEqual(['submitted']);
  expect(await emailsAbout(submitted)).toEqual([]);
  const page = await open(submitted);
  expect(page).toContain(`href="/settings/developer/oauth/${submitted.id}/edit">fix and resubmit the app`);
});

test('a rejected client keeps its logo itself, whatever edit it has left from better days', async () => {
  const submitted = await submit('rejected');
  await addEdit(submitted, { status: 'rejected' });

  await upload(submitted, light);

  const { logoId, edit } = await stateOf(submitted);
  expect(await idsOf(submitted)).toEqual([logoId]);
  expect(edit?.logoId).toBeNull();
  const page = await open(submitted);
  expect(page).toContain(`src="/logos/${logoId}"`);
  expect(page).toContain('Remove logo');
  expect(page).not.toContain('part of an edit');
});

describe("an accepted client's new logo (contract §2)", () => {
  test('waits for its review while the accepted one stays live', async () => {
    const submitted = await submitWithLogo();

    await upload(submitted, dark);

    const { logoId, revision, edit } = await stateOf(submitted);
    expect(logoId).toBe(submitted.live);
    expect(revision).toBe(3);
    expect(edit).toMatchObject({
      status: 'pending',
      rejectionReason: null,
      submittedAt: service.clock.now(),
    });
    expect(new Set(await idsOf(submitted))).toEqual(new Set([submitted.live, edit?.logoId]));
    expect(await eventsOf(service, submitted.id)).toEqual(['submitted', 'changed', 'edit_submitted']);
    const page = await open(submitted);
    expect(page).toContain(`src="/logos/${submitted.live}"`);
    expect(page).toContain(`src="/logos/${edit?.logoId}"`);
    expect(textOf(page)).toContain('Your new logo is in review.');
  });

  test('comes with a copy of the live values, and with an email to the admins', async () => {
    const submitted = await submit('accepted');
    const row = await findClientRow(service, submitted.id);

    await upload(submitted, dark);

    const { edit } = await stateOf(submitted);
    const { name, purpose, redirectUris, websiteUrl, scopes } = row ?? {};
    expect(edit).toMatchObject({ name, purpose, redirectUris, websiteUrl, scopes });
    const emails = await emailsAbout(submitted);
    expect(emails.map(({ subject }) => subject)).toEqual([`Changes to review: ${name}`]);
    expect(emails[0]?.text).toContain(`${service.appUrl}/settings/admin/oauth/${submitted.id}`);
  });

  test('joins an edit that waits already, whose values it leaves alone; the admins know of it', async () => {
    const submitted = await submit('accepted');
    await addEdit(submitted, { name: 'Tidier Desk', status: 'pending' });

    await upload(submitted, dark);

    const { edit, revision } = await stateOf(submitted);
    expect(edit).toMatchObject({ name: 'Tidier Desk', status: 'pending' });
    expect(await idsOf(submitted)).toEqual([edit?.logoId]);
    expect(revision).toBe(2);
    expect(await emailsAbout(submitted)).toEqual([]);
  });

  test('is kept with an edit that was rejected, and submits nothing', async () => {
    const submitted = await submit('accepted');
    await addEdit(submitted, { name: 'Shouting Desk', status: 'rejected', rejectionReason: 'Too loud' });

    await upload(submitted, dark);

    const { edit, logoId, revision } = await stateOf(submitted);
    expect(edit).toMatchObject({ name: 'Shouting Desk', status: 'rejected', rejectionReason: 'Too loud' });
    expect(await idsOf(submitted)).toEqual([edit?.logoId]);
    expect(logoId).toBeNull();
    expect(revision).toBe(1);
    expect(await eventsOf(service, submitted.id)).toEqual(['submitted']);
    expect(await emailsAbout(submitted)).toEqual([]);
    expect(textOf(await open(submitted))).toContain('is part of rejected changes.');
  });

  test('that is the accepted one again leaves nothing to review: the edit is withdrawn', async () => {
    const submitted = await submitWithLogo();
    await upload(submitted, dark);

    await upload(submitted, light);

    expect(await stateOf(submitted)).toMatchObject({ logoId: submitted.live, edit: undefined, revision: 4 });
    expect(await idsOf(submitted)).toEqual([submitted.live]);
    expect((await eventsOf(service, submitted.id)).at(-1)).toBe('edit_withdrawn');
  });

  test('or none: the removal waits for review too', async () => {
    const submitted = await submitWithLogo();

    await remove(submitted);

    const { edit, logoId } = await stateOf(submitted);
    expect(logoId).toBe(submitted.live);
    expect(edit).toMatchObject({ logoId: null, status: 'pending' });
    expect(await idsOf(submitted)).toEqual([submitted.live]);
    expect(await emailsAbout(submitted)).toHaveLength(1);
    expect(textOf(await open(submitted))).toContain('The removal of your logo is in review.');
  });
});

async function addEdit({ id }: Submitted, changes: Partial<typeof clientEdits.$inferInsert>): Promise<void> {
  const values = { name: 'Desk', purpose: 'It keeps desks tidy.', redirectUris: ['https://desk.example/cb'] };
  await db.insert(clientEdits).values({ ...values, clientId: id, submittedAt: new Date(0), ...changes });
}

test.each(['pending', 'accepted', 'rejected'] as const)(
  'the same picture twice, and none twice, changes a %s client once',
  async (status) => {
    const submitted = await submit(status);
    await upload(submitted, light);
    const [afterUpload, events] = [await stateOf(submitted), await eventsOf(service, submitted.id)];

    await upload(submitted, light);
    expect(await stateOf(submitted)).toEqual(afterUpload);
    expect(await eventsOf(service, submitted.id)).toEqual(events);
    await remove(submitted);
    const afterRemoval = await stateOf(submitted);
    await remove(submitted);

    expect(await stateOf(submitted)).toEqual(afterRemoval);
    expect(await idsOf(submitted)).toEqual([]);
    expect(await emailsAbout(submitted)).toHaveLength(status === 'accepted' ? 1 : 0);
  },
);

test('two uploads at the same time leave one logo, and no other', async () => {
  const submitted = await submit('pending');

  const answers = await Promise.all(
    [10, 20, 30, 40].map((shade) =>
      uploadLogo(service, submitted.id, submitted.cookie, makePng(64, 64, { shade })),
    ),
  );

  expect(answers.map(({ statusCode }) => statusCode)).toEqual([303, 303, 303, 303]);
  const { logoId, revision } = await stateOf(submitted);
  expect(await idsOf(submitted)).toEqual([logoId]);
  expect(revision).toBe(5);
});

test('cleanup deletes what a review left behind, and nothing that is in use', async () => {
  const submitted = await submitWithLogo();
  await upload(submitted, dark);
  const { edit } = await stateOf(submitted);
  const other = await submitWithLogo();
  await deleteBatch(db, unusedLogos({ db }));
  expect(await idsOf(submitted)).toHaveLength(2);

  await db
    .update(clients)
    .set({ logoId: edit?.logoId ?? null })
    .where(eq(clients.id, submitted.id));
  await db.delete(clientEdits).where(eq(clientEdits.clientId, submitted.id));
  await deleteBatch(db, unusedLogos({ db }));

  expect(await idsOf(submitted)).toEqual([edit?.logoId]);
  expect(await idsOf(other)).toEqual([other.live]);
});
