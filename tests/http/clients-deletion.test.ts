import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { createCleanup } from '../../src/cleanup.ts';
import { clients } from '../../src/oauth/tables.ts';
import { digestTables, readTables } from '../support/database-content.ts';
import { refusingInserts } from '../support/database-faults.ts';
import { faultOf, textOf, typedIn } from '../support/page-content.ts';
import { developerHome, findClientRow, mailTo, postOwnForm, submitClient } from '../support/registration.ts';
import { rememberConsent } from '../support/review.ts';
import { openTestService } from '../support/service.ts';
import { issueCode, issueTokens, refusalOf } from '../support/tokens.ts';
import {
  addClient,
  addUser,
  callMe,
  connect,
  openAuthorizePage,
  refresh,
  requestToken,
  startSession,
} from '../support/world.ts';

const service = await openTestService();
const { db } = service.database;

/** An accepted client with an owner who is signed in. */
async function addOwned(name = 'Tidy Desk') {
  const client = await addClient(service, { name });
  const owner = await addUser(service);
  await db.update(clients).set({ ownerId: owner.id }).where(eq(clients.id, client.id));
  const cookie = await startSession(service, owner);
  const path = `${developerHome}/${client.id}/delete`;
  const open = () => service.app.inject({ url: path, headers: { cookie } });
  const remove = (typed: string) => postOwnForm(service, path, { name: typed }, cookie);
  return { client, owner, cookie, path, open, remove };
}

test('the page says whom it concerns, and asks for the name', async () => {
  const { client, open } = await addOwned();
  const people = [
    await startSession(service, await addUser(service)),
    await startSession(service, await addUser(service)),
  ] as const;
  const before = await open();
  await connect(service, client, people[0]);
  const one = await open();
  await connect(service, client, people[0]);
  await connect(service, client, people[1]);
  await issueCode(service, client);

  const page = await open();

  expect(textOf(before.body)).toContain('No users lose the connection to it.');
  expect(textOf(one.body)).toContain('1 user loses the connection to it.');
  expect(page.statusCode).toBe(200);
  expect(textOf(page.body)).toContain('2 users lose the connection to it.');
  expect(textOf(page.body)).toContain('To confirm, enter Tidy Desk');
  expect(textOf(page.body)).toContain('never used again');
});

test('a deleted client is gone with everything of it, and its tokens die immediately (contract §2)', async () => {
  const { client, owner, cookie, remove } = await addOwned('Doomed Desk');
  const tokens = await issueTokens(service, client);
  const code = await issueCode(service, client);

  const answer = await remove('Doomed Desk');

  const page = await service.app.inject({ url: `${developerHome}/${client.id}`, headers: { cookie } });
  const list = await service.app.inject({ url: String(answer.headers.location), headers: { cookie } });
  const request = { client_id: client.id, redirect_uri: client.redirectUri };
  const { outbox, audit_events: _recorded, ...tables } = await readAfterCleanup();
  expect([answer.statusCode, answer.headers.location]).toEqual([303, `${developerHome}?done=deleted`]);
  expect(textOf(list.body)).toContain('App deleted.');
  expect(page.statusCode).toBe(404);
  expect((await callMe(service, tokens.access_token)).statusCode).toBe(401);
  expect(refusalOf(await refresh(service, client, tokens.refresh_token))).toEqual([
    401,
    'invalid_client',
    'client_not_found',
  ]);
  expect(refusalOf(await requestToken(service, code))).toEqual([401, 'invalid_client', 'client_not_found']);
  expect((await openAuthorizePage(service, request, cookie)).statusCode).toBe(400);
  expect(JSON.stringify(tables)).not.toContain(client.id);
  expect(outbox).toBeDefined();
  expect(await mailTo(service, owner.email)).toMatchObject([{ subject: 'Doomed Desk was deleted' }]);
});

test('its grants and consents are deleted afterwards, in statements of their own (architecture §2, security C77)', async () => {
  const { client, remove } = await addOwned();
  await issueTokens(service, client);
  await rememberConsent(service, client.id, (await addUser(service)).id);
  const another = await addClient(service);
  await issueTokens(service, another);
  service.takeStatements();

  await remove('Tidy Desk');
  const statements = service.takeStatements().filter((text) => /"(grants|remembered_consents)"/.test(text));
  const left = await readAfterCleanup();

  expect(statements.filter((text) => !text.startsWith('select'))).toEqual([]);
  expect(JSON.stringify([left['grants'], left['remembered_consents']])).not.toContain(client.id);
  expect(JSON.stringify(left['grants'])).toContain(another.id);
});

/** Twice: a walk begins anywhere. */
async function readAfterCleanup() {
  const cleanup = createCleanup(service.app);
  await cleanup.run();
  await cleanup.run();
  return readTables(service.database);
}

test('a second submit leads to the list, says that there was nothing to delete, and sends no second email', async () => {
  const { owner, cookie, remove } = await addOwned();
  await remove('Tidy Desk');
  const before = await digestTables(service.database);

  const answer = await remove('Tidy Desk');
  const list = await service.app.inject({ url: String(answer.headers.location), headers: { cookie } });

  expect(answer.statusCode).toBe(303);
  expect(textOf(list.body)).toContain('There was nothing to delete');
  expect(await digestTables(service.database)).toEqual(before);
  expect(await mailTo(service, owner.email)).toHaveLength(1);
});

test('two submits at the same time delete once, and send one letter', async () => {
  const { owner, remove } = await addOwned();

  const answers = await Promise.all([remove('Tidy Desk'), remove('Tidy Desk'), remove('Tidy Desk')]);

  expect(answers.map(({ headers }) => headers.location).toSorted()).toEqual([
    `${developerHome}?done=deleted`,
    `${developerHome}?done=nothing_to_delete`,
    `${developerHome}?done=nothing_to_delete`,
  ]);
  expect(await mailTo(service, owner.email)).toHaveLength(1);
});

describe('the name that is typed', () => {
  test.each([
    ['nothing', ''],
    ['another name', 'Tidy'],
    ['other letters', 'tidy desk'],
    ['NUL', 'Tidy Desk\0'],
    ['its markup', '<b>Tidy Desk</b>'],
    ['too much', 'x'.repeat(5000)],
  ])('is not the name: %s is a 400, and nothing is deleted', async (_name, typed) => {
    const { client, remove } = await addOwned();
    const before = await digestTables(service.database);

    const answer = await remove(typed);

    expect(answer.statusCode).toBe(400);
    expect(faultOf(answer, 'name')).toContain('This isn’t the app’s name.');
    expect(typedIn(answer, 'name')).toBe(typed);
    expect(await findClientRow(service, client.id)).toBeDefined();
    expect(await digestTables(service.database)).toEqual(before);
  });

  test.each([
    ['blanks around it', 'Tidy Desk', ' Tidy  Desk '],
    ['marks that no keyboard writes', 'Ti\u200bdy\u202e Desk\u2066', 'Tidy Desk'],
    ['letters put together in another way', 'Cafe\u0301', 'Caf\u00e9'],
    ['markup', '<b>Desk</b>', '<b>Desk</b>'],
  ])('is the name with %s', async (_name, name, typed) => {
    const { client, remove } = await addOwned(name);

    const answer = await remove(typed);

    expect(answer.statusCode).toBe(303);
    expect(await findClientRow(service, client.id)).toBeUndefined();
  });
});

test('a pending client may be deleted, and no longer waits for anybody', async () => {
  const { id, cookie } = await submitClient(service);

  const answer = await postOwnForm(service, `${developerHome}/${id}/delete`, { name: 'Tidy Desk' }, cookie);

  expect(answer.headers.location).toBe(`${developerHome}?done=deleted`);
  expect(await findClientRow(service, id)).toBeUndefined();
});

test('when the email cannot be kept, nothing is deleted (architecture §3)', async () => {
  const { client, remove } = await addOwned();
  const before = await digestTables(service.database);

  const answer = await refusingInserts(service.database, 'outbox', () => remove('Tidy Desk'));

  expect(answer.statusCode).toBe(500);
  expect(await findClientRow(service, client.id)).toBeDefined();
  expect(await digestTables(service.database)).toEqual(before);
});

test('without a session nothing is deleted, and the way leads to the sign-in page', async () => {
  const { client, path } = await addOwned();

  const page = await service.app.inject(path);
  const answer = await service.app.inject({
    method: 'POST',
    url: path,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: 'name=Tidy+Desk',
  });

  expect([page.statusCode, answer.statusCode]).toEqual([303, 303]);
  expect(page.headers.location).toBe(`/signin?return_to=${encodeURIComponent(path)}`);
  expect(await findClientRow(service, client.id)).toBeDefined();
});
