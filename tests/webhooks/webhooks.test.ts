import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { and, eq } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { users } from '../../src/accounts/tables.ts';
import { grants } from '../../src/oauth/tables.ts';
import { auditEvents } from '../../src/platform/audit/tables.ts';
import { databaseLimits } from '../../src/platform/limits/limits.ts';
import { packageFolder } from '../../src/platform/package.ts';
import { addEvent } from '../../src/webhooks/events/store.ts';
import { webhookDeliveries, webhooks } from '../../src/webhooks/tables.ts';
import { bodyOf, callApi, represent } from '../support/api.ts';
import { countChanges } from '../support/audit.ts';
import { openBookingsApi } from '../support/bookings-api.ts';
import { type ReceivedEvent, startSubscriber } from '../support/subscriber.ts';
import { signaturesOf } from './signatures.ts';

const { service, db, ann, ben, team, addEventType, addTeamEventType, nextSlot, booked, act } =
  await openBookingsApi();
const subscriber = await startSubscriber();
/** Each test in a minute of its own, so that its limits are whole. */
beforeEach(() => service.clock.advance(60));

let paths = 0;
const newPath = (): string => {
  paths += 1;
  return `/hook-${paths}`;
};

const all = [
  ...['BOOKING_CREATED', 'BOOKING_REQUESTED', 'BOOKING_RESCHEDULED', 'BOOKING_CANCELLED'],
  ...['BOOKING_REJECTED', 'BOOKING_CONFIRMED', 'MEETING_STARTED', 'MEETING_ENDED'],
];

async function call(
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  path: string,
  body?: object,
  token = ann.token,
) {
  return callApi(service, method, `/webhooks${path}`, { token, ...(body === undefined ? {} : { body }) });
}

async function addWebhook(changes: object = {}, token = ann.token) {
  const path = newPath();
  const body = { subscriberUrl: subscriber.address(path), triggers: all, ...changes };
  const { data } = bodyOf(await call('POST', '', body, token), 201);
  return { ...data, path } as { id: string; secret: string; path: string };
}

const sentTo = (path: string): readonly ReceivedEvent[] =>
  subscriber.events.filter((event) => event.path === path);
const triggersAt = (path: string): readonly string[] => sentTo(path).map(({ triggerEvent }) => triggerEvent);

describe('webhooks of a user (contract §8)', () => {
  test('are recorded with each change that an app makes (security C73)', async () => {
    const { id } = await addWebhook();
    for (const active of [false, true, false]) bodyOf(await call('PATCH', `/${id}`, { active }));

    const isChange = and(eq(auditEvents.objectId, id), eq(auditEvents.action, 'webhook.changed'));
    expect(await db.$count(auditEvents, isChange)).toBe(3);
  });

  test('past 500 changes of one app for a user in a day, none more is made, and all can be deleted', async () => {
    const { token, user } = await represent(service);
    const [grant] = await db.select().from(grants).where(eq(grants.userId, user.id));
    const body = { subscriberUrl: 'https://app.example/', triggers: all };
    const { id } = bodyOf(await call('POST', '', body, token), 201).data;
    const app = { actorId: user.id, actorClientId: grant?.clientId ?? '' };
    await countChanges(service, app, databaseLimits.changes.max);

    const refused = await call('POST', '', body, token);

    expect(refused.statusCode).toBe(429);
    expect(refused.headers['retry-after']).toBe('86400');
    expect(refused.json().error).toMatchObject({
      code: 'TooManyRequests',
      message: 'You have made too many changes in one day. Try again tomorrow.',
    });
    expect(bodyOf(await call('GET', '', undefined, token)).data).toHaveLength(1);
    bodyOf(await call('DELETE', `/${id}`, undefined, token));
  });

  test('are listed in pages, as at Cal.com', async () => {
    const { token } = await represent(service);
    const ids: string[] = [];
    for (let count = 0; count < 3; count += 1) {
      const body = { subscriberUrl: 'https://app.example/', triggers: all };
      service.clock.advance(1);
      ids.push(bodyOf(await call('POST', '', body, token), 201).data.id);
    }

    const { data: page, pagination } = bodyOf(await call('GET', '?take=1&skip=1', undefined, token));

    expect(page.map(({ id }: { id: string }) => id)).toEqual([ids[1]]);
    // Contract §5.
    expect(pagination).toMatchObject({ totalItems: 3, currentPage: 2, hasNextPage: true });
    expect(bodyOf(await call('GET', '?take=250&skip=250', undefined, token)).data).toEqual([]);
    expect((await call('GET', '?take=251', undefined, token)).statusCode).toBe(400);
  });

  test('are nobody else’s', async () => {
    const { id } = await addWebhook();
    const requests = [
      ...(['GET', 'DELETE'] as const).map((method) => call(method, `/${id}`, undefined, ben.token)),
      call('PATCH', `/${id}`, { active: false }, ben.token),
      call('POST', `/${id}/test`, undefined, ben.token),
      call('GET', `/${id}/deliveries`, undefined, ben.token),
    ];
    expect((await Promise.all(requests)).map(({ statusCode }) => statusCode)).toEqual([
      404, 404, 404, 404, 404,
    ]);
  });

  test('take the scopes WEBHOOK_READ and WEBHOOK_WRITE, and no grant for a team', async () => {
    const reader = await represent(service, { user: ann.user, scopes: ['WEBHOOK_READ'] });
    const booker = await represent(service, { user: ann.user, scopes: ['BOOKING_WRITE'] });
    const ofTeam = await represent(service, { user: ann.user, teamSlug: team.slug });
    const body = { subscriberUrl: 'https://app.example', triggers: all };

    expect((await call('GET', '', undefined, reader.token)).statusCode).toBe(200);
    expect((await call('POST', '', body, reader.token)).statusCode).toBe(403);
    expect((await call('GET', '', undefined, booker.token)).statusCode).toBe(403);
    expect((await call('GET', '', undefined, ofTeam.token)).statusCode).toBe(403);
  });

  test.each([
    ['plain http', { subscriberUrl: 'http://app.example/' }, 'subscriberUrl'],
    ['http to a private network', { subscriberUrl: 'http://10.0.0.1/' }, 'subscriberUrl'],
    ['a password in the address', { subscriberUrl: 'https://a:b@app.example/' }, 'subscriberUrl'],
    ['another scheme', { subscriberUrl: 'file:///etc/passwd' }, 'subscriberUrl'],
    ['no address', { subscriberUrl: undefined }, 'subscriberUrl'],
    ['a trigger that isn’t supported', { triggers: ['RECORDING_READY'] }, 'triggers.0'],
    ['a trigger of apps', { triggers: ['ACCESS_GRANTED'] }, 'triggers.0'],
    ['no trigger', { triggers: [] }, 'triggers'],
    ['a template', { payloadTemplate: '{{title}}' }, 'payloadTemplate'],
    ['another version', { version: '2030-01-01' }, 'version'],
    ['an empty secret', { secret: '' }, 'secret'],
  ])('are refused with %s, by name', async (_, changes, field) => {
    const body = { subscriberUrl: 'https://app.example/', triggers: all, ...changes };
    const { error } = bodyOf(await call('POST', '', body), 400);
    expect(Object.keys(error.details)).toEqual([field]);
  });

  test('explain a trigger of apps; of others they list what there is (contract §8)', async () => {
    const body = { subscriberUrl: 'https://app.example/', triggers: ['ACCESS_GRANTED', 'RECORDING_READY'] };
    const { details } = bodyOf(await call('POST', '', body), 400).error;
    const known = `Use one of ${all.join(', ')}.`;

    expect(details['triggers.0']).toBe(
      `${known} ACCESS_GRANTED and ACCESS_REMOVED are for webhooks of apps.`,
    );
    expect(details['triggers.1']).toBe(known);
  });

  test('are 20 at most, however many are made at the same time', async () => {
    const { token } = await represent(service);
    const body = { subscriberUrl: 'https://app.example/', triggers: all };
    const made = await Promise.all(Array.from({ length: 22 }, () => call('POST', '', body, token)));

    expect(made.filter(({ statusCode }) => statusCode === 201)).toHaveLength(20);
    expect(made.filter(({ statusCode }) => statusCode === 409)).toHaveLength(2);
  });
});

describe('what happens to a booking is sent (contract §8)', () => {
  test.each([
    ['', undefined],
    [', also after the secret was replaced', `whsec_${Buffer.alloc(32, 7).toString('base64')}`],
  ])('and the code of the guide verifies it%s (docs/oauth-guide.md)', async (_, replacement) => {
    const guide = await readFile(join(packageFolder, 'docs/oauth-guide.md'), 'utf8');
    const blocks = [...guide.matchAll(/```js\n([\s\S]*?)```/g)].map(([, code = '']) => code);
    const code = blocks.find((block) => block.includes('isFromLatchkey')) ?? '';
    const { isFromLatchkey } = await import(`data:text/javascript,${encodeURIComponent(code)}`);
    const { id, path, secret: given } = await addWebhook();
    const secret = replacement ?? given;
    if (replacement !== undefined) bodyOf(await call('PATCH', `/${id}`, { secret }));
    await booked((await addEventType()).id);
    await expect.poll(() => sentTo(path)).toHaveLength(1);
    const [{ headers, text } = { headers: {}, text: '' }] = sentTo(path);
    const now = service.clock.now().getTime();

    expect(isFromLatchkey(secret, headers, text, now)).toBe(true);
    expect(isFromLatchkey(secret, headers, `${text} `, now)).toBe(false);
    expect(isFromLatchkey(secret, { ...headers, 'webhook-id': 'other' }, text, now)).toBe(false);
    expect(isFromLatchkey(secret, {}, text, now)).toBe(false);
    expect(isFromLatchkey('whsec_b3RoZXI=', headers, text, now)).toBe(false);
    expect(isFromLatchkey(secret, headers, text, now + 301_000)).toBe(false);
  });

  test('with Cal.com’s signature of a secret of one’s own, however short', async () => {
    const eventType = await addEventType();
    for (const own of ['x', 'geheim, mit Umläuten und Lücken']) {
      const { path, secret, id } = await addWebhook({ secret: own });

      await booked(eventType.id);

      await expect.poll(() => sentTo(path)).toHaveLength(1);
      const [event] = sentTo(path);
      expect(secret).toBe(own);
      expect(event && signaturesOf(event, secret).calCom).toBe(event?.headers['x-cal-signature-256']);
      expect(event?.headers).not.toHaveProperty('webhook-signature');
      bodyOf(await call('DELETE', `/${id}`));
    }
  });

  test('each change in its order: requested, confirmed (and so created), rescheduled, cancelled, rejected', async () => {
    const { path } = await addWebhook();
    const { id: eventTypeId } = await addEventType({ confirmationPolicy: { type: 'always' } });
    const first = await booked(eventTypeId);
    await act('POST', `/${first.uid}/confirm`);
    const start = nextSlot();
    const moved = bodyOf(
      await act('POST', `/${first.uid}/reschedule`, { start, reschedulingReason: 'Later' }),
      201,
    ).data;
    await act('POST', `/${moved.uid}/cancel`, { cancellationReason: 'Ill' });
    await expect.poll(() => sentTo(path)).toHaveLength(5);
    const second = await booked(eventTypeId);
    await act('POST', `/${second.uid}/decline`, { reason: 'No time' });
    await expect.poll(() => sentTo(path)).toHaveLength(7);

    expect(triggersAt(path)).toEqual([
      ...['BOOKING_REQUESTED', 'BOOKING_CONFIRMED', 'BOOKING_CREATED', 'BOOKING_RESCHEDULED'],
      ...['BOOKING_CANCELLED', 'BOOKING_REQUESTED', 'BOOKING_REJECTED'],
    ]);
    const [, , , rescheduled, cancelled, , rejected] = sentTo(path);
    expect(rescheduled?.payload).toMatchObject({
      ...{ uid: moved.uid, startTime: start, rescheduleUid: first.uid, rescheduleId: first.id },
      ...{ rescheduleStartTime: first.start, reschedulingReason: 'Later' },
      rescheduledBy: ann.user.email,
    });
    expect(cancelled?.payload).toMatchObject({
      uid: moved.uid,
      status: 'CANCELLED',
      cancellationReason: 'Ill',
      cancelledBy: ann.user.email,
    });
    // Receivers would read it as a move.
    expect(cancelled?.payload).not.toHaveProperty('rescheduleUid');
    expect(rejected?.payload).toMatchObject({
      uid: second.uid,
      status: 'REJECTED',
      rejectionReason: 'No time',
    });
  });

  test('to each host of a team’s booking, and a reassignment to both hosts', async () => {
    const [hers, his] = [await addWebhook(), await addWebhook({}, ben.token)];
    const { id } = await addTeamEventType('roundRobin', [ann, ben]);
    const { uid, hosts } = await booked(id);
    const isHers = hosts[0].id === ann.user.id;
    const [former, next] = isHers ? [hers, his] : [his, hers];
    const nextHost = isHers ? ben : ann;
    bodyOf(await act('POST', `/${uid}/reassign/${nextHost.user.id}`));

    await expect.poll(() => triggersAt(former.path)).toEqual(['BOOKING_CREATED', 'BOOKING_RESCHEDULED']);
    await expect.poll(() => triggersAt(next.path)).toEqual(['BOOKING_RESCHEDULED']);
    expect(sentTo(next.path)[0]?.payload).toMatchObject({ uid, organizer: { id: nextHost.user.id } });
  });

  test('only for the triggers that were chosen, while it is on', async () => {
    const [chosen, off] = [
      await addWebhook({ triggers: ['BOOKING_CANCELLED'] }),
      await addWebhook({ active: false }),
    ];
    const { uid } = await booked((await addEventType()).id);
    await act('POST', `/${uid}/cancel`);

    await expect.poll(() => triggersAt(chosen.path)).toEqual(['BOOKING_CANCELLED']);
    expect(sentTo(off.path)).toEqual([]);
  });

  test('not while the account is suspended, nor when the access of the app that made it has ended (security C105)', async () => {
    const person = await represent(service);
    const eventType = await addEventType({}, person);
    const { path, id } = await addWebhook({}, person.token);
    const ofAnn = await addWebhook();
    const ping = { trigger: 'PING', topic: 'a test', payload: {} } as const;
    await booked(eventType.id);
    await expect.poll(() => sentTo(path)).toHaveLength(1);

    const isTheirs = eq(users.id, person.user.id);
    await db.update(users).set({ suspendedAt: service.clock.now() }).where(isTheirs);
    await db.transaction((tx) => addEvent(tx, ping, [id], service.clock.now()));
    await db.transaction((tx) => addEvent(tx, ping, [ofAnn.id], service.clock.now()));
    service.app.bookingEvents?.nudge();
    await expect.poll(() => triggersAt(ofAnn.path)).toEqual(['PING']);
    expect(sentTo(path)).toHaveLength(1);

    await db.update(users).set({ suspendedAt: null }).where(isTheirs);
    await db.update(grants).set({ revokedAt: service.clock.now() }).where(eq(grants.userId, person.user.id));
    await booked(eventType.id);
    await booked((await addEventType()).id);
    await expect.poll(() => triggersAt(ofAnn.path)).toEqual(['PING', 'BOOKING_CREATED']);
    expect(sentTo(path)).toHaveLength(1);
  });
});

describe('a test by hand (contract §8)', () => {
  test('is sent like an event, and a delivery is sent once more with the same id and body', async () => {
    const { id, path } = await addWebhook({ triggers: ['BOOKING_REJECTED'] });
    const { data } = bodyOf(await call('POST', `/${id}/test`), 201);
    expect(data).toMatchObject({ triggerEvent: 'PING', state: 'waiting', attempts: 0 });
    await expect.poll(() => triggersAt(path)).toEqual(['PING']);

    bodyOf(await call('POST', `/${id}/deliveries/${data.id}/resend`));
    await expect.poll(() => triggersAt(path)).toEqual(['PING', 'PING']);
    const [first, second] = sentTo(path);
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    expect(second?.text).toBe(first?.text);
    expect((await call('POST', `/${id}/deliveries/999999/resend`)).statusCode).toBe(404);
  });

  test('sends no delivery of another webhook, and shows none (security C370)', async () => {
    const [theirs, own] = [await addWebhook({}, ben.token), await addWebhook()];
    const { data } = bodyOf(await call('POST', `/${theirs.id}/test`, undefined, ben.token), 201);
    await expect.poll(() => triggersAt(theirs.path)).toEqual(['PING']);

    const answer = await call('POST', `/${own.id}/deliveries/${data.id}/resend`);

    expect(answer.statusCode).toBe(404);
    bodyOf(await call('POST', `/${own.id}/test`), 201);
    await expect.poll(() => triggersAt(own.path)).toEqual(['PING']);
    expect(triggersAt(theirs.path)).toEqual(['PING']);
  });

  test.each([
    ['a test', '/test', 201, ['PING']],
    ['a resend', '/deliveries/:id/resend', 200, ['BOOKING_CREATED']],
  ])('%s doesn’t wait for what failed before it', async (_, action, status, sent) => {
    const { token } = await represent(service);
    const { id, path } = await addWebhook({}, token);
    const now = service.clock.now();
    const event = { trigger: 'BOOKING_CREATED', topic: path, payload: {} } as const;
    await db.transaction((tx) => addEvent(tx, event, [id], now));
    const inAnHour = { attempts: 12, dueAt: new Date(now.getTime() + 3_600_000) };
    await db.update(webhookDeliveries).set(inAnHour).where(eq(webhookDeliveries.webhookId, id));
    await db.update(webhooks).set({ failingSince: now }).where(eq(webhooks.id, id));
    const [waiting] = bodyOf(await call('GET', `/${id}/deliveries`, undefined, token)).data;
    expect(waiting.nextAttemptAt).toBe(inAnHour.dueAt.toISOString());

    const { data } = bodyOf(
      await call('POST', `/${id}${action.replace(':id', waiting.id)}`, undefined, token),
      status,
    );

    expect(data.nextAttemptAt).toBe(service.clock.now().toISOString());
    await expect.poll(() => triggersAt(path)).toEqual(sent);
  });

  test('is possible so often a minute for one owner, and not while the webhook is off', async () => {
    const { token } = await represent(service);
    const { id } = await addWebhook({}, token);
    const { max } = service.app.buckets.outgoing;
    const tests = await Promise.all(
      Array.from({ length: max + 1 }, () => call('POST', `/${id}/test`, undefined, token)),
    );
    expect(tests.map(({ statusCode }) => statusCode).toSorted()).toEqual([
      ...Array<number>(max).fill(201),
      429,
    ]);
    const limited = tests.find(({ statusCode }) => statusCode === 429);
    expect(limited?.headers['retry-after']).toBe(String(60 / max));
    bodyOf(await call('PATCH', `/${id}`, { active: false }, token));
    expect((await call('POST', `/${id}/test`, undefined, token)).statusCode).toBe(409);
  });
});
