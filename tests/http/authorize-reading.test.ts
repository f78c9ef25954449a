import { expect, test } from 'vitest';
import { databaseLimits } from '../../src/platform/limits/limits.ts';
import { countChanges } from '../support/audit.ts';
import { decide, openDecision, requestOf } from '../support/authorization.ts';
import { digestTables } from '../support/database-content.ts';
import { openTestService } from '../support/service.ts';
import { addClient, addUser, openAuthorizePage, startSession } from '../support/world.ts';

const service = await openTestService();
const cookie = await startSession(service, await addUser(service));
const client = await addClient(service, { type: 'public', scopes: ['PROFILE_READ'] });
const pending = await addClient(service, { status: 'pending' });

/** The statements of the act alone: the outbox is read in the background. */
function takeOwnStatements(): string[] {
  return service.takeStatements();
}

test.each([
  ['a right request', requestOf(client), cookie, 200],
  ['a request of nobody', requestOf(client), undefined, 303],
  ['a session that never was', requestOf(client), 'latchkey_session=planted', 303],
  ['a refusal that is redirected', requestOf(client, { scope: 'NONSENSE' }), cookie, 303],
  ['a refusal on the page', requestOf(pending), cookie, 400],
] as const)('%s is looked at without a write (architecture §2)', async (_name, request, session, status) => {
  const before = await digestTables(service.database);
  service.takeStatements();

  const page = await openAuthorizePage(service, request, session);

  expect(page.statusCode).toBe(status);
  const statements = takeOwnStatements();
  expect(statements.length).toBeGreaterThan(0);
  expect(statements.filter((statement) => !statement.startsWith('select '))).toEqual([]);
  expect(await digestTables(service.database)).toEqual(before);
});

test('Deny writes nothing (contract §3)', async () => {
  const form = await openDecision(service, requestOf(client), cookie);
  const before = await digestTables(service.database);

  const answer = await decide(service, form, 'deny', cookie);

  expect(answer.statusCode).toBe(303);
  expect(await digestTables(service.database)).toEqual(before);
});

test('Allow writes one row into grants, one record and its count, the first one an email too, and nothing else (architecture §2, security C73)', async () => {
  const forms = [
    await openDecision(service, requestOf(client), cookie),
    await openDecision(service, requestOf(client), cookie),
  ];
  const {
    grants: _grants,
    audit_events: _events,
    outbox: _outbox,
    rate_limits: countsBefore,
    ...before
  } = await digestTables(service.database);

  const written = [];
  for (const form of forms) {
    await decide(service, form, 'allow', cookie);
    const {
      grants,
      audit_events: events,
      outbox,
      rate_limits: counts,
      ...after
    } = await digestTables(service.database);
    expect(after).toEqual(before);
    written.push([grants, events, outbox, counts].map((digest) => String(digest).split(' ')[0]));
  }

  const [first = []] = written;
  const eventCount = Number(first[1]);
  const withCount = String(Number(String(countsBefore).split(' ')[0]) + 1);
  expect(written).toEqual([
    ['1', String(eventCount), '1', withCount],
    ['2', String(eventCount + 1), '1', withCount],
  ]);
});

test('Allow past 500 changes of a person in a day writes nothing, and the page says so (security C73)', async () => {
  const user = await addUser(service);
  const browser = await startSession(service, user);
  const form = await openDecision(service, requestOf(client), browser);
  await countChanges(service, { actorId: user.id }, databaseLimits.changes.max);
  const before = await digestTables(service.database);

  const answer = await decide(service, form, 'allow', browser);

  expect(answer.statusCode).toBe(429);
  expect(answer.headers.location).toBeUndefined();
  expect(answer.body).toContain('You have made too many changes in one day.');
  expect(await digestTables(service.database)).toEqual(before);
});
