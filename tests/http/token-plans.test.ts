import { sql } from 'drizzle-orm';
import { beforeAll, expect, test } from 'vitest';
import { requestOf } from '../support/authorization.ts';
import { allowForGood, visit } from '../support/consent.ts';
import { fillTables } from '../support/database.ts';
import { hiddenFieldOf, textOf } from '../support/page-content.ts';
import { explain } from '../support/plans.ts';
import { queryRows } from '../support/query-rows.ts';
import { postOwnForm, reviewHome } from '../support/registration.ts';
import { openTestService } from '../support/service.ts';
import { issueCode, issueTokens, refreshFields, revoke } from '../support/tokens.ts';
import { addClient, addUser, callMe, requestToken, startSession } from '../support/world.ts';

const service = await openTestService();
const client = await addClient(service);
const { id: ownerId } = await addUser(service);

/** Half of the grants are one client's. */
beforeAll(() =>
  fillTables(service.database, async (tx) => {
    await tx.execute(sql`
    insert into users (email, username, name, password_hash, created_at)
    select 'u' || n || '@example.com', 'u' || n, 'U', 'x', now() from generate_series(1, 20000) n`);
    await tx.execute(sql`
    insert into clients (id, owner_id, name, purpose, type, redirect_uris, status, created_at, submitted_at)
    select 'app' || n, ${ownerId}, 'App', 'x', 'public', '{}', 'accepted', now(), now() from generate_series(1, 5000) n`);
    await tx.execute(sql`
    insert into client_secrets (id, client_id, secret_hash, hint, created_at)
    select gen_random_uuid(), 'app' || n, md5(n::text), 'x', now() from generate_series(1, 5000) n`);
    await tx.execute(sql`
    insert into groups (kind, slug, name, created_at)
    select 'team', 't' || n, 'T', now() from generate_series(1, 5000) n`);
    await tx.execute(sql`
    insert into memberships (group_id, kind, user_id, role)
    select g.id, 'team', u.id, 'owner' from generate_series(1, 5000) n
      inner join users u on u.username = 'u' || n inner join groups g on g.slug = 't' || n`);
    await tx.execute(sql`
    insert into grants (id, client_id, user_id, redirect_uri, generation, issued_at, redeemed_at, rotated_at)
    select gen_random_uuid(), case when n % 2 = 0 then ${client.id} else 'app' || (1 + n % 5000) end, u.id,
      'https://app.example/callback', 1, now(), now(), now()
    from generate_series(1, 50000) n inner join users u on u.username = 'u' || (1 + n % 20000)`);
    await tx.execute(sql`
    insert into remembered_consents (user_id, client_id, redirect_uri, remembered_at)
    select id, ${client.id}, 'https://app.example/callback', now() from users where username ~ '^u[0-9]'`);
    await tx.execute(sql`
    insert into schedules (user_id, name, time_zone, weekly, overrides, is_default, created_at)
    select id, 'x', 'UTC', '[]', '{}', true, now() from users where username ~ '^u[0-9]'`);
    await tx.execute(sql`analyze`);
  }),
);

const large = [
  'grants',
  'clients',
  'client_secrets',
  'users',
  'memberships',
  'remembered_consents',
  'schedules',
];

/** The indexes that the statements of a request read, as planned for any values, and tables read from end to end. */
async function readsOf(
  act: () => Promise<{ readonly statusCode: number }>,
  status = 200,
  on = service,
): Promise<string[]> {
  on.takeStatements();
  expect((await act()).statusCode).toBe(status);
  const reads = new Set<string>();
  for (const statement of on.takeStatements()) {
    if (!/^(select|with|update|insert|delete) /.test(statement)) continue;
    for (const step of await explain(on, statement)) {
      const { 'Node Type': node, 'Relation Name': table = '', 'Index Name': index } = step;
      if (index !== undefined) reads.add(index);
      else if (node === 'Seq Scan' && large.includes(table)) reads.add(`all of ${table}`);
    }
  }
  return [...reads].toSorted();
}

const ofClient = ['client_secrets_client_id_registration_key_index', 'clients_pkey'];
const ofGrant = ['grants_pkey', 'memberships_user_id_index'];
const ofToken = [...ofClient, ...ofGrant];

test('an exchange, a refresh, its repetition and a revocation find client, secret and grant by their ids (architecture §2)', async () => {
  const code = await issueCode(service, client);
  const tokens = await issueTokens(service, client);
  const refresh = refreshFields(client, tokens.refresh_token);

  expect(await readsOf(() => requestToken(service, code))).toEqual(ofToken);
  expect(await readsOf(() => requestToken(service, refresh))).toEqual(ofToken);
  expect(await readsOf(() => requestToken(service, refresh))).toEqual(ofToken);
  expect(await readsOf(() => revoke(service, client, tokens.refresh_token))).toEqual(ofToken);
});

test('a request with an access token finds its grant, client and user by their ids (architecture §2)', {
  tags: 'parts',
}, async () => {
  const tokens = await issueTokens(service, client);
  const headers = { authorization: `Bearer ${tokens.access_token}` };
  const ofBearer = ['clients_pkey', ...ofGrant, 'users_pkey'];

  const me = await readsOf(() => callMe(service, tokens.access_token));
  const eventTypes = await readsOf(() => service.app.inject({ url: '/v2/event-types', headers }));

  expect(me).toEqual(expect.arrayContaining(ofBearer));
  expect(eventTypes).toEqual(expect.arrayContaining(ofBearer));
  expect([...me, ...eventTypes].filter((read) => read.startsWith('all of'))).toEqual([]);
});

test("the consent page and its decision go by the user's grants, not by the client’s, which may be millions (architecture §2)", async () => {
  const user = await addUser(service);
  const cookie = await startSession(service, user);
  const visiting = () => visit(service, requestOf(client), cookie);

  const asked = await readsOf(visiting);
  const allowed = await readsOf(() => allowForGood(service, client, cookie), 303);
  const remembered = await readsOf(visiting, 303);

  for (const reads of [asked, allowed, remembered]) {
    expect(reads).toContain('grants_user_id_client_id_index');
    expect(reads.filter((read) => read === 'grants_client_id_index' || read.startsWith('all of'))).toEqual(
      [],
    );
  }
});

test('the pages about an app count its users in its first 10,000 grants, by index, so that an admin can suspend it (security C242)', async () => {
  const cookie = await startSession(service, await addUser(service, { isAdmin: true }));
  const url = `${reviewHome}/${client.id}`;
  const opening = () => service.app.inject({ url, headers: { cookie } });

  const reads = await readsOf(opening);
  const { body } = await opening();
  const revision = hiddenFieldOf(body, 'revision');
  const suspended = await postOwnForm(service, `${url}/suspend`, { revision, reason: 'Spam' }, cookie);

  expect(reads).toContain('grants_client_id_index');
  expect(reads).not.toContain('all of grants');
  expect(textOf(body)).toMatch(/Connected users\s+At least [\d,]+/);
  expect(suspended.statusCode).toBe(303);
});

test('an installation of 12,000 apps without statistics reads its own app alone for a token (architecture §2)', async () => {
  const young = await openTestService();
  await queryRows(
    young.database.url,
    `alter table clients set (autovacuum_enabled = off);
    insert into clients (id, name, purpose, type, redirect_uris, status, created_at, submitted_at)
    select md5(n::text), 'Script', 'x', 'confidential', '{}', 'accepted', now(), now() from generate_series(1, 12000) n`,
  );
  const app = await addClient(young);
  const code = await issueCode(young, app);
  const tokens = await issueTokens(young, app);

  const reads = [
    ...(await readsOf(() => requestToken(young, code), 200, young)),
    ...(await readsOf(() => requestToken(young, refreshFields(app, tokens.refresh_token)), 200, young)),
  ];

  expect(reads).toContain('clients_pkey');
  expect(reads).not.toContain('all of clients');
});

test('an installation of 2,000 grants reads the grant of a token alone (architecture §2)', async () => {
  const small = await openTestService();
  const app = await addClient(small);
  const code = await issueCode(small, app);
  const tokens = await issueTokens(small, app);
  await queryRows(
    small.database.url,
    `insert into grants (id, client_id, user_id, redirect_uri, generation, issued_at, redeemed_at, rotated_at)
    select gen_random_uuid(), client_id, user_id, redirect_uri, 1, now(), now(), now()
    from generate_series(1, 2000), (select * from grants limit 1) one;
    analyze`,
  );

  const reads = [
    ...(await readsOf(() => requestToken(small, code), 200, small)),
    ...(await readsOf(() => requestToken(small, refreshFields(app, tokens.refresh_token)), 200, small)),
  ];

  expect(reads).toContain('grants_pkey');
  expect(reads).not.toContain('all of grants');
});
