import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { users } from '../../src/accounts/tables.ts';
import { clients } from '../../src/oauth/tables.ts';
import { loadParts } from '../../src/parts.ts';
import { systemContext } from '../../src/platform/audit/context.ts';
import { recordAuditEvent } from '../../src/platform/audit/store.ts';
import { contextOf } from '../support/audit.ts';
import { addGroup, addMember, addPerson } from '../support/groups.ts';
import { signInFrom } from '../support/guesser.ts';
import { textOf } from '../support/page-content.ts';
import { postOwnForm, reviewDecisions, submitClient } from '../support/registration.ts';
import { openTestService } from '../support/service.ts';
import { suspend } from '../support/suspension.ts';
import { addTeam } from '../support/teams.ts';
import { addClient, addUser, connect, signIn } from '../support/world.ts';

const parts = await loadParts();

const service = await openTestService();
const { db } = service.database;
const admin = await addUser(service, { isAdmin: true });
const adminCookie = await signIn(service, admin);
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0';

async function open(path: string, cookie = adminCookie) {
  const answer = await service.app.inject({ url: path, headers: { cookie } });
  return { ...answer, text: textOf(answer.body).replaceAll(/\s+/g, ' '), status: answer.statusCode };
}

const actionsIn = (body: string) => [...body.matchAll(/<code>([\w.]+)<\/code>/g)].map(([, action]) => action);
const listed = async (query: Readonly<Record<string, string>>) =>
  actionsIn((await open(`/settings/admin/audit?${new URLSearchParams(query).toString()}`)).body);

describe('account activity', () => {
  test('says in sentences what a person did and what was decided, with browser and address', async () => {
    const user = await addUser(service);
    const cookie = await signIn(service, user);
    await signInFrom(
      service,
      { email: user.email, password: 'wrong' },
      { remoteAddress: '192.0.2.9', userAgent: firefox },
    );
    const client = await addClient(service, { name: 'Tidy <Week>' });
    await connect(service, client, cookie);
    await postOwnForm(service, `/settings/apps/${client.id}/disconnect`, {}, cookie);

    const { text, body } = await open('/settings/activity', cookie);

    expect(text).toContain('Your account was created');
    expect(text).toContain('You signed in');
    expect(text).toMatch(/A sign-in with an incorrect password failed[^.]*?Firefox on Linux, 192\.0\.2\.9/);
    expect(body).toContain('<bdi>Tidy &lt;Week&gt;</bdi> was given access to your account');
    expect(body).toContain('<bdi>Tidy &lt;Week&gt;</bdi>’s access to your account was removed');
  });

  test("names no admin, and no other person's browser or address", async () => {
    const { id, cookie } = await submitClient(service, { name: 'Tidy Desk' });
    await reviewDecisions.reject(service, id, adminCookie);

    const { text, body } = await open('/settings/activity', cookie);

    expect(text).toMatch(/Your app Tidy Desk was rejected.*?GMT\+1 · by an admin/);
    expect(body).not.toContain(admin.username);
    expect((await open('/settings/activity')).text).toContain('You rejected Tidy Desk');
  });

  test('shows both sides of what someone did to another', async () => {
    const owner = await addPerson(service);
    const group = await addGroup(service, 'team', owner.user, 'Garden');
    const member = await addMember(service, group, 'member');
    await postOwnForm(service, `${group.path}/members/${member.user.id}/remove`, {}, owner.cookie);

    expect((await open('/settings/activity', owner.cookie)).text).toContain(
      'You removed someone from Garden',
    );
    const { text } = await open('/settings/activity', member.cookie);
    expect(text).toContain('You left Garden');
    expect(text).toContain(`by Test ${owner.user.username}`);
  });

  test('says what an app was allowed, for which team, and which role someone has (security C124)', {
    tags: 'parts',
  }, async () => {
    const { user, cookie } = await addPerson(service);
    const garden = await addTeam(service, user, 'owner', 'Garden <Club>');
    const client = await addClient(service, { name: 'Tidy Week', scopes: null });
    await connect(service, client, cookie, { scope: 'PROFILE_READ' });
    await connect(service, client, cookie, { scope: 'BOOKING_WRITE', team_slug: garden.slug });
    const group = await addGroup(service, 'team', user, 'Shed');
    const member = await addMember(service, group, 'member');
    await postOwnForm(service, `${group.path}/members/${member.user.id}/role`, { role: 'admin' }, cookie);

    const own = (await open('/settings/activity', cookie)).text;
    expect(own).toMatch(/Tidy Week was given access to your account ?PROFILE_READ/);
    expect(own).toMatch(/Tidy Week was given access to your account ?BOOKING_WRITE · for Garden <Club>/);
    expect(own).toMatch(/You changed someone’s role in Shed ?member → admin/);
    expect((await open('/settings/activity', member.cookie)).text).toMatch(
      /Your role in Shed was changed ?member → admin/,
    );
    const log = (await open(`/settings/admin/audit?app=${client.id}`)).text;
    expect(log).toMatch(/Tidy Week ?BOOKING_WRITE, for Garden <Club>/);
    expect(log).not.toMatch(/Tidy Week ?PROFILE_READ, for/);
    const roles = (await open(`/settings/admin/audit?person=${member.user.id}&action=group.role_changed`))
      .text;
    expect(roles).toMatch(/Shed ?member to admin/);

    await postOwnForm(service, `/settings/teams/${garden.id}/delete`, { confirmation: garden.name }, cookie);
    expect((await open('/settings/activity', cookie)).text).toContain('BOOKING_WRITE · for a deleted team');
  });

  test('names the app that changed something, or says that it was an app', async () => {
    const user = await addUser(service);
    const cookie = await signIn(service, user);
    const [tidy, gone] = [await addClient(service, { name: 'Tidy <Week>' }), await addClient(service)];
    for (const { id: actorClientId } of [tidy, gone])
      await recordAuditEvent(
        db,
        { ...contextOf(service), actorId: user.id, actorClientId },
        { action: 'client.edited', label: 'hooks.example' },
      );
    await db.delete(clients).where(eq(clients.id, gone.id));

    const { text } = await open('/settings/activity', cookie);

    expect(text).toMatch(/You edited hooks\.example[^<]* · by Tidy <Week>/);
    expect(text).toContain(' · by an app');
  });

  test('keeps an admin’s reason from the person that it is about', async () => {
    const user = await addUser(service);
    const cookie = await signIn(service, user);
    await recordAuditEvent(db, contextOf(service), {
      action: 'user.restored',
      userId: user.id,
      reason: 'A mix-up & more',
    });

    expect((await open('/settings/activity', cookie)).text).not.toContain('mix-up');
  });

  test('is paged, without a gap or a repetition at the same moment', { tags: 'parts' }, async () => {
    const user = await addUser(service);
    const cookie = await signIn(service, user);
    for (let count = 0; count < 60; count += 1)
      await recordAuditEvent(db, contextOf(service), {
        action: 'calendar.connected',
        userId: user.id,
        label: `no. ${count};`,
      });

    const first = await open('/settings/activity', cookie);
    const [, older = ''] = /href="([^"]*)">Older/.exec(first.body) ?? [];
    const second = await open(older.replaceAll('&amp;', '&'), cookie);

    const numbers = [first, second].flatMap(({ text }) =>
      [...text.matchAll(/no\. (\d+);/g)].map(([, one]) => Number(one)),
    );
    expect(numbers).toEqual(Array.from({ length: 60 }, (_, index) => 59 - index));
    expect(second.body).not.toContain('>Older<');
    expect((await open('/settings/activity?behind=nonsense', cookie)).text).toContain('no. 59;');
  });

  test("is each person's own", async () => {
    const cookie = await signIn(service, await addUser(service));

    expect((await open('/settings/activity', cookie)).body.match(/<li>/g)).toHaveLength(2);
  });
});

describe('the audit log', () => {
  test('shows admins who did what to whom, from where and why', async () => {
    const user = await addUser(service);
    await suspend(service, user, adminCookie, 'Spam & more');

    const { text, body } = await open(`/settings/admin/audit?person=${user.id}&action=user.suspended`);

    expect(text).toMatch(new RegExp(`Test ${admin.username}\\s*Test ${user.username}\\s*Spam`));
    expect(body).toContain('Spam &amp; more');
    expect(text).toContain('127.0.0.1');
  });

  test('is filtered by person, app, action and days', async () => {
    const user = await addUser(service);
    const cookie = await signIn(service, user);
    const client = await addClient(service);
    await connect(service, client, cookie);
    const old = systemContext(new Date('2026-12-24T23:59:59Z'));
    await recordAuditEvent(db, old, { action: 'user.restored', userId: user.id });

    expect(await listed({ person: user.email.toUpperCase() })).toEqual([
      'grant.approved',
      'user.signed_in',
      'user.created',
      'user.restored',
    ]);
    expect(await listed({ person: String(user.id), action: 'user.signed_in' })).toEqual(['user.signed_in']);
    expect(await listed({ app: client.id })).toEqual(['grant.approved', 'client.registered']);
    expect(await listed({ person: user.email, from: '2026-12-24', to: '2026-12-24' })).toEqual([
      'user.restored',
    ]);
    expect(await listed({ person: user.email, to: '2026-12-23' })).toEqual([]);
  });

  test('says in sentences what happened, as others read it', async () => {
    const user = await addUser(service);
    const cookie = await signIn(service, user);
    const client = await addClient(service, { name: 'Tidy <Week>' });
    await connect(service, client, cookie);
    const { id } = await submitClient(service, { name: 'Calm Desk' });
    await reviewDecisions.reject(service, id, adminCookie);

    const { body } = await open(`/settings/admin/audit?person=${user.id}`);

    expect(body).toContain('<bdi>Their account was created</bdi>');
    expect(body).toContain('<bdi>Signed in</bdi>');
    expect(body).toContain('<bdi>Tidy &lt;Week&gt; was given access to their account</bdi>');
    expect((await open(`/settings/admin/audit?app=${id}`)).body).toContain('<bdi>Rejected Calm Desk</bdi>');
  });

  test('is downloaded for spreadsheets, which run nothing in it (security C383)', async () => {
    const user = await addUser(service);
    await db.update(users).set({ name: '=HYPERLINK("https://evil.example")' }).where(eq(users.id, user.id));
    const cookie = await signIn(service, user);
    await connect(service, await addClient(service, { name: '+1' }), cookie);
    const { body } = await open(`/settings/admin/audit?person=${user.id}&action=grant.approved`);
    const [, file = ''] = /href="([^"]*)" download/.exec(body) ?? [];

    const { headers, body: csv } = await open(file.replaceAll('&amp;', '&'));
    const faulty = await open('/settings/admin/audit.csv?from=soon');
    const others = await open('/settings/admin/audit.csv', cookie);

    expect(headers['content-type']).toBe('text/csv; charset=utf-8');
    const [columns, row, ...further] = csv.trim().split('\r\n');
    expect(columns).toMatch(/^"at","action","sentence","reason",/);
    expect(row).toContain('"grant.approved","\'+1 was given access to their account"');
    expect(row).toContain('"\'=HYPERLINK(""https://evil.example"")"');
    expect(further).toEqual([]);
    expect([faulty.status, others.status]).toEqual([400, 403]);
  });

  test('keeps its filters from page to page', async () => {
    const user = await addUser(service);
    for (let count = 0; count < 51; count += 1)
      await recordAuditEvent(db, contextOf(service), { action: 'email.verified', userId: user.id });

    const first = await open(`/settings/admin/audit?person=${user.id}&action=email.verified`);
    const [, older = ''] = /href="([^"]*)">Older/.exec(first.body) ?? [];

    expect(actionsIn(first.body)).toHaveLength(50);
    expect(actionsIn((await open(older.replaceAll('&amp;', '&'))).body)).toEqual(['email.verified']);
  });

  test.each([
    ['person', 'nobody@example.com', 'No account has this email address.'],
    ['from', 'soon', 'Enter a date.'],
    ['action', 'user.renamed', 'Choose an action.'],
  ])('says which filter is wrong: %s', async (name, value, words) => {
    const { status, text } = await open(`/settings/admin/audit?${name}=${value}`);

    expect(status).toBe(400);
    expect(text).toContain(words);
  });

  test('still shows what is left of accounts that are gone, and is for admins alone', async () => {
    await recordAuditEvent(db, contextOf(service), { action: 'user.deleted', userId: 2_000_000_000 });
    const cookie = await signIn(service, await addUser(service));

    expect((await open('/settings/admin/audit?person=2000000000')).status).toBe(400);
    expect((await open('/settings/admin/audit?action=user.deleted')).text).toContain('a deleted account');
    expect((await open('/settings/admin/audit', cookie)).status).toBe(403);
  });
});

const readings = parts
  .flatMap(({ data }) => Object.values(data?.auditSentences ?? {}))
  .map((said) => (typeof said === 'string' ? [said] : said));

test('no sentence of the log speaks to its reader', () => {
  expect(readings.map(([log]) => log).filter((log) => /\byou|\{reason\}/i.test(log ?? ''))).toEqual([]);
});

test('every sentence is short, has no period, and names one thing at most', () => {
  const sentences = readings.flat().filter((text) => text !== undefined);

  expect(sentences.length).toBeGreaterThan(60);
  for (const sentence of sentences.map((text) => text.replace(/ \{reason\}$/, ''))) {
    expect(sentence).toMatch(/^[A-Z{].{5,70}[^.]$/);
    expect(sentence.split('{name}').length).toBeLessThanOrEqual(2);
  }
});

test.each([
  '/settings/activity?behind=0000-01-01T00:00:00Z~1',
  '/settings/admin/audit?behind=0000-01-01T00:00:00Z~1',
  '/settings/admin/oauth?after=0000-01-01T00:00:00Z~a',
  '/settings/admin/audit?from=0000-01-01',
  '/settings/admin/audit?to=9999-12-31',
  '/settings/admin/outbox?behind=0000-01-01T00:00:00Z~0f8fad5b-d9cb-469f-a165-70867728950e',
])('a time that PostgreSQL cannot read is no fault of ours: %s (security C90)', async (url) => {
  const answer = await service.app.inject({ url, headers: { cookie: adminCookie } });

  expect(answer.statusCode).toBeLessThan(500);
});
