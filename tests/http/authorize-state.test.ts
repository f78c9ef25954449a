import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  codeOf,
  decide,
  decisionFormOf,
  openDecision,
  redirectOf,
  requestOf,
} from '../support/authorization.ts';
import { exchangeCode } from '../support/consent.ts';
import { addSignInClient, verifyIdToken } from '../support/openid.ts';
import { addressesOn, expectErrorPage, hiddenFieldOf } from '../support/page-content.ts';
import { sharedService } from '../support/service.ts';
import { listen, sendRaw, writeRequest } from '../support/socket.ts';
import {
  addClient,
  addUser,
  authorizePath,
  hiddenFieldsOf,
  openAuthorizePage,
  startSession,
} from '../support/world.ts';

const service = await sharedService();
const user = await addUser(service);
const cookie = await startSession(service, user);
const client = await addClient(service);

async function stateAfter(state: string, action: 'allow' | 'deny'): Promise<readonly string[]> {
  const form = await openDecision(service, requestOf(client, { state }), cookie);
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

test('any state comes back once and unchanged (contract §3, security C34)', async () => {
  const anyState = fc
    .string({ unit: 'binary', minLength: 1, maxLength: 300 })
    .filter((state) => !state.includes('\0'));
  await fc.assert(
    fc.asyncProperty(anyState, async (state) => {
      expect(await stateAfter(state, 'deny')).toEqual([state]);
    }),
    { numRuns: 60 },
  );
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
  const page = await openAuthorizePage(service, requestOf(client, { state }), cookie);

  expectErrorPage(page, client.redirectUri);
});

test.each(['caf%E9', '%ff', '%ED%A0%80', 'ok%20%C3'])(
  'state of bytes that are no UTF-8, %s, is refused on the page, before sign-in too (contract §3, RFC 6749 appendix A.5)',
  async (state) => {
    const url = `${authorizePath}?${new URLSearchParams(requestOf(client)).toString()}&state=${state}`;

    for (const headers of [{ cookie }, {}])
      expectErrorPage(await service.app.inject({ url, headers }), client.redirectUri);
  },
);

test.each([
  ['100%', '100%'],
  ['100%&%zz', '100%'],
  ['%C3%A9%', 'é%'],
  ['%25E9', '%E9'],
  ['a+b', 'a b'],
])('state=%s comes back as %j: a percent sign alone stands for itself', async (sent, state) => {
  const url = `${authorizePath}?${new URLSearchParams(requestOf(client)).toString()}&state=${sent}`;
  const page = await service.app.inject({ url, headers: { cookie } });

  const answer = await decide(service, decisionFormOf(page.body), 'deny', cookie);

  expect(redirectOf(answer).parameters).toContainEqual(['state', state]);
});

describe('on the wire', async () => {
  const port = await listen(service);

  /** Opens an address as a browser does, and answers its status, headers by name, and body. */
  async function visit(path: string, form?: Readonly<Record<string, string>>) {
    const headers = [['Cookie', cookie]] as const;
    const body = form === undefined ? '' : new URLSearchParams(form).toString();
    const request =
      form === undefined
        ? writeRequest(`GET ${path}`, headers)
        : writeRequest(
            `POST ${path}`,
            [...headers, ['Content-Type', 'application/x-www-form-urlencoded']],
            body,
          );
    const { status, head, body: html } = await sendRaw(port, request);
    const lines = head
      .split('\r\n')
      .slice(1)
      .map((line) => line.split(': ', 2));
    return { status, lines, html, location: lines.find(([name]) => name === 'location')?.[1] ?? '' };
  }

  test('a state with CRLF splits no header (security C34)', async () => {
    const state = 'a\r\nSet-Cookie: evil=1\r\n<b>';
    const query = new URLSearchParams(requestOf(client, { state })).toString();
    const page = await visit(`${authorizePath}?${query}`);

    const answer = await visit(authorizePath, { ...hiddenFieldsOf(page.html), action: 'allow' });

    expect(answer.status).toBe(303);
    expect(answer.lines.map(([name]) => name?.toLowerCase())).not.toContain('set-cookie');
    expect(new URL(answer.location).searchParams.get('state')).toBe(state);
    expect(answer.html).not.toContain('<b>');
  });

  test.each([
    ['ASCII', '/'],
    ['two bytes each', 'é'],
    ['three bytes each', '€'],
  ] as const)(
    'a state of 1365 characters, %s, survives the way through the sign-in page (contract §3)',
    async (_name, character) => {
      const state = character.repeat(1365);
      const query = new URLSearchParams(requestOf(client, { state })).toString();
      const raw = async (path: string) => sendRaw(port, writeRequest(`GET ${path}`, []));

      const toSignIn = await raw(`${authorizePath}?${query}`);
      const [, location = ''] = /^location: (.*)$/im.exec(toSignIn.head) ?? [];
      const signInPage = await raw(location);
      const returnTo = hiddenFieldOf(signInPage.body, 'return_to');
      const onward = await visit(`/signin/continue?return_to=${encodeURIComponent(returnTo)}`);
      const [address = ''] = addressesOn(onward.html).filter((found) => found.startsWith(authorizePath));
      const page = await visit(address);
      const answer = await visit(authorizePath, { ...hiddenFieldsOf(page.html), action: 'allow' });

      expect(new URL(answer.location).searchParams.get('state')).toBe(state);
    },
  );
});
