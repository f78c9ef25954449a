import { expect, test } from 'vitest';
import { clients } from '../../src/oauth/tables.ts';
import { setClientStatus } from '../support/client-status.ts';
import { textOf } from '../support/page-content.ts';
import { logoPath, logosOf, makePng, uploadLogo } from '../support/pictures.ts';
import {
  eventsOf,
  findClientRow,
  findEditRow,
  mailTo,
  postOwnForm,
  submitClient,
  submitEdit,
} from '../support/registration.ts';
import { sharedService } from '../support/service.ts';
import { addUser } from '../support/world.ts';

const service = await sharedService();
const { db } = service.database;
const admin = await addUser(service, { isAdmin: true });
const [light, dark] = [makePng(64, 64, { shade: 200 }), makePng(64, 64, { shade: 20 })];

/** An accepted client with a live logo, and others of its owner: so many that wait, and one that is accepted too. */
async function submitAmong(waiting: number) {
  const { id, cookie } = await submitClient(service);
  await uploadLogo(service, id, cookie, light);
  await setClientStatus(db, id, 'accepted');
  const row = await findClientRow(service, id);
  if (row === undefined) throw new Error('the client is not there');
  const plain = { ...row, logoId: null, registrationKey: null };
  const pending = Array.from({ length: waiting }, (_, index) => ({
    ...plain,
    id: `${id}-${index}`,
    status: 'pending' as const,
  }));
  const second = { ...plain, id: `${id}-second` };
  await db.insert(clients).values([...pending, second]);
  return { id, cookie, second: second.id, pending: pending.map((client) => client.id) };
}

async function stateOf(id: string) {
  return {
    client: await findClientRow(service, id),
    edit: await findEditRow(service, id),
    logos: (await logosOf(service, id)).map((logo) => logo.id),
    events: await eventsOf(service, id),
    emails: (await mailTo(service, admin.email)).length,
  };
}

test('a logo that would be one thing too many to review is not taken, nor is a removal', async () => {
  const { id, cookie } = await submitAmong(25);
  const before = await stateOf(id);

  const uploaded = await uploadLogo(service, id, cookie, dark);
  const removed = await postOwnForm(service, `${logoPath(id)}/remove`, {}, cookie);

  expect([uploaded.statusCode, removed.statusCode]).toEqual([409, 409]);
  for (const { body } of [uploaded, removed])
    expect(textOf(body)).toContain('Nothing was submitted: you already have 25 apps and changes in review.');
  expect(await stateOf(id)).toEqual(before);
});

test('a logo that waits counts with the rest, and may be replaced at the limit', async () => {
  const { id, cookie, second } = await submitAmong(24);

  const first = await uploadLogo(service, id, cookie, dark);
  const replaced = await uploadLogo(service, id, cookie, makePng(32, 32));
  const edited = await submitEdit(service, second, cookie, { purpose: 'One more' });

  expect([first, replaced, edited].map(({ statusCode }) => statusCode)).toEqual([303, 303, 409]);
  expect((await findEditRow(service, id))?.status).toBe('pending');
  expect(await findEditRow(service, second)).toBeUndefined();
});

test('a client that waits itself takes a logo at the limit: nothing more waits by it', async () => {
  const { cookie, pending } = await submitAmong(25);

  const answer = await uploadLogo(service, pending[0] ?? '', cookie, dark);

  expect(answer.statusCode).toBe(303);
  expect(await logosOf(service, pending[0] ?? '')).toHaveLength(1);
});

test('of logos for two clients at the same time, only the one that there is room for comes to wait', async () => {
  const { id, cookie, second } = await submitAmong(24);

  const answers = await Promise.all(
    [id, second].map((clientId) => uploadLogo(service, clientId, cookie, dark)),
  );

  expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([303, 409]);
  const edits = [await findEditRow(service, id), await findEditRow(service, second)];
  expect(edits.filter((edit) => edit !== undefined)).toHaveLength(1);
});
