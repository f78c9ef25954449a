import { describe, expect, test } from 'vitest';
import {
  codeOf,
  decide,
  decisionFormOf,
  openDecision,
  redirectOf,
  requestOf,
} from '../support/authorization.ts';
import { allowForGood, consentTitle, exchangeCode } from '../support/consent.ts';
import { addSignInClient, verifyIdToken } from '../support/openid.ts';
import { expectErrorPage, titleOf } from '../support/page-content.ts';
import { sharedService } from '../support/service.ts';
import { addTeam } from '../support/teams.ts';
import { grantsOf } from '../support/tokens.ts';
import {
  addClient,
  addUser,
  authorizePath,
  createPkce,
  openAuthorizePage,
  startSession,
} from '../support/world.ts';

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

const postingApp = await addClient(service, { scopes: ['PROFILE_READ', 'BOOKING_READ'] });
const request = requestOf(postingApp, { state: 'a state', scope: 'BOOKING_READ' });

const encodeBlanks = (fields: Readonly<Record<string, string>>): string =>
  Object.entries(fields)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&');

const address = `${authorizePath}?${encodeBlanks(request)}`;
const crossSite = { 'sec-fetch-site': 'cross-site', origin: 'https://app.example' };

async function postTo(
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
  [
    'a form that an app sends (RFC 6749 §3.1)',
    authorizePath,
    `${encodeBlanks(request)}&action=allow&remember=yes`,
  ],
] as const)(
  '%s leads to the same request as a GET, and decides nothing',
  { tags: 'parts' },
  async (_name, url, body) => {
    for (const sender of [crossSite, { 'sec-fetch-site': 'same-site' }, { origin: 'null' }, {}]) {
      const answer = await postTo(url, body, sender);

      expect(answer.statusCode).toBe(303);
      const location = new URL(String(answer.headers.location), service.appUrl);
      expect(location.pathname).toBe(authorizePath);
      expect(Object.fromEntries(location.searchParams)).toEqual(request);
      const page = await service.app.inject({ url: String(answer.headers.location), headers: { cookie } });
      expect(titleOf(page)).toContain(consentTitle(''));
    }

    expect(await grantsOf(service, postingApp)).toEqual([]);
  },
);

test('a posted request is answered by remembered consent only as the GET that it leads to', async () => {
  const own = await addClient(service);
  await allowForGood(service, own, cookie);

  const answer = await postTo(`${authorizePath}?${encodeBlanks(requestOf(own))}`, 'a=b');

  expect([answer.statusCode, codeOf(answer)]).toEqual([303, undefined]);
  expect(await grantsOf(service, own)).toHaveLength(1);
});

test.each([
  ['a repeated client_id', `client_id=${postingApp.id}&${encodeBlanks(request)}`],
  ['a state that isn’t UTF-8', `${encodeBlanks({ ...request, state: '' })}caf%E9&state=caf%E9`],
] as const)('%s stays refused when it is posted', async (_name, body) => {
  const { headers } = await postTo(authorizePath, body);

  expectErrorPage(await service.app.inject({ url: String(headers.location), headers: { cookie } }));
});

test('a decision that another site sends, wherever its request is, decides nothing (security C17, C229)', {
  tags: 'parts',
}, async () => {
  const { decision = '', ...fields } = await openDecision(service, request, cookie);
  const form = { ...fields, decision, action: 'allow' };

  const answers = [
    await postTo(authorizePath, encodeBlanks(form)),
    await postTo(address, encodeBlanks(form)),
    await postTo(address, `decision=${encodeURIComponent(decision)}&action=allow`),
    await postTo(address, 'decision=&action=allow'),
  ];

  expect(answers.map(({ statusCode }) => statusCode)).toEqual([403, 403, 403, 403]);
  expect(await grantsOf(service, postingApp)).toEqual([]);
});

const statefulApp = await addClient(service);

async function stateAfter(state: string, action: 'allow' | 'deny'): Promise<readonly string[]> {
  const form = await openDecision(service, requestOf(statefulApp, { state }), cookie);
  const answer = await decide(service, form, action, cookie);
  return redirectOf(answer).parameters.flatMap(([name, value]) => (name === 'state' ? [value] : []));
}

const states = {
  'a plus': 'a+b',
  'an escaped plus': 'a%2Bb',
  blanks: ' a  b ',
  'parameters of its own': 'x&code=evil&state=evil&iss=evil',
  'a fragment': '#a=b',
  '%00 as text': '%00',
  CRLF: 'a\r\nLocation: https://evil.example\r\n\r\n<html>',
  tabs: '\ta\t',
  'control characters': '\u0001\u001f\u007f\u0085',
  markup: `"><script>alert('1')</script>&amp;&#39;`,
  'characters of every width': 'ä€𐍈🗝️ e\u0301 \u202e\u200b\ufeff',
  'line separators': '\u2028\u2029',
  'JSON in base64': Buffer.from('{"next":"/?a=b>>>","n":"ÿ"}').toString('base64'),
  'one character': '0',
  '4096 characters': 'x'.repeat(4096),
  '4096 characters that are written escaped': '%'.repeat(4096),
  '1365 characters outside of ASCII': '€'.repeat(1365),
} as const;

describe.each(['allow', 'deny'] as const)('after %s', (action) => {
  test.each(Object.entries(states))(
    'state with %s comes back once and unchanged (contract §3, security C34)',
    async (_name, state) => {
      expect(await stateAfter(state, action)).toEqual([state]);
    },
  );
});

test('a query has question marks of its own, which are no end of it (RFC 3986 §3.4)', async () => {
  const redirectUri = 'https://app.example/callback?from=us';
  const odd = await addClient(service, { redirectUris: [redirectUri] });
  const url = `${authorizePath}?client_id=${odd.id}&redirect_uri=https://app.example/callback?from%3Dus&state=what?&scope=NONE`;
  const refused = await service.app.inject({ url, headers: { cookie } });

  expect(Object.fromEntries(redirectOf(refused).parameters)).toMatchObject({
    ...{ from: 'us', error: 'invalid_scope', state: 'what?' },
  });
});

test.each([
  ['a lone LF', 'a\nb'],
  ['a lone CR', 'a\rb'],
  ['CRLF', 'a\r\nb'],
] as const)(
  'state with %s comes back unchanged, and no other parameter keeps Allow from working, although browsers write every line break of a form as CRLF (HTML, section 4.10.21.4, security C34)',
  { tags: ['parts'] },
  async (_name, state) => {
    const app = await addSignInClient(service);
    const request = requestOf(app, { scope: `openid ${state}`, nonce: state, login_hint: state, state });
    const form = await openDecision(service, request, cookie);
    const sent = Object.entries(form).map(([name, value]) => [name, value.replaceAll(/\r\n?|\n/g, '\r\n')]);

    const answer = await decide(service, Object.fromEntries(sent), 'allow', cookie);

    expect(redirectOf(answer).parameters).toContainEqual(['state', state]);
    const tokens = (await exchangeCode(service, app, codeOf(answer))).json();
    expect(await verifyIdToken(service, tokens, app.id)).toMatchObject({ nonce: state });
  },
);

test.each([
  ['NUL', 'a\0b'],
  ['4097 characters', 'x'.repeat(4097)],
  ['1366 characters of three bytes each', '€'.repeat(1366)],
] as const)('state with %s is refused on the page (contract §3, security C34, C35)', async (_name, state) => {
  const page = await openAuthorizePage(service, requestOf(statefulApp, { state }), cookie);

  expectErrorPage(page, statefulApp.redirectUri);
});

test.each(['caf%E9', '%ff', '%ED%A0%80', 'ok%20%C3'])(
  'state of bytes that are no UTF-8, %s, is refused on the page, before sign-in too (contract §3, RFC 6749 appendix A.5)',
  async (state) => {
    const url = `${authorizePath}?${new URLSearchParams(requestOf(statefulApp)).toString()}&state=${state}`;

    for (const headers of [{ cookie }, {}])
      expectErrorPage(await service.app.inject({ url, headers }), statefulApp.redirectUri);
  },
);

test.each([
  ['100%', '100%'],
  ['100%&%zz', '100%'],
  ['%C3%A9%', 'é%'],
  ['%25E9', '%E9'],
  ['a+b', 'a b'],
])('state=%s comes back as %j: a percent sign alone stands for itself', async (sent, state) => {
  const url = `${authorizePath}?${new URLSearchParams(requestOf(statefulApp)).toString()}&state=${sent}`;
  const page = await service.app.inject({ url, headers: { cookie } });

  const answer = await decide(service, decisionFormOf(page.body), 'deny', cookie);

  expect(redirectOf(answer).parameters).toContainEqual(['state', state]);
});
