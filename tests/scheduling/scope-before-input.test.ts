import { eq } from 'drizzle-orm';
import { decodeJwt } from 'jose';
import { expect, test } from 'vitest';
import { clients } from '../../src/oauth/tables.ts';
import { represent } from '../support/api.ts';
import { fetchDocument, listOperations } from '../support/document.ts';
import { scopeNames } from '../support/scopes.ts';
import { openTestService } from '../support/service.ts';

const service = await openTestService();
const operations = listOperations(await fetchDocument(service.app));
const spoilt = { 'cal-api-version': 'latest', 'content-type': 'application/json' };

/** Calls with nothing right: not the path, the query, the version or the body. */
async function callWithFaults(method: string, path: string, headers: Readonly<Record<string, string>>) {
  const url = `${path.replaceAll(/\{\w+\}/g, '!')}?take=none&dateFrom=none&sortCreatedAt=none`;
  const request = service.app.inject().headers({ ...spoilt, ...headers });
  if (method === 'get') return request.get(url);
  if (method === 'delete') return request.delete(url).payload('[]');
  if (method === 'put') return request.put(url).payload('[]');
  return (method === 'patch' ? request.patch(url) : request.post(url)).payload('[]');
}

/** With an app that is registered for all but this scope; and with one that was, once, registered for it. */
const withoutScope = new Map<string, { readonly never: string; readonly noLonger: string }>();
for (const scope of [...scopeNames, 'openid']) {
  const others = scopeNames.filter((name) => name !== scope && name !== scope.replace('READ', 'WRITE'));
  const never = await represent(service, { scopes: others });
  const noLonger = await represent(service);
  const clientId = String(decodeJwt(noLonger.token)['client_id']);
  await service.database.db
    .update(clients)
    .set({ scopes: others, acceptedScopes: others })
    .where(eq(clients.id, clientId));
  withoutScope.set(scope, { never: never.token, noLonger: noLonger.token });
}
const full = await represent(service);

type Operation = (typeof operations)[number];
const isEmpty = (way: object): boolean => Object.keys(way).length === 0;
const isOfOAuth = ({ operation: { tags } }: Operation): boolean => tags[0] === 'OAuth';

const scopesOf = ({ operation: { security } }: Operation): readonly string[] =>
  security.find(({ oauth2 }) => oauth2 !== undefined)?.['oauth2'] ?? [];

const isGuarded = (listed: Operation): boolean =>
  !isOfOAuth(listed) && !listed.operation.security.some(isEmpty);

/** With a token or without one. */
const isOpen = (listed: Operation): boolean =>
  !isOfOAuth(listed) && !isGuarded(listed) && !listed.operation.security.every(isEmpty);

const isDated = ({ operation: { parameters, security } }: Operation): boolean =>
  parameters.some(({ name }) => name === 'cal-api-version') && !security.some((it) => 'clientBasic' in it);

/** No personal token says who somebody is (contract §6). */
const adviceFor = (scope: string): string =>
  scope === 'openid'
    ? 'Register an app for it and ask the user again.'
    : 'Register the app for it and ask the user again, or create a token that has it.';

async function checkScope({ method, path }: Operation, scope: string): Promise<void> {
  const { never, noLonger } = withoutScope.get(scope) ?? { never: '', noLonger: '' };

  const first = await callWithFaults(method, path, { authorization: `Bearer ${never}` });
  expect.soft(first.statusCode, `a token without ${scope} (contract §6)`).toBe(403);
  expect.soft(first.json().error).toEqual({
    code: 'Forbidden',
    message: `This access token doesn’t have the scope ${scope}. ${adviceFor(scope)}`,
    details: { scope: `${scope} is required` },
  });

  const headers = { authorization: `Bearer ${noLonger}`, 'cal-api-version': '2024-04-15' };
  const second = await callWithFaults(method, path, headers);
  expect.soft(second.statusCode, `an app that is no longer registered for ${scope} (security C60)`).toBe(403);
  expect.soft(second.json().error.details).toEqual({ scope: `${scope} is required` });
}

/** Cal.com's own, its documentation's for bookings since 2026, and one that nobody knows yet. */
const sentVersions = [
  ...['2024-04-15', '2024-05-21', '2024-06-11', '2024-06-14', '2024-08-13', '2024-09-04'],
  ...['2026-02-25', '2031-01-01'],
];

/** Every version of Cal.com's, known here or not, gets the answer in one version, which it names. */
async function checkVersions({ method, path, operation: { parameters } }: Operation): Promise<void> {
  const authorization = `Bearer ${full.token}`;
  const unknown = await callWithFaults(method, path, { authorization });
  expect.soft(unknown.statusCode, 'what is no version (contract §8)').toBe(400);
  expect.soft(unknown.json().error.details, 'it says what one is (contract §8)').toEqual({
    'cal-api-version': 'Send a date, such as 2024-08-13.',
  });

  const version = parameters.find(({ name }) => name === 'cal-api-version')?.examples?.sent.value;
  for (const sent of sentVersions) {
    const answer = await callWithFaults(method, path, { authorization, 'cal-api-version': sent });

    expect.soft(answer.headers['cal-api-version'], sent).toBe(version);
    if (path === '/v2/slots/available' && sent === '2024-09-04')
      expect.soft(answer.json().error).toMatchObject({
        code: 'NotFound',
        message: 'In version 2024-09-04, use GET /v2/slots, or /v2/slots/reservations.',
      });
    else {
      expect.soft(answer.json().error?.details ?? {}, sent).not.toHaveProperty('cal-api-version');
      expect.soft(answer.body, sent).not.toContain('In version');
    }
  }
}

test.each(operations)(
  'who asks, for which scope and in which version is looked at before all other input: $method $path (contract §5, §6, §8)',
  async (listed) => {
    const { method, path, operation } = listed;

    for (const scope of scopesOf(listed)) await checkScope(listed, scope);
    if (isGuarded(listed)) {
      const answer = await callWithFaults(method, path, {});
      expect.soft(answer.statusCode, 'without credentials (contract §5)').toBe(401);
      expect.soft(answer.json().error.details, 'nothing is said of the input').toEqual({});
    }
    if (isOpen(listed)) {
      // What visitors ask is limited, and they have asked often by now.
      service.clock.advance(60);
      const answer = await callWithFaults(method, path, { authorization: 'Bearer none' });
      expect.soft(answer.statusCode, 'a token that is not valid (contract §5)').toBe(401);
      expect.soft(operation.responses, 'the document says so').toHaveProperty('401');
    }
    if (isDated(listed)) await checkVersions(listed);
  },
);

test('there are operations of each of these kinds', () => {
  const count = (is: (listed: Operation) => unknown): number => operations.filter(is).length;

  expect(count((listed) => scopesOf(listed).length > 0)).toBeGreaterThan(20);
  expect(count(isGuarded)).toBeGreaterThan(25);
  expect(count(isOpen)).toBeGreaterThan(4);
  expect(count(isDated)).toBeGreaterThan(30);
});
