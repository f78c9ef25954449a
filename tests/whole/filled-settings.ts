import { eq } from 'drizzle-orm';
import { encryptAccess, encryptCollection } from '../../src/scheduling/calendars/access.ts';
import { bookings, calendarEntries, calendars } from '../../src/scheduling/tables.ts';
import { addEventType, bookOn, uidIn } from '../support/booking.ts';
import { inBerlin, nextDate } from '../support/dates.ts';
import { loadKits } from '../support/kits.ts';
import type { TestService } from '../support/service.ts';
import { addUser, startSession, type TestUser } from '../support/world.ts';

/** A person with webhooks that fail, where there are any, and a calendar to which no booking can be written. */
export async function addFilledSettings(service: TestService) {
  const user = await addUser(service);
  await addUnwrittenBooking(service, user);
  const { failing = '', off = '' } = (await (await loadKits()).get('webhooks')?.fail?.(service, user)) ?? {};
  return { cookie: await startSession(service, user), failing, off };
}

async function addUnwrittenBooking(service: TestService, user: TestUser): Promise<void> {
  const { clock, rootSecret } = service;
  const { db } = service.database;
  const { path } = await addEventType(service, user);
  const uid = uidIn(await bookOn(service, path, inBerlin(nextDate(), '10:00')));
  const [booking] = await db.select().from(bookings).where(eq(bookings.uid, uid));
  const names = ['Personal', 'Friends of the Botanical Garden and its Neighbours'];
  const collections = names.map((name, index) => ({
    ...{ name, url: `http://127.0.0.1/${index}/`, isReadOnly: false },
  }));
  const [collection] = collections;
  if (booking === undefined || collection === undefined) throw new Error('there is no booking');
  const account = { url: 'http://127.0.0.1/', homeUrl: 'http://127.0.0.1/', addresses: [], collections };
  const encryptedCollection = encryptCollection(rootSecret, collection);
  const values = {
    kind: 'caldav',
    ...{ userId: user.id, name: 'CalDAV calendars', createdAt: clock.now() },
    encryptedAccess: encryptAccess(rootSecret, { kind: 'caldav', username: 'a', password: 'b', ...account }),
    ...{ encryptedDestination: encryptedCollection, destinationServer: '127.0.0.1' },
  } as const;
  const [calendar] = await db.insert(calendars).values(values).returning();
  if (calendar === undefined) throw new Error('there is no calendar');
  await db.insert(calendarEntries).values({
    ...{ userId: user.id, icsUid: booking.icsUid, calendarId: calendar.id, encryptedCollection },
    ...{ server: '127.0.0.1', changedAt: clock.now(), failure: 'credentials' },
  });
}
