import { expect, test } from 'vitest';
import { codeOf, openDecision, requestOf } from '../support/authorization.ts';
import { allowForGood } from '../support/consent.ts';
import { expectErrorPage, titleOf } from '../support/page-content.ts';
import { sharedService } from '../support/service.ts';
import { grantsOf } from '../support/tokens.ts';
import { addClient, addUser, authorizePath, startSession } from '../support/world.ts';

const service = await sharedService();
const cookie = await startSession(service, await addUser(service));
const client = await addClient(service, { scopes: ['PROFILE_READ', 'BOOKING_READ'] });
const request = requestOf(client, { state: 'a state', scope: 'BOOKING_READ' });
const encode = (fields: Readonly<Record<string, string>>): string =>
  Object.entries(fields)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&');
const address = `${authorizePath}?${encode(request)}`;
const crossSite = { 'sec-fetch-site': 'cross-site', origin: 'https://app.example' };

async function post(
  url: string,
  body: string | undefined,
  sender: Readonly<Record<string, string>> = crossSite,
) {
  const type = body === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' };
  const headers = { cookie, ...type, ...sender };
  return service.app.inject({
    method: 'POST',
    url,
    headers,
    ...(body === undefined ? {} : { payload: body }),
  });
}

test.each([
  ['a 307 of an app’s form', address, 'csrfToken=x&action=allow&state=another&account=&remember=yes'],
  ['a 307 without a body', address, undefined],
  ['a form that an app sends (RFC 6749 §3.1)', authorizePath, `${encode(request)}&action=allow&remember=yes`],
] as const)(
  '%s leads to the same request as a GET, and decides nothing',
  { tags: 'parts' },
  async (_name, url, body) => {
    for (const sender of [crossSite, { 'sec-fetch-site': 'same-site' }, { origin: 'null' }, {}]) {
      const answer = await post(url, body, sender);

      expect(answer.statusCode).toBe(303);
      const location = new URL(String(answer.headers.location), service.appUrl);
      expect(location.pathname).toBe(authorizePath);
      expect(Object.fromEntries(location.searchParams)).toEqual(request);
      const page = await service.app.inject({ url: String(answer.headers.location), headers: { cookie } });
      expect(titleOf(page)).toContain('wants access to your Latchkey account');
    }

    expect(await grantsOf(service, client)).toEqual([]);
  },
);

test('a posted request is answered by remembered consent only as the GET that it leads to', async () => {
  const own = await addClient(service);
  await allowForGood(service, own, cookie);

  const answer = await post(`${authorizePath}?${encode(requestOf(own))}`, 'a=b');

  expect([answer.statusCode, codeOf(answer)]).toEqual([303, undefined]);
  expect(await grantsOf(service, own)).toHaveLength(1);
});

test.each([
  ['a repeated client_id', `client_id=${client.id}&${encode(request)}`],
  ['a state that isn’t UTF-8', `${encode({ ...request, state: '' })}caf%E9&state=caf%E9`],
] as const)('%s stays refused when it is posted', async (_name, body) => {
  const { headers } = await post(authorizePath, body);

  expectErrorPage(await service.app.inject({ url: String(headers.location), headers: { cookie } }));
});

test('a decision that another site sends, wherever its request is, decides nothing (security C17, C229)', {
  tags: 'parts',
}, async () => {
  const { decision = '', ...fields } = await openDecision(service, request, cookie);
  const form = { ...fields, decision, action: 'allow' };

  const answers = [
    await post(authorizePath, encode(form)),
    await post(address, encode(form)),
    await post(address, `decision=${encodeURIComponent(decision)}&action=allow`),
    await post(address, 'decision=&action=allow'),
  ];

  expect(answers.map(({ statusCode }) => statusCode)).toEqual([403, 403, 403, 403]);
  expect(await grantsOf(service, client)).toEqual([]);
});
