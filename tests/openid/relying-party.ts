import { createHash, randomBytes } from 'node:crypto';
import type { LightMyRequestResponse } from 'fastify';
import { createLocalJWKSet, jwtVerify } from 'jose';
import { expect } from 'vitest';
import { z } from 'zod';
import { type AuthorizationFields, decide, decisionFormOf, requestOf } from '../support/authorization.ts';
import { visit } from '../support/consent.ts';
import type { TestService } from '../support/service.ts';
import { hiddenFieldsOf, postForm, requestToken, type TestClient, type TestUser } from '../support/world.ts';

/**
 * What the OpenID Foundation's conformance suite does as a client, and what it checks of every
 * answer. Its modules are tests of the same names.
 */
interface RelyingParty {
  /** Sends a person there; answers what came back to the redirect URI, and what was sent. */
  authorize(changes?: AuthorizationFields): Promise<Callback>;
  /** Exchanges a code with client_secret_basic; answers whatever comes. */
  exchange(code: string | undefined): Promise<LightMyRequestResponse>;
  /** Both, of a request that is answered with a code, and the claims of the ID token. */
  signIn(changes?: AuthorizationFields): Promise<SignedIn>;
  userinfo(accessToken: string): Promise<Readonly<Record<string, unknown>>>;
}

interface Callback {
  readonly sent: AuthorizationFields;
  readonly address: string;
  readonly parameters: Readonly<Record<string, string>>;
  /** The pages that the person saw on the way, by their paths. */
  readonly seen: readonly string[];
}

const answeredTokens = z.object({
  access_token: z.string().min(1),
  refresh_token: z.string().min(22),
  id_token: z.string(),
  token_type: z.string().regex(/^bearer$/i),
  expires_in: z.int().positive(),
  scope: z.string().optional(),
});

const standardClaims = z.looseObject({
  sub: z.string().min(1).max(255),
  auth_time: z.int(),
  nonce: z.string().optional(),
});

interface SignedIn extends Callback {
  readonly tokens: z.output<typeof answeredTokens>;
  readonly claims: z.output<typeof standardClaims>;
  readonly algorithm: string;
}

export interface PersonHere {
  readonly user: TestUser;
  /** Undefined for who isn't signed in yet. */
  cookie: string | undefined;
}

/** An app with a person's browser, which signs in, confirms and allows wherever it is asked to. */
export function openRelyingParty(service: TestService, client: TestClient, person: PersonHere): RelyingParty {
  const { app, appUrl } = service;

  async function authorize(changes: AuthorizationFields = {}): Promise<Callback> {
    const [state, nonce] = [randomBytes(6), randomBytes(6)].map((bytes) => bytes.toString('hex'));
    const sent = requestOf(client, {
      ...{ response_type: 'code', scope: 'openid', state: state ?? '', nonce: nonce ?? '', ...changes },
    });
    const seen: string[] = [];
    let answer = await visit(service, sent, person.cookie ?? '');
    for (let steps = 0; steps < 8; steps += 1) {
      const to = new URL(answer.headers.location ?? 'none:', appUrl);
      if (answer.statusCode === 303 && to.origin !== appUrl) return readCallback(sent, to, seen);
      answer = answer.statusCode === 303 ? await open(to, seen) : await decideOn(answer);
    }
    throw new Error(`the way back to the app has no end: ${answer.statusCode} ${seen.join(' ')}`);
  }

  async function open(to: URL, seen: string[]): Promise<LightMyRequestResponse> {
    const cookie = person.cookie ?? '';
    const page = await app.inject({ url: `${to.pathname}${to.search}`, headers: { cookie } });
    if (page.statusCode !== 200 || !to.pathname.startsWith('/signin')) return page;
    if (to.pathname === '/signin/continue')
      return app.inject({ url: to.searchParams.get('return_to') ?? '/', headers: { cookie } });
    seen.push(to.pathname);
    const { email, password } = person.user;
    const form = { ...hiddenFieldsOf(page.body), email, password };
    const signedIn = await postForm(service, to.pathname, form, person.cookie);
    const session = signedIn.cookies.find(({ name }) => name.endsWith('latchkey_session'));
    if (session === undefined) throw new Error(`${to.pathname} answered ${signedIn.statusCode}`);
    person.cookie = `${session.name}=${session.value}`;
    return signedIn;
  }

  async function decideOn(page: LightMyRequestResponse): Promise<LightMyRequestResponse> {
    const form = decisionFormOf(page.body);
    if (page.statusCode !== 200 || !('decision' in form))
      throw new Error(`the page answered ${page.statusCode}`);
    return decide(service, { ...form, remember: 'yes' }, 'allow', person.cookie ?? '');
  }

  /** CheckStateInAuthorizationResponse, ValidateIssIfPresentInAuthorizationResponse and their like. */
  function readCallback(sent: AuthorizationFields, to: URL, seen: readonly string[]): Callback {
    const pairs = [...to.searchParams];
    const parameters = Object.fromEntries(pairs);
    const kind = 'error' in parameters ? ['error', 'error_description'] : ['code'];
    expect(pairs.length).toBe(Object.keys(parameters).length);
    expect(new Set(Object.keys(parameters))).toEqual(new Set([...kind, 'iss', 'state']));
    expect(parameters).toMatchObject({ state: sent['state'], iss: appUrl });
    // RFC 6749 §4.1.2.1
    expect(parameters['error_description'] ?? '').toMatch(/^[\x20\x21\x23-\x5b\x5d-\x7e]*$/);
    const address = `${to.origin}${to.pathname}`;
    expect(address).toBe(client.redirectUri);
    return { sent, address, parameters, seen };
  }

  function exchange(code: string | undefined): Promise<LightMyRequestResponse> {
    const basic = Buffer.from(`${client.id}:${client.secret}`).toString('base64');
    return requestToken(
      service,
      { grant_type: 'authorization_code', code, redirect_uri: client.redirectUri },
      { headers: { authorization: `Basic ${basic}` } },
    );
  }

  return {
    authorize,
    exchange,
    async signIn(changes) {
      const callback = await authorize(changes);
      const answer = await exchange(callback.parameters['code']);
      expect([answer.statusCode, answer.headers['cache-control']]).toEqual([200, 'no-store']);
      const tokens = answeredTokens.parse(answer.json());
      return { ...callback, tokens, ...(await readIdToken(service, client, tokens, callback.sent)) };
    },
    async userinfo(accessToken) {
      const answer = await app.inject({
        url: '/v2/auth/oauth2/userinfo',
        headers: { authorization: `Bearer ${accessToken}` },
      });
      expect(answer.statusCode).toBe(200);
      return z.record(z.string(), z.unknown()).parse(answer.json());
    },
  };
}

/** OpenID Connect Core, sections 2, 3.1.3.6 and 3.1.3.7. */
async function readIdToken(
  service: TestService,
  client: TestClient,
  { id_token: idToken, access_token: accessToken }: z.output<typeof answeredTokens>,
  sent: AuthorizationFields,
) {
  const now = Math.floor(service.clock.now().getTime() / 1000);
  const jwks = (await service.app.inject('/.well-known/jwks.json')).json();
  const { payload, protectedHeader } = await jwtVerify(idToken, createLocalJWKSet(jwks), {
    ...{ issuer: service.appUrl, audience: client.id, currentDate: service.clock.now() },
    requiredClaims: ['iss', 'sub', 'aud', 'exp', 'iat'],
  });
  const half = createHash('sha256').update(accessToken).digest().subarray(0, 16);
  expect(protectedHeader.kid).toBeTypeOf('string');
  expect(payload).toMatchObject({ iat: now, at_hash: half.toString('base64url') });
  expect(payload['nonce']).toBe(sent['nonce']);
  expect(payload).not.toHaveProperty('azp');
  return { claims: standardClaims.parse(payload), algorithm: protectedHeader.alg };
}
