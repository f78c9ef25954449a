import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { hintOfClientSecret } from '../../src/oauth/core/client.ts';
import { packageFolder } from '../../src/platform/package-folder.ts';
import { anyAddress } from '../support/any-visitor.ts';
import { actionsOf } from '../support/audit.ts';
import { digestTables } from '../support/database-content.ts';
import { mailTo } from '../support/registration.ts';
import { eventsOf, liveHints, openOwned, tryOut } from '../support/secrets.ts';
import { openTestService } from '../support/service.ts';
import { dead, grantsOf, issueCode, issueTokens, refusalOf, rotate, usable, use } from '../support/tokens.ts';
import { addClient, addUser, connect, requestToken, signIn, type Tokens } from '../support/world.ts';

const service = await openTestService();
const received = { status: 'success', data: { received: true } };
const clientTypes = ['confidential', 'public'] as const;

async function report(token: unknown, remoteAddress = anyAddress()) {
  return service.app.inject({
    method: 'POST',
    url: '/v2/auth/oauth2/leaked',
    payload: { token },
    remoteAddress,
  });
}

/** Of what was ended. */
const subjectsTo = async (address: string): Promise<string[]> =>
  (await mailTo(service, address))
    .map(({ subject }) => subject)
    .filter((text) => /(no longer has access|was deleted)$/.test(text));

async function openConnected(type: (typeof clientTypes)[number] = 'confidential') {
  const client = await addClient(service, { type });
  const user = await addUser(service);
  const cookie = await signIn(service, user);
  return { client, user, cookie, tokens: await connect(service, client, cookie) };
}

test('the patterns for scanners find what we issue, and nothing else (docs/oauth-guide.md)', async () => {
  const guide = await readFile(join(packageFolder, 'docs/oauth-guide.md'), 'utf8');
  const patterns = new Map(
    [...guide.matchAll(/^\| ([a-z ]+) \| `([^`]+)` \|$/gm)].map(([, kind, text]) => [kind, text]),
  );
  const owned = await openOwned(service);
  const client = await addClient(service);
  const request = await issueCode(service, client);
  const tokens = (await requestToken(service, request)).json<Tokens>();
  const issued = new Map([
    ['authorization code', request['code']],
    ['refresh token', tokens.refresh_token],
    ['client secret', owned.secret],
    ['access token', tokens.access_token],
  ]);

  expect([...patterns.keys()].toSorted()).toEqual([...issued.keys()].toSorted());
  for (const [kind, text] of patterns) {
    const found = [...issued].filter(([, value]) => new RegExp(text ?? '').test(`TOKEN="${value}"`));
    expect(found.map(([name]) => name)).toEqual([kind]);
    expect(new RegExp(text ?? '').exec(`TOKEN="${issued.get(kind ?? '')}"`)?.[0]).toBe(
      issued.get(kind ?? ''),
    );
  }
});

describe.each(clientTypes)('of a %s client (contract §7, security C79)', (type) => {
  test.each([
    ['refresh token', ({ refresh_token: token }: Tokens) => token],
    ['access token', ({ access_token: token }: Tokens) => token],
  ])(
    'a leaked %s ends its grant; the user is emailed and finds it in the activity',
    async (_name, choose) => {
      const { client, user, cookie, tokens } = await openConnected(type);
      const other = await connect(service, client, cookie);

      const answer = await report(choose(tokens));

      expect([answer.statusCode, answer.json()]).toEqual([202, received]);
      expect(await use(service, client, tokens)).toEqual(dead);
      expect(await use(service, client, other)).toEqual(usable);
      const reasons = (await grantsOf(service, client)).map(({ revocationReason }) => revocationReason);
      expect(reasons.toSorted()).toEqual(['leaked', null]);
      expect(await subjectsTo(user.email)).toEqual([expect.stringMatching(/ no longer has access$/)]);
      expect(await actionsOf(service, user)).toContain('grant.leaked');
    },
  );

  test('a leaked code that was not exchanged yet can’t be any more', async () => {
    const client = await addClient(service, { type });
    const request = await issueCode(service, client);

    await report(request['code']);

    const refused = refusalOf(await requestToken(service, request));
    expect(refused).toEqual([400, 'invalid_grant', 'code_invalid_or_expired']);
  });
});

test('a refresh token from before the last rotation ends its grant, too: what leaked once may leak again', async () => {
  const { client, tokens } = await openConnected();
  const newest = await rotate(service, client, tokens);

  await report(tokens.refresh_token);

  expect(await use(service, client, newest)).toEqual(dead);
});

test('a code that was exchanged ends nothing: it is in the history of a browser, and harmless', async () => {
  const client = await addClient(service);
  const request = await issueCode(service, client);
  const tokens = (await requestToken(service, request)).json<Tokens>();

  await report(request['code']);

  expect(await use(service, client, tokens)).toEqual(usable);
});

test('a leaked client secret is deleted; the owner is emailed, and the others go on working', async () => {
  const owned = await openOwned(service);

  const answer = await report(owned.secret);

  expect([answer.statusCode, answer.json()]).toEqual([202, received]);
  expect(await tryOut(service, owned.clientId, owned.secret)).toBe('401 invalid_client');
  expect(await liveHints(service, owned.clientId)).toEqual([]);
  expect(await eventsOf(service, owned.clientId)).toContain('secret_leaked');
  const emails = (await mailTo(service, owned.owner.email)).filter(({ subject }) => /leaked/.test(subject));
  expect(await subjectsTo(owned.owner.email)).toEqual([
    expect.stringMatching(/^A leaked secret of .* was deleted$/),
  ]);
  expect(emails[0]?.text).toContain(hintOfClientSecret(owned.secret));
  expect(emails[0]?.text).not.toContain(owned.secret);
  expect(await actionsOf(service, owned.owner)).toContain('secret.leaked');
});

test('ten of all kinds go into one report; each user is emailed once for a grant', async () => {
  const { client, user, tokens } = await openConnected();
  const owned = await openOwned(service);
  const rest = Array.from({ length: 7 }, (_, index) => `lks_${index}`);

  const answer = await report([tokens.refresh_token, tokens.access_token, owned.secret, ...rest]);

  expect(answer.statusCode).toBe(202);
  expect(await use(service, client, tokens)).toEqual(dead);
  expect(await liveHints(service, owned.clientId)).toEqual([]);
  expect(await subjectsTo(user.email)).toHaveLength(1);
});

test('of many grants of a user and an app all end, with an email and 20 records an hour at most (security C148)', async () => {
  const { client, user, tokens } = await openConnected();
  const leaks = 25;
  for (let sent = 0; sent < leaks; sent++) {
    await report(
      (sent === 0 ? tokens : await connect(service, client, await signIn(service, user))).refresh_token,
    );
    service.clock.advance(60);
  }
  const soon = (await subjectsTo(user.email)).length;
  service.clock.advance(3600);
  const later = await connect(service, client, await signIn(service, user));

  await report(later.refresh_token);

  const reasons = (await grantsOf(service, client)).map(({ revocationReason }) => revocationReason);
  expect(reasons).toEqual(Array.from({ length: leaks + 1 }, () => 'leaked'));
  expect([soon, (await subjectsTo(user.email)).length]).toEqual([1, 2]);
  const recorded = (await actionsOf(service, user)).filter((action) => action === 'grant.leaked');
  expect(recorded.length).toBeLessThan(21);
  expect((await actionsOf(service, user)).at(-1)).toBe('grant.leaked');
});

describe('the answer says nothing (security C79)', () => {
  test('of what is not ours, is over, or was reported before: the same answer, and no row changes', async () => {
    const { client, tokens } = await openConnected();
    const owned = await openOwned(service);
    const old = await issueTokens(service, client);
    await report([tokens.refresh_token, owned.secret]);
    service.clock.advance(31 * 86_400);
    const before = await digestTables(service.database);

    const answers = [
      await report(tokens.refresh_token),
      await report(owned.secret),
      await report(old.refresh_token),
      await report(old.access_token),
      await report(`${tokens.refresh_token.slice(0, -1)}x`),
      await report('ghp_0123456789'),
      await report(['\u0000', 'lkr_', 'lkc_', 'lks_', 'eyJ.eyJ.x', 'ä'.repeat(2000)]),
    ];

    expect(answers.map(({ statusCode, body }) => [statusCode, JSON.parse(body)])).toEqual(
      answers.map(() => [202, received]),
    );
    expect(await digestTables(service.database)).toEqual(before);
  });

  test('a value that hits and one that misses cost the same statements, but for what a hit writes', async () => {
    const { tokens } = await openConnected();
    const statementsOf = async (token: string): Promise<string[]> => {
      service.takeStatements();
      await report(token);
      return service.takeStatements().filter((text) => text.startsWith('update'));
    };

    const missing = await statementsOf('lks_unknown');
    const hitting = await statementsOf(tokens.refresh_token);

    expect(missing).toHaveLength(2);
    expect(missing.map((text) => text.split(' where ')[0])).toEqual(
      hitting.map((text) => text.split(' where ')[0]),
    );
  });
});

test.each([
  ['none', undefined],
  ['an empty one', ''],
  ['eleven', Array.from({ length: 11 }, () => 'lks_x')],
  ['an empty list', []],
  ['a number', 7],
  ['one longer than any of ours', 'x'.repeat(4097)],
])('%s: 400 in the general shape, without the value', async (_name, token) => {
  const answer = await report(token);

  expect(answer.statusCode).toBe(400);
  expect(answer.json().error.details).toHaveProperty('token');
});

test('a network reports 20 times a minute, and then is told to wait', async () => {
  const network = anyAddress();

  for (let sent = 0; sent < 20; sent += 1) expect((await report('x', network)).statusCode).toBe(202);
  const refused = await report('x', network);

  expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '60']);
  expect((await report('x')).statusCode).toBe(202);
});
