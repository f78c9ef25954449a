import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { systemContext } from '../../src/platform/audit/context.ts';
import type { Db } from '../../src/platform/database.ts';
import { queueJobs, queueLanes } from '../../src/platform/queue/tables.ts';
import { newUuid } from '../../src/platform/runtime.ts';
import { bookings } from '../../src/scheduling/tables.ts';
import { bookingTriggers } from '../../src/v2/booking-events.ts';
import { createWebhook } from '../../src/webhooks/store.ts';
import { webhookDeliveries, webhookEvents } from '../../src/webhooks/tables.ts';
import { webhookSecrets } from '../../src/webhooks/webhook.ts';
import { startInstance } from '../start/server-process.ts';
import { addEventType, dana } from '../support/booking.ts';
import { createTestClock, openTestService } from '../support/service.ts';
import { startSubscriber } from '../support/subscriber.ts';
import { addUser } from '../support/world.ts';

/** The leases of all jobs end. */
async function endLeases(db: Db): Promise<void> {
  await db.update(queueJobs).set({ leasedUntil: null, dueAt: new Date(0) });
  await db.update(queueLanes).set({ dueAt: new Date(0) });
}

/** Half hours that are free, in UTC, on working days far ahead. */
const starts = Array.from({ length: 40 }, (_, index) => {
  const monday = Date.parse('2031-06-02T08:00:00Z');
  return new Date(monday + Math.floor(index / 10) * 86_400_000 + (index % 10) * 1_800_000).toISOString();
});

test('kill -9 of one of two instances loses no event and sends none under another id (contract §8)', {
  timeout: 120_000,
}, async () => {
  const service = await openTestService({}, createTestClock(new Date()));
  const { db } = service.database;
  const user = await addUser(service);
  const { id: eventTypeId } = await addEventType(service, user);
  const subscriber = await startSubscriber();
  const { promise: held, resolve: hold } = Promise.withResolvers<ServerResponse>();
  subscriber.answer('/', (response) => {
    if (subscriber.events.length === 6) hold(response);
    else setTimeout(() => response.writeHead(200).end(), 20);
  });
  const values = {
    ...{ id: newUuid(service.clock), subscriberUrl: subscriber.address('/'), active: true },
    ...{
      triggers: [...bookingTriggers],
      encryptedSecret: webhookSecrets.encrypt(service.rootSecret, 'a-secret'),
    },
  };
  const by = systemContext(service.clock.now());
  await createWebhook(db, { owner: { userId: user.id }, maker: undefined, by }, values);
  // From here on the two processes work alone.
  await service.close();
  const instances = await Promise.all([
    startInstance(service.database.url),
    startInstance(service.database.url),
  ]);
  const [first] = instances;

  const book = async (start: string, index: number): Promise<boolean> => {
    const { address } = instances[index % 2] ?? first;
    const attendee = { ...dana, timeZone: 'Europe/Berlin' };
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ eventTypeId, start, attendee });
    const sent = fetch(`${address}/v2/bookings`, { method: 'POST', headers, body });
    return sent.then(
      ({ status }) => status === 201,
      () => false,
    );
  };
  const booking = starts.map(book);
  const response = await held;
  const hungUp = once(response, 'close');
  first.server.signal('SIGKILL');
  await first.server.ended;
  // Only one of the two has the lease: the one that is dead hangs up, and 30 s pass for its lease.
  if (await Promise.race([hungUp, sleep(500, false)])) await endLeases(db);
  else response.writeHead(200).end();
  const answered = (await Promise.all(booking)).filter(Boolean);

  const kept = (await db.select({ uid: bookings.uid }).from(bookings)).map(({ uid }) => uid);
  const received = () => new Set(subscriber.events.map(({ payload }) => payload.uid));
  expect(kept.length).toBeGreaterThanOrEqual(answered.length);
  expect(answered.length).toBeGreaterThanOrEqual(20);
  await expect.poll(() => received().size, { timeout: 60_000 }).toBe(kept.length);
  await expect
    .poll(() => db.$count(webhookDeliveries, eq(webhookDeliveries.outcome, 'delivered')), { timeout: 60_000 })
    .toBe(kept.length);

  expect([...received()].toSorted()).toEqual(kept.toSorted());
  // At least once: what was in hand when it died may come again, with the same id.
  const ids = new Set(subscriber.events.map(({ headers }) => headers['webhook-id']));
  expect(ids.size).toBe(kept.length);
  expect(await db.$count(webhookEvents)).toBe(kept.length);
  expect(subscriber.events.length - kept.length).toBeLessThanOrEqual(1);
});
