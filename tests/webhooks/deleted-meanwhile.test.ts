import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { newUuid } from '../../src/platform/runtime.ts';
import { addEvent } from '../../src/webhooks/events/store.ts';
import { webhooks } from '../../src/webhooks/tables.ts';
import { bodyOf, callApi, represent } from '../support/api.ts';
import { holdRow } from '../support/held.ts';
import { openAnotherInstance, openTestService } from '../support/service.ts';
import { startSubscriber } from '../support/subscriber.ts';

const service = await openTestService();
const another = await openAnotherInstance(service);
const { db } = service.database;

test.each([
  // A success leaves nothing to note on the webhook, and so waits for nobody.
  [200, 1],
  [500, 2],
])(
  'a webhook that is deleted and an event that its server answers with %i don’t wait in a circle (security C152)',
  async (status, waiting) => {
    const subscriber = await startSubscriber();
    const { promise: asked, resolve: hold } = Promise.withResolvers<() => void>();
    subscriber.answer('/', (response) => hold(() => response.writeHead(status).end()));
    const { token } = await represent(service);
    const body = { subscriberUrl: subscriber.address('/'), triggers: ['BOOKING_CREATED'], active: true };
    const { data } = bodyOf(await callApi(service, 'POST', '/webhooks', { token, body }), 201);
    const event = { trigger: 'BOOKING_CREATED', topic: newUuid(service.clock), payload: {} } as const;
    await db.transaction((tx) => addEvent(tx, event, [data.id], service.clock.now()));
    service.app.bookingEvents?.nudge();
    const answer = await asked;
    const held = await holdRow(service, 'webhooks', data.id);

    const deleting = callApi(another, 'DELETE', `/webhooks/${data.id}`, { token });
    await held.untilWaiting(1);
    answer();
    await held.untilWaiting(waiting);
    await held.release();

    expect((await deleting).statusCode).toBe(200);
    expect(await db.$count(webhooks, eq(webhooks.id, data.id))).toBe(0);
    for (const { logText } of [service, another]) expect(logText()).not.toContain('"level":50');
  },
);
