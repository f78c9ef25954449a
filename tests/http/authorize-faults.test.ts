import { describe, expect, test } from 'vitest';
import { decide, openDecision, redirectOf, requestOf } from '../support/authorization.ts';
import { refusingInserts, withoutTable } from '../support/database-faults.ts';
import { layDatabaseLine } from '../support/database-line.ts';
import { textOf, titleOf } from '../support/page-content.ts';
import { openAnotherInstance, sharedService } from '../support/service.ts';
import { grantsOf } from '../support/tokens.ts';
import { addClient, addUser, openAuthorizePage, startSession } from '../support/world.ts';

const service = await sharedService();
const { database } = service;
const cookie = await startSession(service, await addUser(service));
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

test('while the database is away the page asks to come back, and works again by itself (security C46)', async () => {
  const line = await layDatabaseLine(database.url);
  const far = await openAnotherInstance(service, { DATABASE_URL: line.url });
  await line.cut();

  const away = await openAuthorizePage(far, request, cookie);
  await line.mend();
  const back = await openAuthorizePage(far, request, cookie);

  expect(away.statusCode).toBe(503);
  expect(away.headers['retry-after']).toBe('5');
  expect(away.headers).not.toHaveProperty('location');
  expect(titleOf(away)).toBe('We’ll be back in a moment');
  expect(back.statusCode).toBe(200);
});
