import { describe, expect, test } from 'vitest';
import { databaseLimits } from '../../src/platform/limits/limits.ts';
import { countChanges } from '../support/audit.ts';
import { codeOf, decide, openDecision, redirectOf, requestOf } from '../support/authorization.ts';
import { digestTables, readTables } from '../support/database-content.ts';
import { refusingInserts, withoutTable } from '../support/database-faults.ts';
import { textOf, titleOf } from '../support/page-content.ts';
import { openTestService } from '../support/service.ts';
import { grantsOf } from '../support/tokens.ts';
import {
  addClient,
  addUser,
  clientFields,
  createPkce,
  openAuthorizePage,
  refresh,
  requestToken,
  startSession,
} from '../support/world.ts';

const service = await openTestService();
const cookie = await startSession(service, await addUser(service));
const readerApp = await addClient(service, { type: 'public', scopes: ['PROFILE_READ'] });
const pending = await addClient(service, { status: 'pending' });

/** The statements of the act alone: the outbox is read in the background. */
function takeOwnStatements(): string[] {
  return service.takeStatements();
}

test.each([
  ['a right request', requestOf(readerApp), cookie, 200],
  ['a request of nobody', requestOf(readerApp), undefined, 303],
  ['a session that never was', requestOf(readerApp), 'latchkey_session=planted', 303],
  ['a refusal that is redirected', requestOf(readerApp, { scope: 'NONSENSE' }), cookie, 303],
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
  const form = await openDecision(service, requestOf(readerApp), cookie);
  const before = await digestTables(service.database);

  const answer = await decide(service, form, 'deny', cookie);

  expect(answer.statusCode).toBe(303);
  expect(await digestTables(service.database)).toEqual(before);
});

test('Allow writes one row into grants, one record and its count, the first one an email too, and nothing else (architecture §2, security C73)', async () => {
  const forms = [
    await openDecision(service, requestOf(readerApp), cookie),
    await openDecision(service, requestOf(readerApp), cookie),
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
  const form = await openDecision(service, requestOf(readerApp), browser);
  await countChanges(service, { actorId: user.id }, databaseLimits.changes.max);
  const before = await digestTables(service.database);

  const answer = await decide(service, form, 'allow', browser);

  expect(answer.statusCode).toBe(429);
  expect(answer.headers.location).toBeUndefined();
  expect(answer.body).toContain('You have made too many changes in one day.');
  expect(await digestTables(service.database)).toEqual(before);
});

const { database } = service;
const client = await addClient(service);
const request = requestOf(client, { state: 'a state' });

const serverError = {
  address: client.redirectUri,
  parameters: [
    ['error', 'server_error'],
    ['error_description', 'internal_error'],
    ['state', 'a state'],
    ['iss', service.appUrl],
  ],
};

describe('a fault after the redirect URI was validated is sent to the client as server_error (contract §3)', () => {
  test('when the page is opened', async () => {
    const answer = await withoutTable(database, 'memberships', () =>
      openAuthorizePage(service, request, cookie),
    );

    expect(answer.statusCode).toBe(303);
    expect(redirectOf(answer)).toEqual(serverError);
  });

  test('when a decision is read', async () => {
    const form = await openDecision(service, request, cookie);

    const answer = await withoutTable(database, 'groups', () => decide(service, form, 'deny', cookie));

    expect(answer.statusCode).toBe(303);
    expect(redirectOf(answer)).toEqual(serverError);
  });

  test('when the grant is stored; the same decision works once the fault is gone', async () => {
    const form = await openDecision(service, request, cookie);

    const answer = await refusingInserts(database, 'grants', () => decide(service, form, 'allow', cookie));
    const stored = await grantsOf(service, client);
    const again = await decide(service, form, 'allow', cookie);

    expect(answer.statusCode).toBe(303);
    expect(redirectOf(answer)).toEqual(serverError);
    expect(stored).toEqual([]);
    expect(redirectOf(again).parameters.map(([name]) => name)).toEqual(['code', 'state', 'iss']);
  });
});

test('when the disk is full, Allow says to the client that it can try again (contract §3, security C70)', async () => {
  const form = await openDecision(service, request, cookie);
  const allow = () => decide(service, form, 'allow', cookie);

  const answer = await refusingInserts(database, 'grants', allow, '53100');

  expect(answer.statusCode).toBe(303);
  expect(redirectOf(answer).parameters.slice(0, 2)).toEqual([
    ['error', 'temporarily_unavailable'],
    ['error_description', 'try_again'],
  ]);
  expect(redirectOf(await allow()).parameters[0]?.[0]).toBe('code');
});

describe.each([
  ['the client cannot be read', 'clients'],
  ['the session cannot be read', 'sessions'],
] as const)('when %s', (_name, table) => {
  test('the page shows the fault and sends nobody anywhere (contract §3)', async () => {
    const answer = await withoutTable(database, table, () => openAuthorizePage(service, request, cookie));

    expect(answer.statusCode).toBe(500);
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(answer.headers).not.toHaveProperty('location');
    expect(titleOf(answer)).toBe('Something went wrong');
    expect(textOf(answer.body)).not.toMatch(/select|relation|drizzle|postgres|at .*\.ts/i);
  });
});

test('a fault is logged without the request (contract §3, security C25)', async () => {
  await withoutTable(database, 'memberships', () =>
    openAuthorizePage(service, { ...request, state: 'state-canary' }, cookie),
  );

  expect(service.logText()).toContain('an authorization request failed');
  expect(service.logText()).not.toContain('state-canary');
});

test('nothing that opens a door reaches the log on the whole way (contract §4, security C25)', async () => {
  const user = await addUser(service);
  const client = await addClient(service);
  const pkce = createPkce();
  const state = 'state-canary';
  const cookie = await startSession(service, user);
  await openAuthorizePage(service, requestOf(client, { state }));
  const form = await openDecision(
    service,
    requestOf(client, { state, code_challenge: pkce.challenge }),
    cookie,
  );
  const code = codeOf(await decide(service, form, 'allow', cookie)) ?? '';
  await decide(service, { ...form, decision: `${form['decision']}AAAA` }, 'allow', cookie);
  const fields = { grant_type: 'authorization_code', code, redirect_uri: client.redirectUri };
  const exchange = { ...clientFields(client), ...fields, code_verifier: pkce.verifier };
  const tokens = (await requestToken(service, exchange)).json();
  await requestToken(service, exchange);
  await refresh(service, client, tokens.refresh_token);

  const log = service.logText();

  expect(log).toContain('grant.approved');
  const secrets = {
    password: user.password,
    session: cookie.split('=')[1],
    decision: form['decision'],
    clientSecret: client.secret,
    verifier: pkce.verifier,
    accessToken: tokens.access_token,
    refreshToken: tokens.refresh_token,
    code,
    state,
  };
  for (const [name, secret] of Object.entries(secrets)) {
    expect(secret?.length, name).toBeGreaterThan(8);
    expect(log.includes(secret), name).toBe(false);
  }
});

test('a stolen database opens nothing: neither session nor code is stored (architecture §2, security C25)', async () => {
  const cookie = await startSession(service, await addUser(service));
  const client = await addClient(service);
  const form = await openDecision(service, requestOf(client), cookie);
  const code = codeOf(await decide(service, form, 'allow', cookie)) ?? '';

  const { decision = '' } = form;

  const content = JSON.stringify(await readTables(service.database));

  expect(content).toContain(client.id);
  for (const secret of [code, cookie.split('=')[1] ?? '', client.secret ?? '', decision]) {
    expect(secret.length).toBeGreaterThan(20);
    expect(content.includes(secret)).toBe(false);
  }
});
