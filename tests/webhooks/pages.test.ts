import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { memberships } from '../../src/accounts/tables.ts';
import { developerHome } from '../../src/oauth/clients/own-client.ts';
import { webhooks } from '../../src/webhooks/tables.ts';
import { bodyOf, callApi, type Represented, represent } from '../support/api.ts';
import { readTables } from '../support/database-content.ts';
import { addGroup, addMember, addPerson, openAs } from '../support/groups.ts';
import { faultOf, textOf } from '../support/page-content.ts';
import { postOwnForm, submitClient } from '../support/registration.ts';
import { openTestService } from '../support/service.ts';
import { startSubscriber } from '../support/subscriber.ts';
import { suspend } from '../support/suspension.ts';
import { addUser, startSession } from '../support/world.ts';

const service = await openTestService();
const subscriber = await startSubscriber();
const home = '/settings/webhooks';
const form = { subscriberUrl: subscriber.address('/page'), triggers: 'BOOKING_CREATED' };
const { cookie } = await addPerson(service);

/** The page of a new webhook, and the cookie in which its secret is on the way. */
async function create(as = cookie, at = home) {
  const created = await postOwnForm(service, `${at}/new`, form, as);
  expect(created.statusCode).toBe(303);
  const [page = ''] = String(created.headers.location).split('?');
  const [shown] = created.cookies;
  return { page, secretCookie: `${shown?.name}=${shown?.value}`, shown };
}

const read = async (url: string, as = cookie) => (await openAs(service, url, as)).body;

test('a webhook is created, tested, changed and deleted; what was sent is listed and resent (contract §8)', async () => {
  const { page } = await create();
  expect(await read(home)).toContain('/page');

  const tested = await postOwnForm(service, `${page}/test`, {}, cookie);
  expect(tested.headers.location).toBe(`${page}?done=answered`);
  expect(await read(page)).toContain('HTTP 200');
  const [, resend = ''] = /action="([^"]+\/resend)"/.exec(await read(page)) ?? [];
  await postOwnForm(service, resend, {}, cookie);
  await expect
    .poll(() => subscriber.events.map(({ triggerEvent }) => triggerEvent))
    .toEqual(['PING', 'PING']);
  expect(new Set(subscriber.events.map(({ headers }) => headers['webhook-id'])).size).toBe(1);

  const saved = await postOwnForm(service, page, { ...form, triggers: 'BOOKING_REJECTED' }, cookie);
  expect(saved.headers.location).toBe(`${page}?done=saved`);
  expect(await read(home)).toMatch(/Off<[\s\S]*Booking rejected/);
  const off = await postOwnForm(service, `${page}/test`, {}, cookie);
  expect(await read(String(off.headers.location))).toContain('Turn it on first.');

  const deleted = await postOwnForm(service, `${page}/delete`, {}, cookie);
  expect(deleted.headers.location).toBe(`${home}?done=deleted`);
  expect((await openAs(service, page, cookie)).statusCode).toBe(404);
});

test('all events are selected by one button, without JavaScript, and nothing is saved before', async () => {
  const boxesOn = (body: string) => body.match(/<input type="checkbox" name="triggers"[^>]*>/g) ?? [];
  const { page } = await create();
  const typed = { subscriberUrl: subscriber.address('/other'), selectAll: '' };
  for (const at of [`${home}/new`, page]) {
    const shown = await postOwnForm(service, at, typed, cookie);

    expect(shown.statusCode).toBe(200);
    expect(boxesOn(shown.body).length).toBeGreaterThan(1);
    expect(boxesOn(shown.body).filter((box) => !box.includes('checked'))).toEqual([]);
    expect(shown.body).toContain(`value="${typed.subscriberUrl}"`);
  }
  const saved = boxesOn(await read(page)).filter((box) => box.includes('checked'));

  expect(saved).toHaveLength(1);
  expect(await read(home)).not.toContain('/other');
});

test('a delivery shows what was sent and how the answer begins, as text and without secrets (security C136)', async () => {
  const { page } = await create();
  subscriber.answer('/page', (response) => {
    response.writeHead(500).end(`<script>alert(1)</script>\0\u202e${'x'.repeat(3000)}`);
  });
  await postOwnForm(service, `${page}/test`, {}, cookie);
  subscriber.answer('/page', (response) => response.writeHead(200).end());

  const body = await read(page);

  expect(body).toContain('&quot;triggerEvent&quot;: &quot;PING&quot;');
  expect(body).toContain('&lt;script&gt;alert(1)&lt;/script&gt;xxx');
  expect(body).not.toMatch(/x{1100}|<script>alert|whsec_|webhook-signature/);
  expect(body).toContain('Example payload');
});

test('a server’s answer, which often names the whole secret address, is stored encrypted and logged nowhere (security C333)', async () => {
  const { page } = await create();
  const secret = 'T0-canary-b7f3';
  subscriber.answer('/page', (response) => {
    response.writeHead(404).end(`POST https:\\/\\/hooks.example\\/services\\/${secret} isn’t here`);
  });
  service.takeLog();
  await postOwnForm(service, `${page}/test`, {}, cookie);
  subscriber.answer('/page', (response) => response.writeHead(200).end());

  expect(await read(page)).toContain(secret);
  const stored = await readTables(service.database);
  expect(JSON.stringify(stored)).not.toContain(secret);
  expect(service.takeLog()).not.toContain(secret);
});

test('its secret is shown once, on its own page alone (security C105)', async () => {
  const { page, secretCookie, shown } = await create();
  const other = await create();

  const first = await openAs(service, page, `${cookie}; ${secretCookie}`);
  expect(first.body).toMatch(/whsec_[\w+/]{43}=/);
  expect(first.cookies).toMatchObject([{ name: shown?.name, value: '' }]);
  expect(shown).toMatchObject({ httpOnly: true, sameSite: 'Strict', path: page });
  expect(await read(page)).not.toContain('whsec_');
  expect(await read(other.page, `${cookie}; ${secretCookie}`)).not.toContain('whsec_');
});

test.each([
  [{ subscriberUrl: 'http://app.example/' }, 'Use an https:// address'],
  [{ subscriberUrl: '' }, 'Use an https:// address'],
  [{ subscriberUrl: 'https://10.0.0.1/' }, 'Use an address on the public internet'],
  [{ triggers: '' }, 'Use one of'],
  [{ triggers: 'ACCESS_GRANTED' }, 'Use one of'],
])('a form with %j is answered with what is wrong', async (changes, fault) => {
  const answer = await postOwnForm(service, `${home}/new`, { ...form, ...changes }, cookie);
  expect([answer.statusCode, answer.body.includes(fault)]).toEqual([400, true]);
});

test('the 21st webhook is refused, and the list says so (contract §8)', async () => {
  const { cookie: as } = await addPerson(service);
  for (let made = 0; made < 20; made += 1) await create(as);

  const refused = await postOwnForm(service, `${home}/new`, form, as);
  expect([refused.statusCode, refused.body.includes('the maximum')]).toEqual([400, true]);
  expect(await read(home, as)).not.toContain(`${home}/new`);
});

test('nobody sees or changes the webhooks of others (security C105)', async () => {
  const { owner, cookie: ownerCookie, id } = await submitClient(service);
  const team = await addGroup(service, 'team', owner);
  const places = [home, `${team.page}/webhooks`, `${developerHome}/${id}/webhooks`];
  const pages: string[] = [];
  for (const at of places) pages.push((await create(ownerCookie, at)).page);
  const admin = await addMember(service, team, 'admin');
  const member = await addMember(service, team, 'member');
  const [ofUser = '', ofTeam = '', ofApp = ''] = pages;
  const statusFor = async (url: string, as: string) => (await openAs(service, url, as)).statusCode;

  expect([await statusFor(ofTeam, admin.cookie), await statusFor(ofApp, ownerCookie)]).toEqual([200, 200]);
  for (const page of [ofUser, ofTeam, ofApp]) {
    // Below a list of one's own, the id of another's is not found either.
    const underOwn = `${home}/${page.split('/').at(-1)}`;
    for (const target of [page, underOwn]) {
      expect(await statusFor(target, member.cookie)).toBe(404);
      for (const action of ['', '/test', '/delete', '/deliveries/1/resend']) {
        const { statusCode } = await postOwnForm(service, `${target}${action}`, form, member.cookie);
        expect([target, action, statusCode]).toEqual([target, action, 404]);
      }
    }
    expect(await statusFor(page, ownerCookie)).toBe(200);
  }
  for (const at of places.slice(1)) {
    expect(await statusFor(at, member.cookie)).toBe(404);
    expect((await postOwnForm(service, `${at}/new`, form, member.cookie)).statusCode).toBe(404);
  }
});

describe('an app’s token (security C134)', () => {
  const elsewhere = { subscriberUrl: 'https://elsewhere.example/' };
  const secret = 'one-that-the-app-knows';

  test.each(['a person', 'a team'])('gets no events of a webhook that %s made on its page', async (whose) => {
    const { user, cookie: as } = await addPerson(service);
    const team = await addGroup(service, 'team', user);
    const [at, api] =
      whose === 'a team' ? [`${team.page}/webhooks`, `/teams/${team.id}/webhooks`] : [home, '/webhooks'];
    const { page } = await create(as, at);
    const { token } = await represent(service, { user, scopes: ['WEBHOOK_WRITE', 'PROFILE_READ'] });
    const path = `${api}/${page.split('/').at(-1)}`;
    const change = (body: object) => callApi(service, 'PATCH', path, { token, body });

    for (const body of [elsewhere, { secret }, { ...elsewhere, active: false }]) {
      const refused = await change(body);
      expect([refused.statusCode, refused.json().error]).toMatchObject([403, { code: 'Forbidden' }]);
    }
    const { subscriberUrl } = form;
    const shown = { subscriberUrl: new URL(subscriberUrl).origin };
    const unchanged = { ...shown, active: true, triggers: [form.triggers] };
    expect(bodyOf(await callApi(service, 'GET', path, { token })).data).toMatchObject(unchanged);

    // The address as it was goes to nobody else.
    const changed = await change({ subscriberUrl, active: false });
    expect(bodyOf(changed).data).toMatchObject({ ...shown, active: false });
  });

  test('changes the address and secret of the webhooks that its app made, and no other app’s', async () => {
    const { user } = await addPerson(service);
    const [first, second] = [await represent(service, { user }), await represent(service, { user })];
    const body = { subscriberUrl: 'https://app.example/', triggers: [form.triggers] };
    const { id } = bodyOf(
      await callApi(service, 'POST', '/webhooks', { token: first.token, body }),
      201,
    ).data;
    const change = ({ token }: Represented) =>
      callApi(service, 'PATCH', `/webhooks/${id}`, { token, body: { ...elsewhere, secret } });

    expect((await change(second)).statusCode).toBe(403);
    expect(bodyOf(await change(first)).data).toMatchObject(elsewhere);
  });

  test('reads addresses without path and query, which are often secrets, but for its own webhooks (security C214)', async () => {
    const { user } = await addPerson(service);
    const [first, second] = [await represent(service, { user }), await represent(service, { user })];
    const subscriberUrl = 'https://hooks.example:8443/T0/canary-5b1f?key=canary-5b1f';
    const body = { subscriberUrl, triggers: [form.triggers] };
    const made = await callApi(service, 'POST', '/webhooks', { token: first.token, body });
    const path = `/webhooks/${bodyOf(made, 201).data.id}`;
    const off = { active: false };

    const answers = async ({ token }: Represented) => [
      bodyOf(await callApi(service, 'GET', '/webhooks', { token })).data[0].subscriberUrl,
      bodyOf(await callApi(service, 'GET', path, { token })).data.subscriberUrl,
      bodyOf(await callApi(service, 'PATCH', path, { token, body: off })).data.subscriberUrl,
    ];

    expect(await answers(first)).toEqual(Array(3).fill(subscriberUrl));
    const [stored] = await service.database.db.select().from(webhooks).where(eq(webhooks.userId, user.id));
    expect(stored?.subscriberUrl).toBe('https://hooks.example:8443');
    expect(await answers(second)).toEqual(Array(3).fill('https://hooks.example:8443'));
    const deleted = await callApi(service, 'DELETE', path, { token: second.token });
    expect(bodyOf(deleted).data.subscriberUrl).toBe('https://hooks.example:8443');
  });
});

describe('a team’s webhook that was made on its page (security C127)', () => {
  const make = async () => {
    const owner = await addPerson(service);
    const team = await addGroup(service, 'team', owner.user);
    const admin = await addMember(service, team, 'admin');
    const { page } = await create(admin.cookie, `${team.page}/webhooks`);
    const removal = `${team.page}/members/${admin.user.id}/remove`;
    const remove = () => postOwnForm(service, removal, {}, owner.cookie);
    const delivered = async () => (await read(page, owner.cookie)).split('HTTP 200').length - 1;
    /** Queues a test event, and another one for a webhook that is heard, which has to come. */
    const ping = async () => {
      const tested = await postOwnForm(service, `${page}/test`, {}, owner.cookie);
      expect(tested.headers.location).toMatch(/\?done=(?:tested|answered)$/);
      const other = await create(owner.cookie);
      await postOwnForm(service, `${other.page}/test`, {}, owner.cookie);
      await expect.poll(() => read(other.page, owner.cookie)).toContain('HTTP 200');
    };
    return { owner, admin, page, remove, ping, delivered };
  };

  test('is silent once its maker is no longer in the team, until someone else saves it', async () => {
    const { owner, page, remove, ping, delivered } = await make();
    await ping();
    await expect.poll(delivered).toBe(1);

    expect((await remove()).statusCode).toBe(303);
    await ping();
    expect(await delivered()).toBe(1);

    await postOwnForm(service, page, { ...form, active: 'on' }, owner.cookie);
    await ping();
    await expect.poll(delivered).toBe(3);
  });

  test('is silent while its maker may not manage the team', async () => {
    const { admin, ping, delivered } = await make();
    const isTheirs = eq(memberships.userId, admin.user.id);
    await service.database.db.update(memberships).set({ role: 'member' }).where(isTheirs);
    await ping();

    expect(await delivered()).toBe(0);
  });

  test('is silent while its maker is suspended', async () => {
    const { admin, ping, delivered } = await make();
    const boss = await addUser(service, { isAdmin: true });
    await suspend(service, admin.user, await startSession(service, boss));
    await ping();

    expect(await delivered()).toBe(0);
  });

  test('goes on where it was not noted who made it', async () => {
    const { admin, remove, ping, delivered } = await make();
    const isTheirs = eq(webhooks.makerId, admin.user.id);
    await service.database.db.update(webhooks).set({ makerId: null }).where(isTheirs);
    await remove();
    await ping();

    await expect.poll(delivered).toBe(1);
  });
});

test('what is wrong with the address and the events is said together', async () => {
  const fields = { subscriberUrl: 'http://app.example/hook' };

  const answer = await postOwnForm(service, `${home}/new`, fields, cookie);

  expect(faultOf(answer, 'subscriberUrl')).toContain('https://');
  expect(textOf(answer.body)).toContain('Choose at least one event.');
});
