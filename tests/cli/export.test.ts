import { randomUUID } from 'node:crypto';
import { eq, getTableColumns, getTableName } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { findShownPerson } from '../../src/accounts/admin/store.ts';
import { personalRows, readPages, rowsBeyondIndexes } from '../../src/accounts/personal-data/store.ts';
import { loadParts } from '../../src/parts.ts';
import { outbox } from '../../src/platform/mail/tables.ts';
import { bookings } from '../../src/scheduling/tables.ts';
import { onPostgres } from '../start/server-process.ts';
import { addBookings } from '../support/many-bookings.ts';
import { openTestService } from '../support/service.ts';
import { allTables } from '../support/tables.ts';
import { addClient, addUser, connect, signIn } from '../support/world.ts';
import { runLatchkey } from './command.ts';

const parts = await loadParts();

const service = await openTestService();

test('an export has what is stored about the person, of nobody else, and no secret', {
  timeout: 90_000,
}, async () => {
  const [person, other] = [await addUser(service), await addUser(service)];
  const client = await addClient(service);
  const tokens = await connect(service, client, await signIn(service, person));
  await connect(service, client, await signIn(service, other));

  const run = await runLatchkey(['export', '--user', person.email], onPostgres(service.database.url));

  const data = JSON.parse(run.output);
  expect(run).toMatchObject({ code: 0, errors: '' });
  expect(data.users).toMatchObject([{ id: person.id, email: person.email, username: person.username }]);
  expect(data.grants).toMatchObject([{ userId: person.id, clientId: client.id }]);
  expect(data.sessions).toHaveLength(1);
  expect(data.audit_events.map(({ action }: { action: string }) => action)).toContain('grant.approved');
  expect(run.output).not.toContain(other.email);
  expect(run.output).not.toMatch(/argon2|Hash"|encrypted/);
  expect(run.output).not.toContain(tokens.refresh_token);
});

test('emails are exported only for an account whose address was shown to be its own', async () => {
  const { db } = service.database;
  const now = service.clock.now();
  const read = async (isVerified: boolean) => {
    const { email } = await addUser(service, { isVerified });
    const texts = { recipient: email, subject: 'Booked', text: 'Booked', html: 'Booked' };
    await db.insert(outbox).values({ id: randomUUID(), ...texts, createdAt: now });
    const person = await findShownPerson(db, email);
    const rows = person && rowsBeyondIndexes({ parts }, person).find(({ name }) => name === 'outbox');
    return rows && (await Array.fromAsync(readPages(db, rows))).flat();
  };

  expect([await read(true), await read(false)]).toMatchObject([[{ subject: 'Booked' }], []]);
});

test('an export has bookings to which the person was added as a guest, without who booked them (contract §1)', async () => {
  const { db } = service.database;
  const [guest, host] = [await addUser(service), await addUser(service)];
  await addBookings(service, host, 2, 1);
  const [{ uid } = { uid: '' }] = await db
    .update(bookings)
    .set({ guests: [guest.email.toUpperCase()] })
    .where(eq(bookings.attendeeEmail, `dana-${host.id}-1@example.com`))
    .returning();
  const person = await findShownPerson(db, guest.email);
  const found =
    person && rowsBeyondIndexes({ parts }, person).find(({ name }) => name === 'bookings_as_guest');

  const rows = found && (await Array.fromAsync(readPages(db, found))).flat();

  expect(rows).toMatchObject([{ uid, title: 'Talk' }]);
  expect(JSON.stringify(rows)).not.toMatch(/dana/i);
});

/** These tables point to a person, and are about something else. */
const elsewhere = ['client_edits'];

test('every table with a column for a person is exported', () => {
  const person = { id: 1, email: 'ann@example.com', name: 'Ann', emailVerifiedAt: null };
  const rows = [...personalRows(service.app, person), ...rowsBeyondIndexes({ parts }, person)];
  const exported = rows.map(({ table }) => getTableName(table));
  const personal = allTables
    .filter((table) =>
      Object.keys(getTableColumns(table)).some((name) =>
        /^(user|owner|actor|inviter)Id$|^recipient$|email$/i.test(name),
      ),
    )
    .map((table) => getTableName(table));

  expect(personal.length).toBeGreaterThan(15);
  expect(personal.filter((name) => !exported.includes(name) && !elsewhere.includes(name))).toEqual([]);
});
