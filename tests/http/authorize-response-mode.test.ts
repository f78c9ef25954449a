import type { LightMyRequestResponse } from 'fastify';
import { describe, expect, test } from 'vitest';
import { type AuthorizationFields, decide, openDecision, requestOf } from '../support/authorization.ts';
import { allowForGood, exchangeCode, visit } from '../support/consent.ts';
import { policyOf } from '../support/page-content.ts';
import { sharedService } from '../support/service.ts';
import {
  addClient,
  addUser,
  hiddenFieldsOf,
  openAuthorizePage,
  startSession,
  type TestClient,
} from '../support/world.ts';

const service = await sharedService();
const cookie = await startSession(service, await addUser(service));
const { issuer } = (await service.app.inject('/.well-known/oauth-authorization-server')).json();
const tricky = ' a+b&c=d?e#f%20"\'<b>ä\t☕';

interface Answer {
  readonly mode: 'query' | 'fragment' | 'form_post';
  readonly address: string;
  readonly parameters: Readonly<Record<string, string>>;
}

/** Where an answer is, as an app would look for it. */
function answerOf(sent: LightMyRequestResponse): Answer {
  if (sent.statusCode === 200) {
    const [, action = '', form = ''] =
      /<form rel="external" method="post" action="([^"]*)">(.*?)<\/form>/s.exec(sent.body) ?? [];
    return { mode: 'form_post', address: action, parameters: hiddenFieldsOf(form) };
  }
  expect(sent.statusCode).toBe(303);
  const [, address = '', separator = '', text = ''] =
    /^([^?#]*)([?#])(.*)$/.exec(String(sent.headers.location)) ?? [];
  const parameters = Object.fromEntries(new URLSearchParams(text));
  return { mode: separator === '#' ? 'fragment' : 'query', address, parameters };
}

async function answerTo(
  client: TestClient,
  changes: AuthorizationFields,
  action: 'allow' | 'deny' = 'allow',
): Promise<Answer> {
  const form = await openDecision(service, requestOf(client, changes), cookie);
  return answerOf(await decide(service, form, action, cookie));
}

describe('an answer is where the app looks for it (OAuth 2.0 Multiple Response Types, section 2.1)', () => {
  test.each([
    ['absent', {}, 'query'],
    ['empty', { response_mode: '' }, 'query'],
    ['query', { response_mode: 'query' }, 'query'],
    ['fragment', { response_mode: 'fragment' }, 'fragment'],
    ['form_post', { response_mode: 'form_post' }, 'form_post'],
  ] as const)('response_mode %s', async (_name, changes, mode) => {
    const client = await addClient(service);
    const { redirectUri: address } = client;
    const asked = { ...changes, state: tricky };

    const allowed = await answerTo(client, asked);
    const denied = await answerTo(client, asked, 'deny');
    const { code } = allowed.parameters;

    expect(allowed).toEqual({ mode, address, parameters: { code, state: tricky, iss: issuer } });
    expect((await exchangeCode(service, client, code)).statusCode).toBe(200);
    expect(denied).toEqual({
      ...{ mode, address },
      parameters: {
        ...{ error: 'access_denied', error_description: 'user_denied', state: tricky, iss: issuer },
      },
    });
  });

  test('a query that the registered address has stays before the fragment', async () => {
    const client = await addClient(service, { redirectUris: ['https://app.example/cb?x=1'] });
    const form = await openDecision(service, requestOf(client, { response_mode: 'fragment' }), cookie);

    const { headers } = await decide(service, form, 'allow', cookie);

    expect(headers.location).toMatch(/^https:\/\/app\.example\/cb\?x=1#code=[^?]*$/);
  });

  test.each(['fragment', 'form_post'] as const)(
    'remembered consent and faults of other parameters answer by %s, too',
    async (mode) => {
      const client = await addClient(service);
      const asked = { response_mode: mode, state: 's' };
      const form = await openDecision(service, requestOf(client, asked), cookie);
      await decide(service, { ...form, remember: 'yes' }, 'allow', cookie);
      const [remembered, refused] = [
        await visit(service, requestOf(client, asked), cookie),
        await visit(service, requestOf(client, { ...asked, scope: 'NONSENSE' }), cookie),
      ];

      expect(answerOf(remembered)).toMatchObject({ mode, parameters: { code: expect.any(String) } });
      expect(answerOf(refused)).toMatchObject({ mode, parameters: { error: 'invalid_scope', state: 's' } });
    },
  );

  test('of a private-use scheme and a loopback port are fragments, too', async () => {
    for (const [registered, requested] of [
      ['com.example.app:/cb', 'com.example.app:/cb'],
      ['http://127.0.0.1/cb', 'http://127.0.0.1:49152/cb'],
    ] as const) {
      const client = await addClient(service, { type: 'public', redirectUris: [registered] });

      const answer = await answerTo(client, { response_mode: 'fragment', redirect_uri: requested });

      expect(answer).toMatchObject({ mode: 'fragment', address: requested });
    }
  });
});

describe('a mode that can’t be used gives no code (security C350)', () => {
  const unknown = 'response_mode_must_be_query_fragment_or_form_post';
  const impossible = 'form_post_needs_a_web_address_and_a_state_of_one_line';

  test.each([
    ['query.jwt', unknown],
    ['jwt', unknown],
    ['web_message', unknown],
    ['Fragment', unknown],
    ['query fragment', unknown],
    ['form_post ', unknown],
    ['\0', 'a_parameter_is_repeated_too_long_or_damaged'],
    ['x'.repeat(3000), 'a_parameter_is_repeated_too_long_or_damaged'],
  ])('%j is invalid_request, in the query', async (mode, description) => {
    const client = await addClient(service);
    await allowForGood(service, client, cookie);

    const answer = await visit(service, requestOf(client, { response_mode: mode, state: 's' }), cookie);

    expect(answerOf(answer)).toEqual({
      ...{ mode: 'query', address: client.redirectUri },
      parameters: { error: 'invalid_request', error_description: description, state: 's', iss: issuer },
    });
  });

  test('one that is repeated is invalid_request', async () => {
    const client = await addClient(service);
    const query = new URLSearchParams(requestOf(client, { response_mode: 'fragment' })).toString();
    const url = `/auth/oauth2/authorize?${query}&response_mode=fragment`;

    const answer = await service.app.inject({ url, headers: { cookie } });

    expect(answerOf(answer)).toMatchObject({ mode: 'query', parameters: { error: 'invalid_request' } });
  });

  test.each(['a\nstate', 'a\rstate', 'state\r\n'])(
    'form_post can’t give the state %j back unchanged, as browsers rewrite line breaks in forms',
    async (state) => {
      const client = await addClient(service);

      const answer = await visit(service, requestOf(client, { response_mode: 'form_post', state }), cookie);

      expect(answerOf(answer)).toMatchObject({
        ...{ mode: 'query', parameters: { error_description: impossible, state } },
      });
    },
  );

  test('form_post can’t reach a private-use scheme', async () => {
    const client = await addClient(service, { type: 'public', redirectUris: ['com.example.app:/cb'] });

    const answer = await visit(service, requestOf(client, { response_mode: 'form_post' }), cookie);

    expect(answerOf(answer)).toMatchObject({
      ...{ mode: 'query', address: 'com.example.app:/cb' },
      parameters: { error: 'invalid_request', error_description: impossible },
    });
  });

  test('nobody changes it between the page and Allow (security C28)', async () => {
    const client = await addClient(service);
    const form = await openDecision(service, requestOf(client), cookie);

    const answer = await decide(service, { ...form, response_mode: 'fragment' }, 'allow', cookie);

    expect([answer.statusCode, answer.headers.location]).toEqual([400, undefined]);
  });

  test('nobody is sent to an address that isn’t registered, in any mode (contract §3, security C2)', async () => {
    const client = await addClient(service);
    for (const mode of ['query', 'fragment', 'form_post', 'x']) {
      const changes = { response_mode: mode, redirect_uri: 'https://evil.example/' };

      const answer = await openAuthorizePage(service, requestOf(client, changes), cookie);

      expect([answer.statusCode, answer.headers.location]).toEqual([400, undefined]);
      expect(answer.body).not.toContain('action="https://evil.example/"');
    }
  });
});

describe('the page of form_post (OAuth 2.0 Form Post Response Mode, section 2, security C350)', () => {
  const open = async (redirectUri: string) => {
    const client = await addClient(service, { redirectUris: [redirectUri] });
    const form = await openDecision(service, requestOf(client, { response_mode: 'form_post' }), cookie);
    return decide(service, form, 'allow', cookie);
  };

  test('has one form, for the registered address, with the answer and no token of ours', async () => {
    const page = await open('https://app.example/cb?x=1&y="');
    const forms = [...page.body.matchAll(/<form\b[^>]*>/g)].map(([form]) => form);

    expect(forms).toEqual([
      '<form rel="external" method="post" action="https://app.example/cb?x=1&amp;y=&quot;">',
    ]);
    expect(Object.keys(hiddenFieldsOf(page.body))).toEqual(['code', 'iss']);
    expect(page.body).toMatch(/<button class="button" type="submit">Continue<\/button>/);
  });

  test('isn’t kept or framed, runs our script alone, and tells the app our origin and no more', async () => {
    const page = await open('https://app.example/cb');

    expect(page.headers).toMatchObject({
      ...{ 'cache-control': 'no-store', 'x-frame-options': 'DENY', 'referrer-policy': 'strict-origin' },
    });
    expect(policyOf(page)).toMatchObject({
      'script-src': ["'self'"],
      'form-action': ["'self'", 'https:'],
      'frame-ancestors': ["'none'"],
    });
    expect(page.body).toMatch(/<script src="\/assets\/form-post\.js[^"]*" type="module">/);
  });
});
