import { like } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { counted } from '../../src/platform/limits/store.ts';
import { outbox } from '../../src/platform/mail/tables.ts';
import { setClientStatus } from '../support/client-status.ts';
import { digestTables } from '../support/database-content.ts';
import { useUp } from '../support/guesser.ts';
import { textOf } from '../support/page-content.ts';
import {
  clientsOf,
  developerHome,
  findEditRow,
  mailTo,
  openEdit,
  postOwnForm,
  register,
  registeredId,
  submitClient,
  submitEdit,
} from '../support/registration.ts';
import { openTestService } from '../support/service.ts';
import { addUser, signIn, type TestUser } from '../support/world.ts';

const service = await openTestService();
const { db } = service.database;
const admin = await addUser(service, { isAdmin: true });
const hour = 3600;
const submissionsOf = ({ id }: TestUser) => counted('notable', ['submission', id]);
const tooMany = 'You have done this too often in the last hour.';

test('twenty submissions of one owner reach the admins in an hour, though each app is deleted immediately (CWE-799)', async () => {
  const owner = await addUser(service);
  const cookie = await signIn(service, owner);
  await useUp(service, submissionsOf(owner), 1);
  const id = registeredId(await register(service, cookie, { name: 'Short Lived' }));
  await postOwnForm(service, `${developerHome}/${id}/delete`, { name: 'Short Lived' }, cookie);
  const emails = (await mailTo(service, admin.email)).length;

  const refused = await register(service, cookie, { name: 'Next One' });
  const left = await clientsOf(service, owner.id);
  const emailsThen = (await mailTo(service, admin.email)).length;
  service.clock.advance(hour);
  const later = await register(service, await signIn(service, owner), { name: 'Next One' });

  expect(refused.statusCode).toBe(429);
  expect(textOf(refused.body)).toContain(tooMany);
  expect(refused.body).toContain('name="kept_form"');
  expect(left).toEqual([]);
  expect(emailsThen).toBe(emails);
  expect(later.statusCode).toBe(303);
});

test('eighty submissions from one network reach the admins in an hour, of however many accounts (security C54)', async () => {
  const [first, second] = [await addUser(service), await addUser(service)];
  service.clock.advance(hour);
  await useUp(service, counted('notable', ['submission', '127.0.0.1'], 4), 1);
  const allowed = await register(service, await signIn(service, first), { name: 'Last One' });

  const refused = await register(service, await signIn(service, second), { name: 'Neighbour' });
  service.clock.advance(hour);
  const later = await register(service, await signIn(service, second), { name: 'Neighbour' });

  expect(allowed.statusCode).toBe(303);
  expect(refused.statusCode).toBe(429);
  expect(textOf(refused.body)).toContain(tooMany);
  expect(later.statusCode).toBe(303);
  const emails = await db
    .select({ cause: outbox.cause })
    .from(outbox)
    .where(like(outbox.subject, '%Neighbour%'));
  expect(emails).toEqual([{ cause: `email:user:${second.id}` }]);
});

test('an edit that is withdrawn stays in the count, and the next one says so and is kept on the form', async () => {
  const { id, owner, cookie } = await submitClient(service);
  await setClientStatus(service.database.db, id, 'accepted');
  await useUp(service, submissionsOf(owner), 1);
  const sent = await submitEdit(service, id, cookie, { name: 'Tidier Desk' });
  const { version } = await openEdit(service, id, cookie);
  await postOwnForm(service, `${developerHome}/${id}/edit/withdraw`, { version }, cookie);
  const before = await digestTables(service.database);

  const refused = await submitEdit(service, id, cookie, { name: 'Tidiest Desk' });

  expect(sent.statusCode).toBe(303);
  expect(refused.statusCode).toBe(429);
  expect(textOf(refused.body)).toContain(tooMany);
  expect(refused.body).toContain('name="kept_form"');
  expect(await findEditRow(service, id)).toBeUndefined();
  expect(await digestTables(service.database)).toEqual(before);
});

test('what waits already may be changed as often as one likes: nobody is told again', async () => {
  const { id, owner, cookie } = await submitClient(service);
  await useUp(service, submissionsOf(owner));

  const changed = await submitEdit(service, id, cookie, { name: 'Tidier Desk' });

  expect(changed.statusCode).toBe(303);
  expect(await clientsOf(service, owner.id)).toMatchObject([{ name: 'Tidier Desk' }]);
});

test('one owner’s submissions are not another one’s', async () => {
  const [busy, other] = [await addUser(service), await addUser(service)];
  await useUp(service, submissionsOf(busy));

  expect((await register(service, await signIn(service, other))).statusCode).toBe(303);
});
