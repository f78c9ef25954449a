import { eq } from 'drizzle-orm';
import { decodeJwt } from 'jose';
import { expect, test } from 'vitest';
import { scopeNames } from '../../src/oauth/core/scope.ts';
import { clients } from '../../src/oauth/tables.ts';
import { apiVersions } from '../../src/scheduling/operation.ts';
import { represent } from '../support/api.ts';
import { fetchDocument, listOperations } from '../support/document.ts';
import { openTestService } from '../support/service.ts';

const service = await openTestService();
const operations = listOperations(await fetchDocument(service.app));
const spoilt = { 'cal-api-version': '1999-01-01', 'content-type': 'application/json' };

/** Calls with nothing right: not the path, the query, the version or the body. */
async function callWithFaults(method: string, path: string, headers: Readonly<Record<string, string>>) {
  const url = `${path.replaceAll(/\{\w+\}/g, '!')}?take=none&dateFrom=none&sortCreatedAt=none`;
  const request = service.app.inject().headers({ ...spoilt, ...headers });
  if (method === 'get') return request.get(url);
  if (method === 'delete') return request.delete(url).payload('[]');
  return (method === 'patch' ? request.patch(url) : request.post(url)).payload('[]');
}

const wanting = operations.flatMap(({ method, path, operation }) => {
  const [scope] = operation.security.find(({ oauth2 }) => oauth2 !== undefined)?.['oauth2'] ?? [];
  return scope === undefined ? [] : [{ method, path, scope }];
});

test.each(wanting)(
  'a token without $scope is refused before its input is looked at: $method $path (contract §6)',
  async ({ method, path, scope }) => {
    const containing = scope.replace('READ', 'WRITE');
    const others = scopeNames.filter((name) => name !== scope && name !== containing);
    const { token } = await represent(service, { scopes: others });

    const answer = await callWithFaults(method, path, { authorization: `Bearer ${token}` });

    expect(answer.statusCode).toBe(403);
    expect(answer.json().error).toEqual({
      code: 'Forbidden',
      message: 'insufficient_scope',
      details: { scope: `${scope} is required` },
    });
  },
);

test.each(wanting)(
  'nor one whose client is no longer registered for $scope: $method $path (security C60)',
  async ({ method, path, scope }) => {
    const containing = scope.replace('READ', 'WRITE');
    const others = scopeNames.filter((name) => name !== scope && name !== containing);
    const { token } = await represent(service);
    const clientId = String(decodeJwt(token)['client_id']);
    await service.database.db.update(clients).set({ scopes: others }).where(eq(clients.id, clientId));

    const answer = await callWithFaults(method, path, { authorization: `Bearer ${token}` });

    expect(answer.statusCode).toBe(403);
    expect(answer.json().error.details).toEqual({ scope: `${scope} is required` });
  },
);

const guarded = operations.filter(
  ({ operation: { security, tags } }) =>
    tags[0] !== 'OAuth' && security.every((way) => Object.keys(way).length > 0),
);

test.each(guarded)(
  'without credentials nothing is said of the input: $method $path (contract §5)',
  async ({ method, path }) => {
    const answer = await callWithFaults(method, path, {});

    expect(answer.statusCode).toBe(401);
    expect(answer.json().error.details).toEqual({});
  },
);

const isEmpty = (way: object): boolean => Object.keys(way).length === 0;

/** With a token or without one. */
const open = operations.filter(
  ({ operation: { security, tags } }) =>
    tags[0] !== 'OAuth' && security.some(isEmpty) && !security.every(isEmpty),
);

test.each(open)(
  'a token that is not valid is a 401, as the document says: $method $path (contract §5)',
  async ({ method, path, operation }) => {
    const answer = await callWithFaults(method, path, { authorization: 'Bearer none' });

    expect(answer.statusCode).toBe(401);
    expect(operation.responses).toHaveProperty('401');
  },
);

const versions = [
  { family: 'Event types', version: apiVersions.eventTypes },
  { family: 'Bookings', version: apiVersions.bookings },
  { family: 'Slots', version: apiVersions.slots },
];
const dated = operations.flatMap(({ method, path, operation }) =>
  versions
    .filter(({ family }) => operation.tags.includes(family))
    .map(({ version }) => ({ method, path, version })),
);
const full = await represent(service);

test.each(dated)(
  'another version is refused, and $version named, before all else of the input: $method $path (contract §8)',
  async ({ method, path, version }) => {
    const answer = await callWithFaults(method, path, { authorization: `Bearer ${full.token}` });

    expect(answer.statusCode).toBe(400);
    expect(answer.json().error.details).toEqual({
      'cal-api-version': `The supported version is ${version}.`,
    });
  },
);

test('there are operations of each of these kinds', () => {
  expect([wanting.length > 20, guarded.length > 25, open.length > 4]).toEqual([true, true, true]);
  expect(dated.length).toBeGreaterThan(18);
});
