import { and, eq, isNull } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { groups } from '../../src/accounts/tables.ts';
import { expiredAuditEvents, recordAuditEvent } from '../../src/platform/audit/store.ts';
import { auditEvents } from '../../src/platform/audit/tables.ts';
import { databaseLimits } from '../../src/platform/limits/limits.ts';
import { batchRows, deleteBatch } from '../../src/platform/retention/store.ts';
import {
  actionsOf,
  addOldEvents,
  checkAppendOnly,
  contextOf,
  countChanges,
  countLabelled,
  eventsOf,
} from '../support/audit.ts';
import { addGroup, addPerson } from '../support/groups.ts';
import { signInFrom } from '../support/guesser.ts';
import { textOf } from '../support/page-content.ts';
import { postOwnForm } from '../support/registration.ts';
import { openTestService } from '../support/service.ts';
import { addUser, postForm } from '../support/world.ts';

const service = await openTestService();
const { db } = service.database;

test('no event is changed, none of the last year is deleted, and all of them neither (security C73)', async () => {
  await checkAppendOnly(db);
});

test('what is older than a year goes in batches, whatever our clock says', async () => {
  await addOldEvents(db, 'young', 364);
  await addOldEvents(db, 'old', 366, 1200);

  const inTenYears = new Date(Date.now() + 3650 * 86_400_000);
  expect(await deleteBatch(db, expiredAuditEvents(inTenYears))).toBe(batchRows);
  expect(await deleteBatch(db, expiredAuditEvents(inTenYears))).toBe(200);

  expect(await countLabelled(db, 'old')).toBe(0);
  expect(await countLabelled(db, 'young')).toBe(1);
});

test('an event that is rolled back with its transaction leaves nothing', async () => {
  const user = await addUser(service);

  const failed = db.transaction(async (tx) => {
    await recordAuditEvent(tx, contextOf(service), { action: 'user.restored', userId: user.id });
    throw new Error('afterwards');
  });

  await expect(failed).rejects.toThrow('afterwards');
  expect(await actionsOf(service, user)).toEqual([]);
});

describe('what could be done again and again (security C73)', () => {
  const change = (action: 'client.registered' | 'client.deleted') => ({
    action,
    isRepeatable: action === 'client.registered',
    label: 'app.example',
  });

  test.each([
    ['a person', { actorId: 1_000_001 }, databaseLimits.changes.max],
    [
      'an app for a person',
      { actorId: 1_000_002, actorClientId: 'a'.repeat(32) },
      databaseLimits.changes.max,
    ],
    ['a client for the users it manages', { actorClientId: 'b'.repeat(32) }, 60 * databaseLimits.changes.max],
  ])('%s can do it so many times a day, and end it at any time', async (_who, actor, max) => {
    const by = { ...contextOf(service), ...actor };
    await countChanges(service, actor, max - 1);
    const inADay = new Date(by.at.getTime() + 86_400_000);

    await recordAuditEvent(db, by, change('client.registered'));
    const refused = recordAuditEvent(db, by, change('client.registered'));

    await expect(refused).rejects.toMatchObject({ limit: { name: 'changes' }, retryAfterSeconds: 86_400 });
    await recordAuditEvent(db, by, change('client.deleted'));
    await recordAuditEvent(db, { ...by, at: inADay }, change('client.registered'));
    const isTheirs = and(
      by.actorId === null ? isNull(auditEvents.actorId) : eq(auditEvents.actorId, by.actorId),
      by.actorClientId === null
        ? isNull(auditEvents.actorClientId)
        : eq(auditEvents.actorClientId, by.actorClientId),
    );
    const recorded = await db.select().from(auditEvents).where(isTheirs).orderBy(auditEvents.id);
    expect(recorded.map(({ action }) => action)).toEqual([
      'client.registered',
      'client.deleted',
      'client.registered',
    ]);
  });

  test('an app that has used up its own leaves the person theirs', async () => {
    const app = { ...contextOf(service), actorId: 1_000_003, actorClientId: 'c'.repeat(32) };
    await countChanges(service, app, databaseLimits.changes.max);

    await expect(recordAuditEvent(db, app, change('client.registered'))).rejects.toThrow(
      'changes is reached',
    );
    await recordAuditEvent(db, { ...app, actorClientId: null }, change('client.registered'));
  });

  test('past that, a page says so, and nothing is changed', async () => {
    const { user, cookie } = await addPerson(service);
    const team = await addGroup(service, 'team', user);
    const change = { name: 'Another name', slug: `another-${user.id}` };
    await countChanges(service, { actorId: user.id }, databaseLimits.changes.max);

    const answer = await postOwnForm(service, `${team.path}/edit`, change, cookie);

    expect(answer.statusCode).toBe(429);
    expect(answer.headers['retry-after']).toMatch(/^\d+$/);
    expect(textOf(answer.body)).toContain('You have made too many changes in one day.');
    const [found] = await db.select({ name: groups.name }).from(groups).where(eq(groups.id, team.id));
    expect(found?.name).toBe(team.name);
  });
});

describe('signing in', () => {
  test('is recorded with its place; the log line has ids, no address and no email', async () => {
    const user = await addUser(service);

    const answer = await signInFrom(service, user, {
      remoteAddress: '192.0.2.7',
      userAgent: 'x'.repeat(999),
    });

    expect(await eventsOf(service, user)).toMatchObject([
      {
        action: 'user.signed_in',
        at: service.clock.now(),
        actorId: user.id,
        userId: user.id,
        address: '192.0.2.7',
        userAgent: 'x'.repeat(300),
        requestId: answer.headers['x-request-id'],
      },
    ]);
    const lines = service.logText().split('\n');
    const line = lines.find((one) => one.includes('"audit"') && one.includes(`"userId":${user.id}`)) ?? '';
    expect(line).toContain('user.signed_in');
    expect(line).not.toContain('192.0.2.7');
    expect(line).not.toContain(user.email);
  });

  test('an unknown account is recorded without its email', async () => {
    await postForm(service, '/signin', { email: 'canary@example.com', password: 'whatever it is' });

    const rows = await db.select().from(auditEvents);

    expect(rows).toContainEqual(expect.objectContaining({ action: 'user.sign_in_failed', userId: null }));
    expect(JSON.stringify(rows)).not.toContain('canary@example.com');
  });
});
