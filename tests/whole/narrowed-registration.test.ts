import { eq } from 'drizzle-orm';
import { decodeJwt } from 'jose';
import { describe, expect, test } from 'vitest';
import type { OwnScopes } from '../../src/oauth/own-scopes.ts';
import { clients } from '../../src/oauth/tables.ts';
import { redirectOf, requestOf } from '../support/authorization.ts';
import { addPerson, openAs } from '../support/groups.ts';
import { textOf } from '../support/page-content.ts';
import {
  developerHome,
  findClientRow,
  findEditRow,
  mailTo,
  openEdit,
  postOwnForm,
  register,
  registeredId,
  registration,
  reviewDecisions,
  reviewHome,
} from '../support/registration.ts';
import { submitEdit } from '../support/review.ts';
import { scopeNames } from '../support/scopes.ts';
import { openAnotherInstance, openTestService, type TestService } from '../support/service.ts';
import { grantsOf, issueCode, issueTokens, refreshFields, refusalOf, rotate } from '../support/tokens.ts';
import {
  addClient,
  addUser,
  callMe,
  connect,
  hiddenFieldsOf,
  openAuthorizePage,
  postForm,
  refresh,
  requestToken,
  startSession,
  type TestClient,
} from '../support/world.ts';
import { acceptAsShown, saveAsShown } from './shown-forms.ts';

const service = await openTestService();
const adminCookie = await startSession(service, await addUser(service, { isAdmin: true }));

/** An owner's edit of the scopes that a reviewer approves. */
async function edit({ id }: TestClient, scopes: OwnScopes): Promise<void> {
  await submitEdit(service, id, { scopes: scopes === null ? null : [...scopes] });
  const answer = await reviewDecisions.accept(service, id, adminCookie);
  if (answer.statusCode !== 303) throw new Error(`the review answered ${answer.statusCode}`);
}

test.each([
  ['one of two', ['PROFILE_READ', 'BOOKING_READ'], ['BOOKING_READ'], 'BOOKING_READ'],
  ['READ of WRITE', ['BOOKING_WRITE', 'PROFILE_READ'], ['BOOKING_READ'], 'BOOKING_READ'],
  ['some of full access', null, ['BOOKING_READ', 'PROFILE_READ'], 'PROFILE_READ BOOKING_READ'],
  ['WRITE for READ', ['BOOKING_READ'], ['BOOKING_WRITE'], 'BOOKING_READ'],
  ['full access for some', ['BOOKING_READ'], null, 'BOOKING_READ'],
  ['more than before', ['BOOKING_READ'], ['BOOKING_READ', 'PROFILE_READ'], 'BOOKING_READ'],
] as const)(
  'a refresh after an edit to %s gives what was granted and is still registered (contract §6, security C60)',
  async (_name, before, after, expected) => {
    const client = await addClient(service, { scopes: before });
    const tokens = await issueTokens(service, client);
    await edit(client, after);

    const rotated = await rotate(service, client, tokens);
    const repeated = await rotate(service, client, tokens);

    for (const { scope, access_token: token } of [rotated, repeated])
      expect([scope, decodeJwt(token)['scope']]).toEqual([expected, expected]);
  },
);

test('an exchange of a code from before the edit gives no more than the registration (security C60)', async () => {
  const client = await addClient(service, { scopes: ['PROFILE_READ', 'BOOKING_READ'] });
  const request = await issueCode(service, client);
  await edit(client, ['BOOKING_READ']);

  const answer = await requestToken(service, request);

  expect(answer.json()).toMatchObject({ scope: 'BOOKING_READ' });
});

test('an access token from before the edit loses what is no longer registered, immediately (contract §5, security C60)', async () => {
  const client = await addClient(service, { scopes: ['PROFILE_READ', 'BOOKING_READ'] });
  const tokens = await issueTokens(service, client);
  const before = await callMe(service, tokens.access_token);
  await edit(client, ['BOOKING_READ']);

  const after = await callMe(service, tokens.access_token);

  expect([before.statusCode, after.statusCode]).toEqual([200, 403]);
  expect(after.headers['www-authenticate']).toContain(
    'error="insufficient_scope", scope="PROFILE_READ BOOKING_READ"',
  );
  expect(after.json()).toMatchObject({
    error: { code: 'Forbidden', message: expect.stringContaining('the scope PROFILE_READ.') },
  });
});

test('full access from before the edit can be used for the registered scopes alone (contract §6, security C60)', async () => {
  const client = await addClient(service);
  const tokens = await issueTokens(service, client);
  await edit(client, ['BOOKING_READ']);

  const bookings = await service.app.inject({
    url: '/v2/bookings',
    headers: { authorization: `Bearer ${tokens.access_token}` },
  });

  expect(bookings.statusCode).toBe(200);
  expect((await callMe(service, tokens.access_token)).statusCode).toBe(403);
});

test('a scope that is no longer registered is too much at refresh, and spends nothing (contract §4, security C60)', async () => {
  const client = await addClient(service, { scopes: ['PROFILE_READ', 'BOOKING_READ'] });
  const { refresh_token: token } = await issueTokens(service, client);
  await edit(client, ['BOOKING_READ']);

  const answer = await requestToken(service, { ...refreshFields(client, token), scope: 'PROFILE_READ' });

  expect(refusalOf(answer)).toEqual([400, 'invalid_scope', 'scope_exceeds_grant']);
  expect((await refresh(service, client, token)).statusCode).toBe(200);
});

test('where nothing of the grant is registered any more, codes and refresh tokens are refused until it is again (contract §4, security C60)', async () => {
  const client = await addClient(service, { scopes: ['PROFILE_READ'] });
  const code = await issueCode(service, client);
  const { refresh_token: token } = await issueTokens(service, client);
  await edit(client, ['BOOKING_READ']);

  const refused = [await requestToken(service, code), await refresh(service, client, token)];
  await edit(client, ['PROFILE_READ', 'BOOKING_READ']);
  const given = [await requestToken(service, code), await refresh(service, client, token)];

  expect(refused.map(refusalOf)).toEqual(refused.map(() => [400, 'invalid_scope', 'scope_exceeds_grant']));
  expect(given.map((answer) => answer.json().scope)).toEqual(['PROFILE_READ', 'PROFILE_READ']);
});

test('an edit that waits narrows nothing (contract §2)', async () => {
  const client = await addClient(service, { scopes: ['PROFILE_READ', 'BOOKING_READ'] });
  const tokens = await issueTokens(service, client);

  await submitEdit(service, client.id, { scopes: ['BOOKING_READ'] });

  expect((await callMe(service, tokens.access_token)).statusCode).toBe(200);
  expect((await rotate(service, client, tokens)).scope).toBe('PROFILE_READ BOOKING_READ');
});

test('the user reads what is left of the access, and the grant keeps what was approved (contract §6)', async () => {
  const client = await addClient(service, { scopes: ['PROFILE_READ', 'BOOKING_READ'] });
  const cookie = await startSession(service, await addUser(service));
  await connect(service, client, cookie);
  await edit(client, ['BOOKING_READ']);

  const read = async () =>
    textOf((await service.app.inject({ url: '/settings/apps', headers: { cookie } })).body);

  const narrowed = await read();
  await edit(client, ['SCHEDULE_READ']);

  expect(narrowed).toContain('See your bookings');
  expect(narrowed).not.toContain('See your name');
  expect(await read()).toContain('the app no longer uses the permissions that you approved');
  expect(await grantsOf(service, client)).toMatchObject([{ scopes: ['PROFILE_READ', 'BOOKING_READ'] }]);
});

test('a narrowed refresh and a narrowed call cost no more statements (architecture §2, contract §5)', async () => {
  const client = await addClient(service, { scopes: ['PROFILE_READ', 'BOOKING_READ'] });
  const tokens = await issueTokens(service, client);
  await service.database.db
    .update(clients)
    .set({ scopes: ['PROFILE_READ'] })
    .where(eq(clients.id, client.id));
  const countOf = async (request: () => Promise<unknown>): Promise<number> => {
    service.takeStatements();
    await request();
    return service.takeStatements().length;
  };

  const counts = [
    await countOf(() => rotate(service, client, tokens)),
    await countOf(() => callMe(service, tokens.access_token)),
  ];

  expect(counts).toEqual([1, 1]);
});

const RESOURCES = 'https://notes.example Meeting notes';
const all = await openTestService({ RESOURCES, SCOPES: 'notes:read=Read your notes' });

/** The same installation with less, as an operator who restarts it makes it. */
const some = await openAnotherInstance(all, { PARTS: 'all,-webhooks,-openid' });
const door = await openAnotherInstance(all, { PARTS: 'door' });
const adminUser = await addUser(all, { isAdmin: true });

const acceptAs = async (service: TestService, id: string) =>
  acceptAsShown(service, id, await startSession(all, adminUser));

async function submit(scopes: readonly string[] | null) {
  const { user, cookie } = await addPerson(all);
  const access = scopes === null ? 'full' : 'chosen';
  const [first = 'PROFILE_READ'] = scopes ?? [];
  const form = scopes === null ? { access } : { access, scopes: first };
  const id = registeredId(await register(all, cookie, form));
  // The helper ticks one box of several.
  await all.database.db
    .update(clients)
    .set({ scopes: scopes && [...scopes] })
    .where(eq(clients.id, id));
  const client: TestClient = {
    id,
    type: 'public',
    secret: undefined,
    redirectUri: 'https://desk.example/callback',
    ownerId: user.id,
  };
  await all.database.db.update(clients).set({ type: 'public' }).where(eq(clients.id, id));
  return { id, cookie, client };
}

const mixed = ['PROFILE_READ', 'WEBHOOK_WRITE', 'openid', 'email', 'notes:read'];

describe('an acceptance', () => {
  test('gives what its page named, also after more is offered again (security C301)', async () => {
    const { id, client } = await submit(mixed);
    const { cookie } = await addPerson(all);

    const { page, answer } = await acceptAs(some, id);
    const tokens = await connect(all, client, cookie);
    const asked = await openAuthorizePage(all, requestOf(client, { scope: 'WEBHOOK_WRITE' }), cookie);

    expect(answer.statusCode).toBe(303);
    expect(page).toContain('Not offered at the moment, so an approval doesn’t include it');
    expect(page).toContain('WEBHOOK_WRITE openid email notes:read');
    expect(tokens.scope).toBe('PROFILE_READ');
    expect(redirectOf(asked).parameters).toContainEqual(['error', 'invalid_scope']);
    expect(await findClientRow(all, id)).toMatchObject({ scopes: mixed, acceptedScopes: ['PROFILE_READ'] });
  });

  test('of full access is of what full access meant then; the owner submits the rest (contract §2)', async () => {
    const { id, cookie: owner, client } = await submit(null);
    const { cookie } = await addPerson(all);
    await acceptAs(door, id);

    const before = await connect(all, client, cookie);
    const shown = textOf((await openAs(all, `${developerHome}/${id}`, owner)).body);
    await saveAsShown(all, id, owner);
    const { page } = await acceptAs(all, id);
    const after = await connect(all, client, cookie);

    expect(before).not.toHaveProperty('scope');
    expect((await refresh(all, client, before.refresh_token)).json()).toMatchObject({
      scope: 'PROFILE_READ PROFILE_WRITE',
    });
    expect(shown).toContain('Not approved yet');
    expect(page).toContain('Full access');
    expect(page).toContain('See, create, change and cancel your bookings');
    expect(after).not.toHaveProperty('scope');
    expect((await findClientRow(all, id))?.acceptedScopes?.toSorted()).toEqual(scopeNames.toSorted());
    expect(textOf((await openAs(all, `${developerHome}/${id}`, owner)).body)).not.toContain(
      'Not approved yet',
    );
  });

  test('of an edit keeps what was accepted before and is still registered (security C301)', async () => {
    const { id, cookie: owner, client } = await submit(mixed);
    await acceptAs(all, id);

    await saveAsShown(some, id, owner, { website_url: 'https://desk.example' });
    await acceptAs(some, id);

    expect((await findClientRow(all, id))?.acceptedScopes?.toSorted()).toEqual(mixed.toSorted());
    expect((await connect(all, client, (await addPerson(all)).cookie)).scope?.split(' ').toSorted()).toEqual(
      mixed.toSorted(),
    );
  });

  test('of a page from before a restart gives what that page named (security C301)', async () => {
    const { id } = await submit(mixed);
    const cookie = await startSession(all, adminUser);
    const page = await openAs(some, `${reviewHome}/${id}`, cookie);
    const [, form = ''] = /<form method="post" action="[^"]*\/accept">(.*?)<\/form>/s.exec(page.body) ?? [];

    await postOwnForm(all, `${reviewHome}/${id}/accept`, hiddenFieldsOf(form), cookie);

    expect(await findClientRow(all, id)).toMatchObject({ acceptedScopes: ['PROFILE_READ'] });
  });

  test('without the names that its page had is none (security C301)', async () => {
    const { id } = await submit(mixed);

    const answer = await postOwnForm(
      all,
      `${reviewHome}/${id}/accept`,
      { revision: '1' },
      await startSession(all, adminUser),
    );

    expect(answer.statusCode).toBe(400);
    expect(await findClientRow(all, id)).toMatchObject({ status: 'pending' });
  });

  test('of an app of which nothing is offered leaves nothing to allow (security C305)', async () => {
    const { id, client } = await submit(['WEBHOOK_READ']);

    const { page } = await acceptAs(some, id);
    const asked = await openAuthorizePage(all, requestOf(client), (await addPerson(all)).cookie);

    expect(page).toContain('Nothing that this installation offers at the moment.');
    expect(redirectOf(asked).parameters).toContainEqual(['error', 'invalid_scope']);
  });

  test('of earlier versions, which stored no names, stands for what is registered (contract §6)', async () => {
    const [one, full] = [await addClient(all, { scopes: mixed }), await addClient(all)];
    const { cookie } = await addPerson(all);

    expect((await connect(all, one, cookie)).scope).toBe(mixed.join(' '));
    expect(await connect(all, full, cookie)).not.toHaveProperty('scope');
  });
});

describe('an edit', () => {
  test('while a part is off changes what was changed alone (security C302)', async () => {
    const { id, cookie } = await submit(['WEBHOOK_READ']);
    await acceptAs(all, id);
    const page = textOf((await openAs(some, `${developerHome}/${id}/edit`, cookie)).body);

    const answer = await saveAsShown(some, id, cookie, { website_url: 'https://desk.example' });

    expect(page).toContain('Kept as well');
    expect(answer.statusCode).toBe(303);
    expect(await findEditRow(all, id)).toMatchObject({
      websiteUrl: 'https://desk.example',
      scopes: ['WEBHOOK_READ'],
    });
  });

  test.each([
    ['of parts and SCOPES that are off', mixed, undefined, mixed],
    ['beside what is taken away', ['BOOKING_READ', ...mixed], ['PROFILE_READ'], mixed],
    ['beside what is added', mixed, ['PROFILE_READ', 'BOOKING_READ'], [...mixed, 'BOOKING_READ']],
  ])('keeps scopes %s', async (_, before, ticked, after) => {
    const { id, cookie } = await submit(before);

    await saveAsShown(some, id, cookie, { purpose: 'Another' }, ticked);

    expect((await findClientRow(all, id))?.scopes?.toSorted()).toEqual(after.toSorted());
  });

  test('of a form that was opened before a restart keeps what it couldn’t show (security C302)', async () => {
    const { id, cookie } = await submit(mixed);
    const { body } = await openAs(some, `${developerHome}/${id}/edit`, cookie);
    const { client_type: _, ...fields } = registration;
    const sent = { ...hiddenFieldsOf(body), ...fields, access: 'chosen', scopes: 'PROFILE_READ' };

    await postForm(all, `${developerHome}/${id}/edit`, { ...sent, purpose: 'Another' }, cookie);

    expect((await findClientRow(all, id))?.scopes?.toSorted()).toEqual(mixed.toSorted());
  });

  test.each([{ access: 'chosen' }, { access: '' }, {}])(
    'with nothing selected asks for nothing, and never for full access: %j (security C303)',
    async (sent) => {
      const { id, cookie } = await submit(['PROFILE_READ']);
      const { client_type: _, access: __, ...fields } = registration;
      const form = await openEdit(all, id, cookie);

      const answer = await postForm(
        all,
        `${developerHome}/${id}/edit`,
        { ...form, ...fields, ...sent },
        cookie,
      );

      expect(answer.statusCode).toBe(400);
      expect(await findClientRow(all, id)).toMatchObject({ scopes: ['PROFILE_READ'] });
    },
  );

  test('asks for full access where that is chosen, and keeps it (contract §6)', async () => {
    const { id, cookie } = await submit(mixed);

    await saveAsShown(all, id, cookie, { access: 'full' }, []);
    await saveAsShown(some, id, cookie, { purpose: 'Another' });

    expect(await findClientRow(all, id)).toMatchObject({ scopes: null, purpose: 'Another' });
  });

  test('that changes nothing is none, unless more is offered than was accepted (contract §2)', async () => {
    const { id, cookie } = await submit(mixed);
    const form = { website_url: '' };
    await acceptAs(some, id);

    const same = await saveAsShown(some, id, cookie, form);
    all.clock.advance(1);
    const more = await saveAsShown(all, id, cookie, form);

    expect(same.headers.location).toContain('done=unchanged');
    expect(more.headers.location).toContain('done=edit_submitted');
    const email = (await mailTo(all, adminUser.email)).findLast(({ text }) => text.includes(id));
    expect(email?.text).toContain('Changed: Scopes');
  });
});
