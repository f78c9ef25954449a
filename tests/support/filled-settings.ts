import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { systemContext } from '../../src/platform/audit/context.ts';
import { encryptAccess, encryptCollection } from '../../src/scheduling/calendars/access.ts';
import { bookings, calendarEntries, calendars } from '../../src/scheduling/tables.ts';
import { bookingTriggers } from '../../src/v2/booking-events.ts';
import { addEvent } from '../../src/webhooks/events/store.ts';
import { createWebhook } from '../../src/webhooks/store.ts';
import { webhookDeliveries, webhooks } from '../../src/webhooks/tables.ts';
import { encryptWebhookSecret } from '../../src/webhooks/webhook.ts';
import { addEventType, bookOn, uidIn } from './booking.ts';
import { inBerlin, nextDate } from './dates.ts';
import type { TestService } from './service.ts';
import { addUser, startSession, type TestUser } from './world.ts';

/** A person with webhooks that fail, and a calendar to which no booking can be written. */
export async function addFilledSettings(service: TestService) {
  const user = await addUser(service);
  await addUnwrittenBooking(service, user);
  return { cookie: await startSession(service, user), ...(await addFailingWebhooks(service, user)) };
}

/** Adds a webhook that is retried, with a log of all outcomes, and one that was turned off. */
async function addFailingWebhooks({ clock, database: { db }, rootSecret }: TestService, user: TestUser) {
  const now = clock.now();
  const add = async (address: string, changes: Partial<typeof webhooks.$inferInsert>): Promise<string> => {
    const values = {
      ...{ id: randomUUID(), subscriberUrl: address, triggers: [...bookingTriggers], active: true },
      encryptedSecret: encryptWebhookSecret(rootSecret, 'a-secret'),
    };
    await createWebhook(db, { userId: user.id }, values, undefined, systemContext(now));
    await db.update(webhooks).set(changes).where(eq(webhooks.id, values.id));
    return values.id;
  };
  const failing = await add(
    'https://automation.a-company-with-a-long-name.example/v1/hooks/catch/1234567/abcdefg/?workspace=garden',
    { failingSince: now, failures: 4 },
  );
  const off = await add('https://app.example/hook', { active: false, disabledAt: now });
  for (const trigger of [...bookingTriggers, 'PING'] as const)
    await addEvent(db, { trigger, topic: trigger, payload: {} }, [failing], now);
  const log = await db.select().from(webhookDeliveries).where(eq(webhookDeliveries.webhookId, failing));
  const states = [
    { status: 200, durationMs: 87, attempts: 1, settledAt: now, outcome: 'delivered' },
    { status: 503, durationMs: 9876, attempts: 30, settledAt: now, outcome: 'failed' },
    { failure: 'timed_out', durationMs: 10_003, attempts: 29, settledAt: now, outcome: 'failed' },
    { failure: 'address_not_public', durationMs: 3, attempts: 4, dueAt: new Date('2099-01-01') },
    { settledAt: now, outcome: 'dropped' },
  ] as const;
  for (const [index, { id }] of log.entries()) {
    const state = states[index % states.length];
    if (state !== undefined)
      await db.update(webhookDeliveries).set(state).where(eq(webhookDeliveries.id, id));
  }
  return { failing: `/settings/webhooks/${failing}`, off: `/settings/webhooks/${off}` };
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
