import type { ServerResponse as Answer } from 'node:http';
import { createServer } from 'node:net';
import { beforeEach, describe, expect, test } from 'vitest';
import { clients } from '../../src/oauth/tables.ts';
import { databaseLimits } from '../../src/platform/limits/limits.ts';
import { counted } from '../../src/platform/limits/store.ts';
import { atTheEnd } from '../support/at-the-end.ts';
import { decide, openDecision, redirectOf, requestOf } from '../support/authorization.ts';
import {
  agentOf,
  answerJson,
  askForReview,
  callback,
  documentOf,
  nextUrl,
  startAgentHosts,
  visitAs,
} from '../support/client-documents.ts';
import { setClientStatus } from '../support/client-status.ts';
import { findFreePort } from '../support/free-port.ts';
import { addPerson } from '../support/groups.ts';
import { useUp } from '../support/guesser.ts';
import { expectErrorPage, textOf, titleOf } from '../support/page-content.ts';
import { findClientRow, formTokenOf, postOwnForm, reviewHome } from '../support/registration.ts';
import { openAnotherInstance, openTestService } from '../support/service.ts';
import { mailSettings } from '../support/verification.ts';
import { addClient, connect, postForm, refresh, requestToken } from '../support/world.ts';

const hosts = await startAgentHosts();
const service = await openTestService({}, undefined, undefined, { documents: hosts.documents });
const segmentOf = (url: string): string => `~${Buffer.from(url).toString('base64url')}`;

/** An agent whose document is there, and whose review someone has asked for. */
async function addAgent(values: object = {}) {
  const url = nextUrl();
  hosts.serve(url, answerJson(documentOf(url, values)));
  const { cookie } = await addPerson(service);
  const asked = await askForReview(service, url, cookie);
  if (asked.statusCode !== 303) throw new Error(textOf(asked.body));
  return url;
}

async function addApprovedAgent(values: object = {}) {
  const url = await addAgent(values);
  await setClientStatus(service.database.db, url, 'accepted');
  return url;
}

describe('nothing is fetched', () => {
  test('for anyone who is signed out, whose address is not verified, or who only looks at the page', async () => {
    const url = nextUrl();
    hosts.serve(url, answerJson(documentOf(url)));
    const strict = await openAnotherInstance(
      service,
      { ...mailSettings, APP_URL: service.appUrl },
      { documents: hosts.documents },
    );
    const newcomer = await addPerson(service, { isVerified: false });
    const { cookie } = await addPerson(service);

    const signedOut = await visitAs(service, url, undefined);
    const unverified = await visitAs(strict, url, newcomer.cookie);
    const form_token = await formTokenOf(strict, newcomer.cookie);
    const fields = { ...requestOf(agentOf(url)), form_token };
    const sent = await postForm(strict, '/auth/oauth2/authorize/review', fields, newcomer.cookie);
    const signedOutForm = await postForm(service, '/auth/oauth2/authorize/review', fields);
    const looked = await visitAs(service, url, cookie);

    expect(String(signedOut.headers.location)).toMatch(/^\/signin\?return_to=/);
    expect(String(signedOutForm.headers.location)).toMatch(/^\/signin\?return_to=/);
    expect([unverified.statusCode, sent.statusCode, looked.statusCode]).toEqual([403, 403, 400]);
    expect(hosts.countReadings(url)).toBe(0);
    expect(await findClientRow(service, url)).toBeUndefined();
  });

  test('by a form of another site, or about a client_id that is no address', async () => {
    const url = nextUrl();
    const { cookie } = await addPerson(service);
    const before = hosts.countAll();
    const path = '/auth/oauth2/authorize/review';

    const foreign = await postForm(service, path, requestOf(agentOf(url)), cookie);
    const form_token = await formTokenOf(service, cookie);
    const wrong = { ...requestOf(agentOf('https://agent.example')), form_token };
    const noAddress = await postForm(service, path, wrong, cookie);

    expect([foreign.statusCode, noAddress.statusCode]).toEqual([303, 400]);
    expect(foreign.headers.location).toMatch(/^\/auth\/oauth2\/authorize\?/);
    expect(hosts.countAll()).toBe(before);
  });

  test.each([
    ...[
      'https://127.0.0.1/client.json',
      'https://[::1]/client.json',
      'https://169.254.169.254/latest/meta-data/',
    ],
    ...['https://10.0.0.1/c', 'https://localhost/client.json', 'https://[::ffff:a9fe:a9fe]/c'],
  ])('from %s, with the same words as from a name that leads nowhere (security C43)', async (url) => {
    // The instance is as in production, with a calendar setting that opens private networks to calendars
    // alone.
    const usual = await openAnotherInstance(service, {
      CALENDAR_ALLOW_PRIVATE: '127.0.0.0/8,::1/128,10.0.0.0/8',
    });
    const { cookie } = await addPerson(service);

    const asked = await askForReview(usual, url, cookie);

    expect(asked.statusCode).toBe(400);
    expect(textOf(asked.body)).toContain('We couldn’t read the app’s description at this address.');
    expect(await findClientRow(service, url)).toBeUndefined();
  });

  test('from a server on this machine, without a connection to it (security C43)', async () => {
    const usual = await openAnotherInstance(service, { CALENDAR_ALLOW_PRIVATE: '127.0.0.0/8' });
    const { cookie } = await addPerson(service);
    let connections = 0;
    const server = createServer((socket) => {
      connections += 1;
      socket.destroy();
    });
    const port = await findFreePort();
    server.listen(port, '127.0.0.1');
    atTheEnd(async () => void server.close());

    const asked = await askForReview(usual, `https://127.0.0.1:${port}/client.json`, cookie);

    expect(asked.statusCode).toBe(400);
    expect(connections).toBe(0);
  });
});

test.each([
  ['a 404', 'status 200', (_: unknown, answer: Answer) => answer.writeHead(404).end()],
  [
    'a page',
    'JSON',
    (_: unknown, answer: Answer) => answer.writeHead(200, { 'content-type': 'text/html' }).end('{}'),
  ],
  ['too much', 'larger than 5 KB', answerJson(`{"x":"${'x'.repeat(6000)}"}`)],
  ['a cut connection', 'couldn’t read', (_: unknown, answer: Answer) => answer.destroy()],
  ['another client', 'another client_id', answerJson({ client_id: 'https://other.example/' })],
] as const)(
  '%s makes no client, is told, and is not remembered (draft, section 4)',
  async (_name, words, answer) => {
    const url = nextUrl();
    const { cookie } = await addPerson(service);
    hosts.serve(url, answer);

    const refused = await askForReview(service, url, cookie);

    expect(refused.statusCode).toBe(400);
    expect(textOf(refused.body)).toContain(words);
    expect(await findClientRow(service, url)).toBeUndefined();
    hosts.serve(
      url,
      answerJson(documentOf(url), { 'content-type': 'application/vnd.agent+json; charset=utf-8' }),
    );
    expect((await askForReview(service, url, cookie)).statusCode).toBe(303);
    expect(hosts.countReadings(url)).toBe(2);
  },
);

test('a redirect of an address makes no client, though it leads to a document that names the address (draft, section 4)', async () => {
  const [url, elsewhere] = [nextUrl(), nextUrl()];
  const { cookie } = await addPerson(service);
  const location = elsewhere.replace(/^https:\//, '');
  hosts.serve(url, (_, answer) => answer.writeHead(302, { location }).end());
  hosts.serve(elsewhere, answerJson(documentOf(url)));

  const refused = await askForReview(service, url, cookie);

  expect(refused.statusCode).toBe(400);
  expect(textOf(refused.body)).toContain('status 200');
  expect(await findClientRow(service, url)).toBeUndefined();
  expect(hosts.countReadings(elsewhere)).toBe(0);
});

describe('an approved agent is a public client like any other', () => {
  test('PKCE is needed, redirect URIs match exactly but for the port, scopes narrow (contract §3)', async () => {
    const url = await addApprovedAgent();
    const { cookie } = await addPerson(service);

    const without = await visitAs(service, url, cookie, { code_challenge: '' });
    const elsewhere = await visitAs(service, url, cookie, { redirect_uri: 'http://127.0.0.1/other' });
    const tokens = await connect(service, agentOf(url), cookie, { scope: 'PROFILE_READ' });

    expect(redirectOf(without).parameters).toContainEqual(['error_description', 'code_challenge_required']);
    expectErrorPage(elsewhere, 'http://127.0.0.1/other');
    expect(tokens.scope).toBe('PROFILE_READ');
  });

  test('an assertion of its key is ignored, as a public client’s secret is (contract §2, security C208)', async () => {
    const agent = agentOf(
      await addApprovedAgent({
        ...{ token_endpoint_auth_method: 'private_key_jwt', jwks_uri: 'https://agent.example/jwks' },
        token_endpoint_auth_methods_supported: ['none', 'private_key_jwt'],
      }),
    );
    const { cookie } = await addPerson(service);
    const assertion = {
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: `eyJhbGciOiJSUzI1NiJ9.${'x'.repeat(1500)}.${'y'.repeat(342)}`,
    };
    const { refresh_token } = await connect(service, agent, cookie);
    const fields = { client_id: agent.id, grant_type: 'refresh_token', refresh_token, ...assertion };

    expect((await requestToken(service, fields)).statusCode).toBe(200);
    expect((await requestToken(service, { ...fields, refresh_token: 'lkr_x' })).statusCode).toBe(400);
  });

  test('it costs no statement more, on the page and at the token endpoint', async () => {
    const agent = agentOf(await addApprovedAgent());
    const registered = await addClient(service, { type: 'public', redirectUris: [callback] });
    const { cookie } = await addPerson(service);
    const costOf = async (client: typeof agent) => {
      service.takeStatements();
      const form = await openDecision(service, requestOf(client), cookie);
      const page = service.takeStatements().length;
      await decide(service, form, 'deny', cookie);
      const { refresh_token } = await connect(service, client, cookie);
      service.takeStatements();
      await refresh(service, client, refresh_token);
      return [page, service.takeStatements().length];
    };

    const cost = await costOf(agent);

    expect(cost).toEqual(await costOf(registered));
    expect(cost[1]).toBe(1);
  });

  test('a suspension ends its access, and an admin can approve it again (contract §2)', async () => {
    const url = await addApprovedAgent();
    const admin = await addPerson(service, { isAdmin: true });
    const { cookie } = await addPerson(service);
    const tokens = await connect(service, agentOf(url), cookie);
    const path = `${reviewHome}/${segmentOf(url)}`;

    await postOwnForm(service, `${path}/suspend`, { revision: '1', reason: 'It misbehaves.' }, admin.cookie);
    const suspended = await visitAs(service, url, cookie);
    const failed = await refresh(service, agentOf(url), tokens.refresh_token);
    const shown = await service.app.inject({ url: path, headers: { cookie: admin.cookie } });
    await postOwnForm(
      service,
      `${path}/accept`,
      { revision: '1', scopes: 'BOOKING_READ PROFILE_READ' },
      admin.cookie,
    );
    const approved = await visitAs(service, url, cookie);

    expect(titleOf(suspended)).toContain('This app isn’t available');
    expect(failed.json().error_description).toBe('client_not_accepted');
    expect(textOf(shown.body)).toContain('Approve app');
    expect(approved.statusCode).toBe(200);
    expect((await refresh(service, agentOf(url), tokens.refresh_token)).statusCode).toBe(400);
  });

  test('its failed requests are recorded, and shown to admins (contract §2)', async () => {
    const url = await addApprovedAgent();
    const admin = await addPerson(service, { isAdmin: true });
    const stranger = await addPerson(service);

    await requestToken(service, { client_id: url, grant_type: 'refresh_token', refresh_token: 'lkr_x' });
    const path = `${reviewHome}/${segmentOf(url)}/failed-requests`;
    const page = await service.app.inject({ url: path, headers: { cookie: admin.cookie } });

    expect(textOf(page.body)).toContain('invalid_refresh_token');
    const refused = await service.app.inject({ url: path, headers: { cookie: stranger.cookie } });
    expect(refused.statusCode).toBe(403);
  });
});

describe('bounds, so that nobody fills the queue or makes us fetch (security C98)', () => {
  // All come from one network, which has a limit of its own.
  beforeEach(() => void service.clock.advance(3600));

  const ask = async (url: string, cookie: string) => {
    hosts.serve(url, answerJson(documentOf(url)));
    return (await askForReview(service, url, cookie)).statusCode;
  };

  test('a person has 5 reviews waiting, and has an hour’s documents read', async () => {
    const { cookie, user } = await addPerson(service);
    const statuses: number[] = [];
    for (let asked = 0; asked < 6; asked += 1) statuses.push(await ask(nextUrl(), cookie));
    await useUp(service, counted('notable', ['document', user.id]));

    expect(statuses).toEqual([303, 303, 303, 303, 303, 409]);
    const before = hosts.countAll();
    expect(await ask(nextUrl(), cookie)).toBe(429);
    expect(hosts.countAll()).toBe(before);
    service.clock.advance(3600);
    expect(await ask(nextUrl(), cookie)).toBe(409);
  });

  test('a domain has 5 reviews waiting, whatever its hosts and whoever asks', async () => {
    const statuses: number[] = [];
    for (let asked = 0; asked < 6; asked += 1) {
      const { cookie } = await addPerson(service);
      statuses.push(await ask(`https://n${asked}.crowded.example/client.json?n=${asked}`, cookie));
    }

    expect(statuses).toEqual([303, 303, 303, 303, 303, 409]);
  });

  test('addresses that lead nowhere keep nobody else from a domain (security C210)', async () => {
    for (let asked = 0; asked < 3; asked += 1) {
      const { cookie } = await addPerson(service);
      for (let number = 0; number < databaseLimits.notable.max; number += 1) {
        const { statusCode } = await askForReview(service, `https://busy.example/${asked}/${number}`, cookie);
        expect(statusCode).toBe(400);
      }
    }

    expect(await ask('https://busy.example/client.json', (await addPerson(service)).cookie)).toBe(303);
  });

  test('100 wait together; later ones are refused and push none out', async () => {
    const url = await addAgent();
    const { db } = service.database;
    const [row] = await db.select().from(clients).limit(1);
    if (row === undefined) throw new Error('no client');
    const flood = Array.from({ length: 100 }, (_, n) => ({
      ...{ ...row, id: `https://flood-${n}.example/`, ownerId: null, registrationKey: null },
      ...{ status: 'pending' as const, documentExpiresAt: service.clock.now() },
    }));
    await db.insert(clients).values(flood);
    const { cookie } = await addPerson(service);

    const refused = await ask(nextUrl(), cookie);

    expect(refused).toBe(409);
    expect(await findClientRow(service, url)).toMatchObject({ status: 'pending' });
    for (const { id } of flood) await setClientStatus(db, id, 'rejected');
    expect(await ask(nextUrl(), cookie)).toBe(303);
  });
});

test('a path with something else in the place of an address leads nowhere, and is no fault (security C90)', async () => {
  const { cookie } = await addPerson(service, { isAdmin: true });
  for (const text of ['\0', 'https://agent.example/\0', 'a client id', '']) {
    const segment = segmentOf(text);
    const page = await service.app.inject({ url: `${reviewHome}/${segment}`, headers: { cookie } });
    const failed = await service.app.inject({
      url: `${reviewHome}/${segment}/failed-requests`,
      headers: { cookie },
    });
    const after = await service.app.inject({
      url: `${reviewHome}?after=2030-01-01T00:00:00.000Z~${segment}`,
      headers: { cookie },
    });
    const removed = await postOwnForm(service, `/settings/apps/${segment}/disconnect`, {}, cookie);

    expect([page, failed, after, removed].map(({ statusCode }) => statusCode)).toEqual([404, 404, 200, 303]);
  }
});
