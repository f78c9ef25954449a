import { describe, expect, test } from 'vitest';
import { openDecision, redirectOf, requestOf } from '../support/authorization.ts';
import { expectErrorPage } from '../support/page-content.ts';
import { sharedService } from '../support/service.ts';
import { addTeam } from '../support/teams.ts';
import { grantsOf } from '../support/tokens.ts';
import { addClient, addUser, authorizePath, createPkce, startSession } from '../support/world.ts';

const service = await sharedService();
const user = await addUser(service);
const cookie = await startSession(service, user);
const team = await addTeam(service, user);
const client = await addClient(service, { scopes: ['PROFILE_READ'] });
const full = {
  client_id: client.id,
  redirect_uri: client.redirectUri,
  response_type: 'code',
  state: 'a state',
  scope: 'PROFILE_READ',
  code_challenge: createPkce().challenge,
  code_challenge_method: 'S256',
  team_slug: team.slug,
};

const encode = (fields: Readonly<Record<string, string>>): string => new URLSearchParams(fields).toString();

const refused = {
  address: client.redirectUri,
  parameters: [
    ['error', 'invalid_request'],
    ['error_description', 'a_parameter_is_repeated_too_long_or_damaged'],
    ['state', full.state],
    ['iss', service.appUrl],
  ],
};

async function get(query: string) {
  const url = query.startsWith(authorizePath) ? query : `${authorizePath}?${query}`;
  return service.app.inject({ url, headers: { cookie } });
}

async function post(payload: string, type = 'application/x-www-form-urlencoded') {
  const headers = { cookie, 'content-type': type, 'sec-fetch-site': 'same-origin' };
  return service.app.inject({ method: 'POST', url: authorizePath, headers, payload });
}

const spoilings = [
  ['a byte that is no UTF-8', (name: string, value: string) => `${encode({ [name]: value })}%E9`],
  ['NUL at its end', (name: string, value: string) => encode({ [name]: `${value}\0` })],
  ['NUL alone', (name: string) => `${name}=%00`],
  [
    'a character too many',
    (name: string, value: string) => encode({ [name]: value.padEnd(name === 'state' ? 8193 : 2049, 'x') }),
  ],
  [
    'its value twice',
    (name: string, value: string) => `${encode({ [name]: value })}&${encode({ [name]: value })}`,
  ],
  ['a second, empty value', (name: string, value: string) => `${encode({ [name]: value })}&${name}=`],
] as const;

describe.each(Object.keys(full))('%s', (name) => {
  const { [name]: value = '', ...others } = Object.fromEntries(Object.entries(full));

  test.each(spoilings)(
    'in the query with %s is refused, to the app where the answer’s way is known (RFC 6749 §3.1, §4.1.2.1, security C21, C35)',
    async (_way, spoil) => {
      const address = `${authorizePath}?${encode(others)}&${spoil(name, value)}`;
      const answer = await get(address);

      if (['client_id', 'redirect_uri', 'state'].includes(name)) {
        expectErrorPage(answer, client.redirectUri);
        return;
      }
      expect([answer.statusCode, redirectOf(answer)]).toEqual([303, refused]);
      const startSession = await service.app.inject({ url: address });
      const [, back = ''] = String(startSession.headers.location).split('?return_to=');
      expect(back).not.toBe('');
      const again = await get(decodeURIComponent(back));
      expect([again.statusCode, redirectOf(again)]).toEqual([303, refused]);
    },
  );

  test.each(spoilings)(
    'in the form with %s decides nothing (RFC 6749 §3.1, security C21, C35)',
    async (_way, spoil) => {
      const { decision = '' } = await openDecision(service, full, cookie);

      const answer = await post(`${encode({ ...others, decision, action: 'allow' })}&${spoil(name, value)}`);

      expectErrorPage(answer, client.redirectUri);
      expect(await grantsOf(service, client)).toEqual([]);
    },
  );
});

describe.each(['account', 'decision', 'action'])('%s', (name) => {
  test.each(spoilings)('with %s decides nothing (security C21, C35)', async (_way, spoil) => {
    const lone = await addClient(service);
    const { [name]: value = team.slug, ...others } = {
      ...(await openDecision(service, requestOf(lone), cookie)),
      action: 'allow',
      account: team.slug,
    };

    const answer = await post(`${encode(others)}&${spoil(name, value)}`);

    expect(answer.statusCode).toBe(400);
    expect(await grantsOf(service, lone)).toEqual([]);
  });
});

test.each([
  ['a list', 'client_id[]=x&redirect_uri[]=y'],
  ['an object', 'client_id[a]=x&redirect_uri[b]=y'],
  ['__proto__', `__proto__[clientId]=x&__proto__=y&constructor=z&${encode({ client_id: 'unknown' })}`],
  ['names of built-ins', 'toString=x&hasOwnProperty=y&valueOf=z'],
  ['broken escapes', 'client_id=%zz&redirect_uri=%'],
  ['bytes that are no UTF-8', 'client_id=%ff%fe&redirect_uri=%c3%28'],
  ['a thousand parameters', Array.from({ length: 1000 }, (_, index) => `p${index}=x`).join('&')],
  ['separators alone', '&&&===&'],
] as const)(
  '%s as parameters is refused on the page, by GET and POST (security C21)',
  async (_name, query) => {
    expectErrorPage(await get(query));
    expectErrorPage(await post(query));
  },
);

test.each([
  ['JSON', 'application/json', '{"client_id":1}', 415],
  ['text', 'text/plain', 'client_id=x', 415],
  ['multipart', 'multipart/form-data; boundary=x', '--x--', 415],
  ['too large', 'application/x-www-form-urlencoded', `state=${'x'.repeat(65_536)}`, 413],
  ['empty', 'application/x-www-form-urlencoded', '', 400],
] as const)('a body that is %s is refused as a page (security C36)', async (_name, type, payload, status) => {
  const answer = await post(payload, type);

  expect(answer.statusCode).toBe(status);
  expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
});

test.each(['%', '%zz', '%00', '%ff'])(
  'a form whose state is not as the page wrote it, %s, decides nothing',
  async (state) => {
    const form = await openDecision(service, full, cookie);

    const answer = await post(encode({ ...form, state, action: 'allow' }));

    expectErrorPage(answer, client.redirectUri);
    expect(await grantsOf(service, client)).toEqual([]);
  },
);

test('parameters that are not known are ignored (RFC 6749 §3.1)', async () => {
  const page = await get(`${encode(full)}&prompt=login&nonce=x&nonce=y`);

  expect(page.statusCode).toBe(200);
});
