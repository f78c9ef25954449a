import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { createCleanup } from '../../src/cleanup.ts';
import { clients } from '../../src/oauth/tables.ts';
import { listPersonalTokens, maxPersonalTokens } from '../../src/personal-tokens/store.ts';
import { personalTokens } from '../../src/personal-tokens/tables.ts';
import { makeToken } from '../../src/personal-tokens/token.ts';
import { ownClientPrefix } from '../../src/platform/audit/context.ts';
import { recordAuditEvent } from '../../src/platform/audit/store.ts';
import { databaseLimits, memoryLimits } from '../../src/platform/limits/limits.ts';
import { counted } from '../../src/platform/limits/store.ts';
import { anyAddress } from '../support/any-visitor.ts';
import { callApi } from '../support/api.ts';
import { contextOf, countChanges } from '../support/audit.ts';
import { startCaldavServer } from '../support/caldav-server.ts';
import { useUp } from '../support/guesser.ts';
import { sendMessage } from '../support/mcp.ts';
import { faultOf, textOf } from '../support/page-content.ts';
import { obtainResetPath } from '../support/password-reset.ts';
import { newRegistrationKey, postOwnForm, submitClient } from '../support/registration.ts';
import { openReviewPage } from '../support/review.ts';
import { openAnotherInstance, openTestService } from '../support/service.ts';
import { suspend } from '../support/suspension.ts';
import { introspectionPath, postBody, revocationPath, tokenPath } from '../support/tokens.ts';
import {
  addClient,
  addUser,
  authorizePath,
  clientFields,
  connect,
  postForm,
  signIn,
  type TestUser,
} from '../support/world.ts';

const service = await openTestService({ CALENDAR_ALLOW_PRIVATE: '127.0.0.0/8, ::1' });
const { db } = service.database;
const home = '/settings/tokens';
const dayMs = 86_400_000;
const notesApi = {
  RESOURCES: 'https://notes.example Notes',
  SCOPES: 'notes:read=Read your notes',
};

interface Holder {
  readonly user: TestUser;
  readonly cookie: string;
}

async function addHolder(): Promise<Holder> {
  const user = await addUser(service);
  return { user, cookie: await signIn(service, user) };
}

const newForm = (changes: Readonly<Record<string, string>> = {}) => ({
  form_key: newRegistrationKey(),
  name: 'Backup script',
  days: '90',
  access: 'full',
  ...changes,
});

const create = (holder: Holder, changes?: Readonly<Record<string, string>>) =>
  postOwnForm(service, `${home}/new`, newForm(changes), holder.cookie);

async function clientIdOf({ user }: Holder): Promise<string> {
  const [found] = await db.select().from(personalTokens).where(eq(personalTokens.userId, user.id));
  return found?.clientId ?? '';
}

/** Creates a token through the form; reads it where it is shown, once. */
async function createToken(holder: Holder, changes?: Readonly<Record<string, string>>): Promise<string> {
  const created = await create(holder, changes);
  expect([created.statusCode, created.headers.location]).toEqual([303, `${home}?done=created`]);
  const shown = created.cookies.find(({ name }) => name.endsWith('latchkey_secret'));
  const cookie = `${holder.cookie}; ${shown?.name}=${shown?.value}`;
  const page = await service.app.inject({ url: home, headers: { cookie } });
  const [token = ''] = /lk_live_[0-9a-f]{48}/.exec(page.body) ?? [];
  expect(token).not.toBe('');
  return token;
}

const call = (token: string, url = '/v2/me', remoteAddress = anyAddress()) =>
  service.app.inject({ url, remoteAddress, headers: { authorization: `Bearer ${token}` } });

async function statusOf(token: string): Promise<number> {
  return (await call(token)).statusCode;
}

const passwordAfter = (end: string) => (end === 'a reset' ? { password: 'another long passphrase' } : {});

const pageOf = async ({ cookie }: Holder) => service.app.inject({ url: home, headers: { cookie } });

async function deletionPath(holder: Holder): Promise<string> {
  const [path = ''] = /\/settings\/tokens\/[\w-]+\/delete/.exec((await pageOf(holder)).body) ?? [];
  return path;
}

describe('a personal token (contract §5)', () => {
  test('has no scope of signing in or of another API, not even with full access (contract §6)', async () => {
    const at = await openAnotherInstance(service, notesApi);
    const holder = await addHolder();
    const created = await postOwnForm(at, `${home}/new`, newForm(), holder.cookie);
    const chosen = { access: 'chosen', scopes: 'openid' };
    const refused = await Promise.all(
      [chosen, { ...chosen, scopes: 'notes:read' }].map((changes) =>
        postOwnForm(at, `${home}/new`, newForm(changes), holder.cookie),
      ),
    );

    const [client] = await db
      .select()
      .from(clients)
      .where(eq(clients.id, await clientIdOf(holder)));
    expect([created.statusCode, ...refused.map(({ statusCode }) => statusCode)]).toEqual([303, 400, 400]);
    expect(client?.scopes).toContain('PROFILE_READ');
    expect(client?.scopes?.filter((scope) => !/_(?:READ|WRITE)$/.test(scope))).toEqual([]);
  });

  test('of full access changes the profile, and books by /mcp', async () => {
    const token = await createToken(await addHolder());

    const changed = await service.app.inject({
      method: 'PATCH',
      url: '/v2/me',
      headers: { authorization: `Bearer ${token}` },
      payload: { timeZone: 'Asia/Tokyo' },
    });

    expect(changed.json()).toMatchObject({ data: { timeZone: 'Asia/Tokyo' } });
    expect((await sendMessage(service, token, 'tools/list')).statusCode).toBe(200);
  });

  test('is nothing to the endpoints of OAuth, and its client can be authorized by nobody', async () => {
    const holder = await addHolder();
    const token = await createToken(holder);
    const client = await addClient(service);
    const clientId = await clientIdOf(holder);

    const post = (url: string, fields: Readonly<Record<string, string>>) =>
      postBody(service, new URLSearchParams(fields).toString(), {}, url);
    const told = await post(introspectionPath, { ...clientFields(client), token });
    const revoked = await post(revocationPath, { ...clientFields(client), token });
    const refreshed = await post(tokenPath, {
      grant_type: 'refresh_token',
      refresh_token: token,
      client_id: clientId,
    });
    const query = new URLSearchParams({
      client_id: clientId,
      redirect_uri: 'https://app.example/callback',
      response_type: 'code',
      state: 'x',
    });
    const asked = await service.app.inject({
      url: `${authorizePath}?${query.toString()}`,
      headers: { cookie: holder.cookie },
    });

    expect(told.json()).toEqual({ active: false });
    expect(revoked.statusCode).toBe(200);
    expect(refreshed.statusCode).toBe(401);
    expect(asked.statusCode).toBe(400);
    expect(await statusOf(token)).toBe(200);
  });

  test('is named to nobody who looks up its client (security C280)', async () => {
    const [holder, other] = [await addHolder(), await addHolder()];
    const tokens = [await createToken(holder), await createToken(other)];
    const lookUp = `/v2/auth/oauth2/clients/${await clientIdOf(holder)}`;

    for (const token of tokens) expect((await call(token, lookUp)).statusCode).toBe(404);
  });

  test('is among the tokens, and not among the connected apps, nor the apps in review', async () => {
    const holder = await addHolder();
    await createToken(holder);
    const admin = await addUser(service, { isAdmin: true });
    const cookie = await signIn(service, admin);

    const connected = await service.app.inject({ url: '/settings/apps', headers: { cookie: holder.cookie } });
    const review = await service.app.inject({
      url: '/settings/admin/oauth?status=accepted',
      headers: { cookie },
    });

    expect(textOf(connected.body)).not.toContain('Scripts of');
    expect(connected.body).not.toContain(await clientIdOf(holder));
    expect(review.statusCode).toBe(200);
    expect(review.body).not.toContain(await clientIdOf(holder));
  });

  test('notes its last use', async () => {
    const holder = await addHolder();
    const token = await createToken(holder);
    const another = await openAnotherInstance(service);

    await another.app.inject({ url: '/v2/me', headers: { authorization: `Bearer ${token}` } });
    await another.close();

    expect(textOf((await pageOf(holder)).body)).not.toContain('Never');
  });

  test('takes nothing of the limits of another (security C54)', async () => {
    const { requests } = service.app.buckets;
    const other = await addHolder();
    await createToken(other);
    const left = () => requests.take([[`user ${other.user.id}`, 4]], 0).remaining;
    const before = left();
    const token = await createToken(await addHolder());

    await Promise.all(Array.from({ length: 80 }, () => call(token)));

    expect(left()).toBe(before);
  });
});

test('all personal tokens of an account make 500 changes a day together, and an app’s are its own (contract §1, security C289)', async () => {
  const holder = await addHolder();
  const [first, second] = [await createToken(holder), await createToken(holder)];
  const app = await connect(service, await addClient(service), holder.cookie);
  const statusOfWebhook = async (token: string): Promise<number> => {
    const body = { subscriberUrl: 'https://script.example/hook', triggers: ['BOOKING_CREATED'] };
    return (await callApi(service, 'POST', '/webhooks', { token, body })).statusCode;
  };
  const ofTokens = { actorId: holder.user.id, actorClientId: ownClientPrefix };
  await countChanges(service, ofTokens, databaseLimits.changes.max - 1);

  expect([await statusOfWebhook(first), await statusOfWebhook(second)]).toEqual([201, 429]);
  expect(await statusOfWebhook(await createToken(holder))).toBe(429);
  expect(await statusOfWebhook(app.access_token)).toBe(201);
});

test('a token from before each had a client of its own counts among them (migration 0046, security C289)', async () => {
  const holder = await addHolder();
  const token = await createToken(holder);
  const { id: actorId } = holder.user;
  await countChanges(service, { actorId, actorClientId: ownClientPrefix }, databaseLimits.changes.max - 1);

  const ofBefore = { ...contextOf(service), actorId, actorClientId: `personal-token-${randomUUID()}` };
  await recordAuditEvent(db, ofBefore, { action: 'client.edited', isRepeatable: true });
  const body = { subscriberUrl: 'https://script.example/hook', triggers: ['BOOKING_CREATED'] };

  expect((await callApi(service, 'POST', '/webhooks', { token, body })).statusCode).toBe(429);
});

describe('a personal token ends completely (security C280)', () => {
  test('by a click, at once', async () => {
    const holder = await addHolder();
    const token = await createToken(holder);
    expect(await statusOf(token)).toBe(200);

    const path = await deletionPath(holder);
    const asking = await service.app.inject({ url: path, headers: { cookie: holder.cookie } });
    const stranger = await addHolder();
    await postOwnForm(service, path, {}, stranger.cookie);
    const before = await statusOf(token);
    await postOwnForm(service, path, {}, holder.cookie);

    expect(textOf(asking.body)).toContain('Delete Backup script?');
    expect(before).toBe(200);
    expect(await statusOf(token)).toBe(401);
    expect(textOf((await pageOf(holder)).body)).toContain('You have no personal tokens.');
  });

  test.each<readonly [string, (holder: Holder) => Promise<unknown>]>([
    [
      'a reset of the password',
      async ({ user }) => {
        const path = await obtainResetPath(service, user.email);
        return postForm(service, path, { password: 'another long passphrase' });
      },
    ],
    [
      'a suspension',
      async ({ user }) => {
        const admin = await addUser(service, { isAdmin: true });
        return suspend(service, user, await signIn(service, admin));
      },
    ],
    [
      'the removal of all access',
      async ({ cookie }) => postOwnForm(service, '/settings/apps/disconnect-all', {}, cookie),
    ],
  ])('by %s', async (_name, end) => {
    const holder = await addHolder();
    const token = await createToken(holder);
    expect(await statusOf(token)).toBe(200);

    await end(holder);

    expect(await statusOf(token)).toBe(401);
  });

  test('when it expires, with all that was made with it', async () => {
    const holder = await addHolder();
    const token = await createToken(holder, { days: '30' });
    const clientId = await clientIdOf(holder);
    expect(await statusOf(token)).toBe(200);
    service.clock.advance((30 * dayMs) / 1000 - 1);
    const before = await statusOf(token);
    service.clock.advance(2);
    const after = await statusOf(token);
    const { config, runtime } = service.app;
    const listed = await listPersonalTokens(db, holder.user.id, config.lifetimes, runtime.now());
    await createCleanup(service.app).run();

    expect([before, after]).toEqual([200, 401]);
    expect(listed).toEqual([]);
    expect(await db.$count(clients, eq(clients.id, clientId))).toBe(0);
    expect(await db.$count(personalTokens, eq(personalTokens.userId, holder.user.id))).toBe(0);
  });

  test.each<readonly [string, (holder: Holder) => Promise<unknown>]>([
    ['a click', async (holder) => postOwnForm(service, await deletionPath(holder), {}, holder.cookie)],
    [
      'a reset',
      async ({ user }) => {
        const path = await obtainResetPath(service, user.email);
        return postForm(service, path, { password: 'another long passphrase' });
      },
    ],
  ])('by %s, and a later token doesn’t bring back its webhooks', async (name, end) => {
    const holder = await addHolder();
    const token = await createToken(holder);
    const body = { subscriberUrl: 'https://script.example/hook', triggers: ['BOOKING_CREATED'] };
    expect((await callApi(service, 'POST', '/webhooks', { token, body })).statusCode).toBe(201);
    const pageOfWebhooks = async (cookie: string) =>
      textOf((await service.app.inject({ url: '/settings/webhooks', headers: { cookie } })).body);
    service.clock.advance(60);
    await createToken(holder, { access: 'chosen', scopes: 'BOOKING_READ' });
    const before = await pageOfWebhooks(holder.cookie);

    await end(holder);
    service.clock.advance(60);
    const again = { ...holder, cookie: await signIn(service, { ...holder.user, ...passwordAfter(name) }) };
    await createToken(again);

    expect(before).toContain('Created by Backup script.');
    expect(before).not.toContain('It gets no events');
    expect(await pageOfWebhooks(again.cookie)).toContain('It gets no events');
  });

  test('though it is used less often than an app must refresh', async () => {
    const token = await createToken(await addHolder(), { days: '365' });

    service.clock.advance((200 * dayMs) / 1000);

    expect(await statusOf(token)).toBe(200);
  });
});

test('the calendar that a personal token chose is written to while it lasts, and another one doesn’t bring it back (security C123, C280)', async () => {
  const server = await startCaldavServer();
  const holder = await addHolder();
  const token = await createToken(holder);
  const body = { url: server.url(), username: 'ann', password: 'canary-5d20' };
  await callApi(service, 'POST', '/calendars/caldav/credentials', { token, body });
  const { connectedCalendars } = (await callApi(service, 'GET', '/calendars', { token })).json().data;
  const [{ externalId }] = connectedCalendars[0].calendars;
  const chosen = await service.app.inject({
    method: 'PUT',
    url: '/v2/destination-calendars',
    headers: { authorization: `Bearer ${token}` },
    payload: { integration: 'caldav_calendar', externalId },
  });
  const pageOfCalendars = async () =>
    textOf(
      (await service.app.inject({ url: '/settings/calendars', headers: { cookie: holder.cookie } })).body,
    );
  const before = await pageOfCalendars();

  await postOwnForm(service, await deletionPath(holder), {}, holder.cookie);
  await createToken(holder);

  expect(chosen.statusCode).toBe(200);
  expect(before).toContain('Chosen by Backup script, while it has access to your bookings.');
  expect(await pageOfCalendars()).toContain('no longer has access to your bookings');
});

test('no admin meets the client of a personal token as an app (security C280)', async () => {
  const holder = await addHolder();
  const token = await createToken(holder);
  const cookie = await signIn(service, await addUser(service, { isAdmin: true }));
  const [named] = await service.database.db
    .select({ name: clients.name })
    .from(clients)
    .where(eq(clients.id, await clientIdOf(holder)));
  const submitted = await submitClient(service, { name: named?.name ?? '' });
  const reviewed = await openReviewPage(service, submitted.id, cookie);
  const review = `/settings/admin/oauth/${await clientIdOf(holder)}`;

  const page = await service.app.inject({ url: review, headers: { cookie } });
  const suspended = await postOwnForm(
    service,
    `${review}/suspend`,
    { revision: '1', reason: 'Spam' },
    cookie,
  );

  expect([page.statusCode, suspended.statusCode]).toEqual([404, 404]);
  expect(textOf(reviewed.body)).not.toContain('has this name');
  expect(await statusOf(token)).toBe(200);
});

test('pages that end all access of apps say that personal tokens end, too', async () => {
  const holder = await addHolder();
  await connect(service, await addClient(service), holder.cookie);

  const { cookie } = holder;
  const removal = await service.app.inject({ url: '/settings/apps/disconnect-all', headers: { cookie } });
  const reset = await service.app.inject(await obtainResetPath(service, holder.user.email));

  expect(textOf(removal.body)).toContain('Your own tokens for the API end, too.');
  expect(textOf(reset.body)).toContain('your personal tokens end');
});

describe('making a personal token (contract §5)', () => {
  test.each<readonly [days: string, offered: readonly string[]]>([
    ['7', ['7']],
    ['60', ['30', '60']],
    ['90', ['30', '90']],
  ])('for no longer than REFRESH_MAX_DAYS of %s', async (days, offered) => {
    const holder = await addHolder();
    const settings = { REFRESH_MAX_DAYS: days, REFRESH_IDLE_DAYS: '7' };
    const short = await openAnotherInstance(service, settings);

    const { cookie } = holder;
    const page = await short.app.inject({ url: `${home}/new`, headers: { cookie } });
    const refused = await postOwnForm(short, `${home}/new`, newForm({ days: '365' }), cookie);
    const created = await postOwnForm(short, `${home}/new`, newForm({ days: offered.at(-1) ?? '' }), cookie);

    const options = [...page.body.matchAll(/<option value="(\d+)"/g)].map(([, value]) => value);
    expect(options).toEqual(offered);
    expect(faultOf(refused, 'days')).toBe('Choose when it expires.');
    expect(created.headers.location).toBe(`${home}?done=created`);
  });

  test('for longer than a later REFRESH_MAX_DAYS ends with that, and isn’t listed', async () => {
    const holder = await addHolder();
    await createToken(holder, { days: '365' });
    service.clock.advance((8 * dayMs) / 1000);
    const settings = { REFRESH_MAX_DAYS: '7', REFRESH_IDLE_DAYS: '7' };
    const short = await openAnotherInstance(service, settings);

    const headers = { cookie: await signIn(service, holder.user) };
    const page = await short.app.inject({ url: home, headers });

    expect(textOf(page.body)).toContain('You have no personal tokens.');
  });

  test('happens once for a form that is sent five times at once', async () => {
    const holder = await addHolder();
    const form = newForm();

    const answers = await Promise.all(
      Array.from({ length: 5 }, () => postOwnForm(service, `${home}/new`, form, holder.cookie)),
    );

    const places = answers.map(({ headers }) => headers.location).toSorted();
    expect(places).toEqual([`${home}?done=created`, ...Array(4).fill(`${home}?done=created_before`)]);
    expect(await db.$count(personalTokens, eq(personalTokens.userId, holder.user.id))).toBe(1);
  });

  test('is limited by the hour, deleted ones included, and in all (security C54)', async () => {
    const holder = await addHolder();
    const another = await addHolder();
    await useUp(service, counted('notable', ['personal token', another.user.id]));
    const statuses: number[] = [];
    expect((await create(another)).statusCode).toBe(429);

    let { cookie } = holder;
    for (let count = 0; count <= maxPersonalTokens; count += 1) {
      if (count === 10) {
        service.clock.advance(3600);
        cookie = await signIn(service, holder.user);
      }
      statuses.push((await create({ ...holder, cookie })).statusCode);
    }

    expect([statuses.indexOf(409), statuses[0]]).toEqual([maxPersonalTokens, 303]);
    expect(await db.$count(personalTokens, eq(personalTokens.userId, holder.user.id))).toBe(
      maxPersonalTokens,
    );
  });

  test('says what is wrong, and keeps what was typed', async () => {
    const holder = await addHolder();

    const without = await create(holder, { name: ' ', access: 'chosen' });
    const unknown = await create(holder, { access: 'chosen', scopes: 'ADMIN_WRITE' });
    const forever = await create(holder, { days: '100000' });

    expect([without, unknown, forever].map(({ statusCode }) => statusCode)).toEqual([400, 400, 400]);
    expect(faultOf(without, 'name')).toBe('Enter a name.');
    expect(faultOf(forever, 'days')).toBe('Choose when it expires.');
    expect(forever.body).toContain('value="Backup script"');
  });
});

describe('what looks like a personal token (security C280)', () => {
  test('is refused without a look into the database where a character is wrong', async () => {
    const token = await createToken(await addHolder());
    const wrong = `${token.slice(0, -1)}${token.endsWith('0') ? '1' : '0'}`;
    service.takeStatements();

    const answers = await Promise.all([wrong, 'lk_live_', `${token}0`].map((one) => call(one)));

    expect(answers.map(({ statusCode }) => statusCode)).toEqual([401, 401, 401]);
    expect(service.takeStatements()).toEqual([]);
  });

  test('costs one network so many looks a minute at most, and people there keep the tokens that they use', async () => {
    const address = anyAddress();
    const known = await createToken(await addHolder());
    await call(known, '/v2/me', address);
    const { max } = memoryLimits.wrong_secrets;

    const answers = await Promise.all(
      Array.from({ length: max + 5 }, () => call(makeToken(service.clock), '/v2/me', address)),
    );
    const refused = answers.filter(({ statusCode }) => statusCode === 429);

    expect(answers.filter(({ statusCode }) => statusCode === 401)).toHaveLength(max);
    expect(refused).toHaveLength(5);
    expect(refused[0]?.headers['retry-after']).toBe('1');
    expect((await call(known, '/v2/me', address)).statusCode).toBe(200);
    expect((await call(makeToken(service.clock))).statusCode).toBe(401);
  });
});

test('a script may begin with a hundred requests at the same time: they look for its token once (security C280)', async () => {
  const token = await createToken(await addHolder());
  const address = anyAddress();
  service.takeStatements();

  const answers = await Promise.all(Array.from({ length: 100 }, () => call(token, '/v2/me', address)));

  expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
  expect(service.takeStatements().filter((text) => text.includes('"personal_tokens"'))).toHaveLength(1);
});

test('without the part no token is accepted or made, and those that exist wait for it (contract §1)', async () => {
  const holder = await addHolder();
  const token = await createToken(holder);
  const without = await openAnotherInstance(service, { PARTS: '-personal-tokens' });
  const headers = { authorization: `Bearer ${token}` };

  const me = await without.app.inject({ url: '/v2/me', headers });
  const page = await without.app.inject({ url: home, headers: { cookie: holder.cookie } });

  expect(me.statusCode).toBe(401);
  expect(page.statusCode).toBe(404);
  expect(await statusOf(token)).toBe(200);
});
