import { eq } from 'drizzle-orm';
import { decodeJwt } from 'jose';
import { expect, test } from 'vitest';
import { clients } from '../../src/oauth/tables.ts';
import { handedIn } from '../../src/part.ts';
import { knownVersions } from '../../src/v2/operation.ts';
import { represent } from '../support/api.ts';
import { fetchDocument, listOperations } from '../support/document.ts';
import { scopeNames } from '../support/scopes.ts';
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
  if (method === 'put') return request.put(url).payload('[]');
  return (method === 'patch' ? request.patch(url) : request.post(url)).payload('[]');
}

const wanting = operations.flatMap(({ method, path, operation }) => {
  const scopes = operation.security.find(({ oauth2 }) => oauth2 !== undefined)?.['oauth2'] ?? [];
  return scopes.map((scope) => ({ method, path, scope }));
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
      message: `This access token doesn’t have the scope ${scope}. Register the app for it and ask the user again.`,
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

    const headers = { authorization: `Bearer ${token}`, 'cal-api-version': knownVersions[0] };
    const answer = await callWithFaults(method, path, headers);

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

const dated = operations.filter(
  ({ operation: { parameters, security } }) =>
    parameters.some(({ name }) => name === 'cal-api-version') && !security.some((it) => 'clientBasic' in it),
);
const full = await represent(service);
const authorization = `Bearer ${full.token}`;

test.each(dated)(
  'an unknown version is refused, and the known ones listed, before all else of the input: $method $path (contract §8)',
  async ({ method, path }) => {
    const answer = await callWithFaults(method, path, { authorization });

    expect(answer.statusCode).toBe(400);
    expect(answer.json().error.details).toEqual({
      'cal-api-version': `Send one of ${knownVersions.join(', ')}.`,
    });
  },
);

test.each(dated)(
  'every version of Cal.com’s gets the answer in one version, which it names: $method $path (contract §8)',
  async ({ method, path, operation: { tags } }) => {
    const isLegacy = path === '/v2/slots/available';
    const { version } =
      handedIn(service.app.parts, ({ families }) => families).find(({ name }) => name === tags[0]) ?? {};
    for (const sent of knownVersions) {
      const answer = await callWithFaults(method, path, { authorization, 'cal-api-version': sent });

      expect(answer.headers['cal-api-version']).toBe(isLegacy ? '2024-04-15' : version);
      if (isLegacy && sent === '2024-09-04')
        expect(answer.json().error).toMatchObject({
          code: 'NotFound',
          message: 'In version 2024-09-04, use GET /v2/slots.',
        });
      else {
        expect(answer.json().error?.details ?? {}).not.toHaveProperty('cal-api-version');
        expect(answer.body).not.toContain('In version');
      }
    }
  },
);

test('there are operations of each of these kinds', () => {
  expect([wanting.length > 20, guarded.length > 25, open.length > 4]).toEqual([true, true, true]);
  expect(dated.length).toBeGreaterThan(30);
});
