import { eq } from 'drizzle-orm';
import type { LightMyRequestResponse } from 'fastify';
import { describe, expect, test } from 'vitest';
import { users } from '../../src/accounts/tables.ts';
import { clients } from '../../src/oauth/tables.ts';
import { setClientStatus } from '../support/client-status.ts';
import { openAs } from '../support/groups.ts';
import { hostileTexts } from '../support/hostile-texts.ts';
import {
  addressesOn,
  hiddenFieldOf,
  isOwnAddress,
  skeletonOf,
  textOf,
  titleOf,
} from '../support/page-content.ts';
import { findClientRow, reviewDecisions, reviewHome, submitClient } from '../support/registration.ts';
import { addEvent, changePending, openReviewPage, resubmit, submitEdit } from '../support/review.ts';
import { openTestService, type TestService } from '../support/service.ts';
import { issueTokens, revoke } from '../support/tokens.ts';
import { addClient, addUser, type ClientOptions, connect, startSession } from '../support/world.ts';

const service = await openTestService();
const admin = await addUser(service, { isAdmin: true });
const adminCookie = await startSession(service, admin);
/** The ids of the apps that a list shows, in order. */
function listedIds({ body }: LightMyRequestResponse): readonly string[] {
  return [...body.matchAll(/<li id="app-([^"]*)"/g)].map(([, id = '']) => id);
}

const open = (id: string) => openReviewPage(service, id, adminCookie);
const daySeconds = 86_400;

/** The text of a card, by its headline. */
function cardOf(html: string, headline: string): string {
  const cards = [...html.matchAll(/<section class="(?:card|notice)[^"]*"[^>]*>(.*?)<\/section>/gs)];
  return textOf(cards.map(([, card = '']) => card).find((card) => card.includes(`>${headline}</h2>`)) ?? '');
}

test('the page tells what was submitted and by whom (contract §2)', { tags: 'parts' }, async () => {
  const { id, owner } = await submitClient(service, {
    name: 'Open Desk',
    purpose: 'Opening desks.\nAnd closing them.',
    website_url: 'https://www.desk.example',
    redirect_uris: 'https://desk.example/callback\nhttps://desk.example/other',
    scopes: 'BOOKING_READ',
  });

  const page = await open(id);

  expect(page.statusCode).toBe(200);
  for (const words of [
    'Opening desks.\nAnd closing them.',
    'https://desk.example/callback',
    'https://desk.example/other',
    'https://www.desk.example',
    'See your bookings',
    'Confidential',
    id,
    'Connected users',
  ])
    expect(cardOf(page.body, 'App')).toContain(words);
  for (const words of [owner.email, `Test ${owner.username}`, 'Joined', 'View all apps of this owner'])
    expect(cardOf(page.body, 'Owner')).toContain(words);
  expect(textOf(page.body)).toContain('No warnings about its name, addresses or permissions.');
  expect(page.body).not.toContain('lks_');
});

test('the people who are connected are counted once each; who left, or ran out, does not count', async () => {
  const aged = await openTestService();
  const client = await addClient(aged);
  await issueTokens(aged, client);
  aged.clock.advance(20 * daySeconds);
  const person = await startSession(aged, await addUser(aged));
  await connect(aged, client, person);
  await connect(aged, client, person);
  await revoke(aged, client, (await issueTokens(aged, client)).refresh_token);
  const reviewer = await addUser(aged, { isAdmin: true });
  const before = await openReviewPage(aged, client.id, await startSession(aged, reviewer));
  aged.clock.advance(15 * daySeconds);

  const after = await openReviewPage(aged, client.id, await startSession(aged, reviewer));

  expect(cardOf(before.body, 'App')).toMatch(/Connected users\s+2/);
  expect(cardOf(after.body, 'App')).toMatch(/Connected users\s+1/);
});

test('warnings come first, with what they are about', async () => {
  await addClient(service, { name: 'FаMOUS Calendar' });
  const { id } = await submitClient(service, {
    name: 'Fаmous Calendar',
    redirect_uris: 'https://192.0.2.9/cb',
  });

  const { body } = await open(id);

  const warnings = cardOf(body, 'Needs attention');
  for (const words of ['FаMOUS Calendar', 'Fаmous', '192.0.2.9', 'requests full access'])
    expect(warnings).toContain(words);
});

describe('an edit that waits', () => {
  test('is shown beside what is live, what goes and what comes marked, and warnings are about what comes', async () => {
    const { id } = await addClient(service, { name: 'Now Desk', scopes: ['BOOKING_READ'] });
    await submitEdit(service, id, {
      name: 'Latchkey Desk',
      redirectUris: ['https://app.example/callback', 'https://new.example/cb'],
    });

    const { body } = await open(id);

    expect(body).toContain('<del><bdi>Now Desk</bdi></del>');
    expect(body).toContain('<ins><bdi>Latchkey Desk</bdi></ins>');
    expect(body).toContain('<ins><bdi>https://new.example/cb</bdi></ins>');
    expect(body).not.toContain('<ins><bdi>https://app.example/callback</bdi></ins>');
    expect(cardOf(body, 'Changes that wait')).not.toContain('Purpose');
    expect(cardOf(body, 'Current values')).toContain('https://app.example/callback');
    expect(cardOf(body, 'Needs attention')).toContain('Latchkey Desk');
  });

  test('that changes nothing says so', async () => {
    const { id } = await addClient(service);
    await submitEdit(service, id);

    expect(textOf((await open(id)).body)).toContain('The submitted values are the same as the current ones.');
  });
});

describe('the forms', () => {
  const actions = (html: string, id: string): readonly string[] =>
    [...html.matchAll(new RegExp(`action="${reviewHome}/${id}/([a-z]+)"`, 'g'))].map(([, name = '']) => name);

  test.each([
    ['pending', undefined, ['accept', 'reject']],
    ['accepted', undefined, ['suspend']],
    ['accepted', 'pending', ['accept', 'reject', 'suspend']],
    ['accepted', 'rejected', ['suspend']],
    ['rejected', undefined, []],
  ] as const)('of a client that is %s with an edit that is %s', async (status, editStatus, forms) => {
    const { id } = await addClient(service, { status });
    if (editStatus !== undefined) await submitEdit(service, id, { status: editStatus });

    expect(actions((await open(id)).body, id)).toEqual(forms);
  });

  test('carry the revision that is shown', async () => {
    const { id } = await submitClient(service);
    await changePending(service, id, { name: 'Changed Desk' });

    const { body } = await open(id);

    expect(body.match(/name="revision" value="2"/g)).toHaveLength(2);
    expect(hiddenFieldOf(body, 'form_token')).not.toBe('');
  });
});

test('the history tells who did what, when and why, latest first', async () => {
  const { id, owner } = await submitClient(service);
  await reviewDecisions.reject(service, id, adminCookie, 'Say <more>');
  await addEvent(service, id, 'secret_added', null);

  const history = cardOf((await open(id)).body, 'History');

  expect(history).toMatch(
    new RegExp(
      `Client secret added[\\s\\S]*a deleted account[\\s\\S]*Rejected[\\s\\S]*Test ${admin.username}[\\s\\S]*Say <more>[\\s\\S]*Submitted for review[\\s\\S]*Test ${owner.username}`,
    ),
  );
});

test.each(['unknown', '0'.repeat(32), '%27', '..%2Fapps', 'x'.repeat(3000)])(
  'an id that is none is a 404: %s',
  async (id) => {
    expect((await open(id)).statusCode).toBe(404);
  },
);

test('NUL in the id is a 400 (security C35)', async () => {
  expect((await open('a%00b')).statusCode).toBe(400);
});

/** A page's tags but those inside the warnings, of which a name may have more or fewer. */
const tagsOf = (html: string): readonly string[] =>
  skeletonOf(html.replace(/<section class="notice warn".*?<\/section>/s, ''));

async function showEdit(text: string): Promise<string> {
  const { id } = await addClient(service, { name: text });
  await submitEdit(service, id, { name: `${text}.`, purpose: text });
  await addEvent(service, id, 'edit_rejected', admin.id, text);
  return (await open(id)).body;
}

const plain = await showEdit('Plain');

test.each(Object.entries(hostileTexts))(
  '%s in an edit, a warning or a reason stays text, apart from the words around it (security C33)',
  async (_name, text) => {
    await addClient(service, { name: text });

    const body = await showEdit(text);

    expect(tagsOf(body)).toEqual(tagsOf(plain));
    expect(addressesOn(body).filter((address) => !isOwnAddress(address))).toEqual([]);
    expect(textOf(body.slice(body.indexOf('<body>')).replaceAll(/<bdi>.*?<\/bdi>/gs, ''))).not.toContain(
      text,
    );
    const [warnings = ''] = /<section class="notice warn".*?<\/section>/s.exec(body) ?? [];
    for (const tag of skeletonOf(warnings))
      expect(tag).toMatch(/^\/?(section|h2|ul|li|br|code|bdi)( (class|id|aria-labelledby))*$/);
  },
);

const pageSize = 25;

/** A service of its own with an admin who is signed in: a list shows what is there, so each test has its own. */
async function openReview() {
  const service = await openTestService();
  const admin = await addUser(service, { isAdmin: true });
  const cookie = await startSession(service, admin);
  const list = (query: Readonly<Record<string, string>> = {}) =>
    openAs(service, `${reviewHome}?${new URLSearchParams(query).toString()}`, cookie);
  return { service, admin, cookie, list };
}

/** So many clients, each submitted a minute after the one before. */
async function addClients(
  service: TestService,
  count: number,
  options: ClientOptions = {},
): Promise<string[]> {
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1) {
    service.clock.advance(60);
    ids.push((await addClient(service, options)).id);
  }
  return ids;
}

/** The row of one app, as text. */
function rowOf(html: string, id: string): string {
  return textOf(new RegExp(`<li id="app-${id}">(.*?)</li>`, 's').exec(html)?.[1] ?? '');
}

function linkOf(html: string, words: string): string {
  const address = new RegExp(`<a [^>]*href="([^"]*)"[^>]*>${words}`).exec(html)?.[1] ?? '';
  return address.replaceAll('&amp;', '&');
}

test('the list shows what waits, oldest first: new apps, corrections and changes, each with what is needed to choose (contract §2)', async () => {
  const { service, list } = await openReview();
  const changed = await addClient(service, { name: 'Changing Desk', scopes: ['BOOKING_READ'] });
  const [fresh = '', corrected = ''] = await addClients(service, 2, {
    status: 'pending',
    name: 'Latchkey 2',
  });
  await setClientStatus(service.database.db, corrected, 'rejected');
  service.clock.advance(3600);
  await submitEdit(service, changed.id, { name: 'Changed Desk' });
  service.clock.advance(3600);
  await resubmit(service, corrected);
  await addClients(service, 1, { status: 'accepted' });
  await addClients(service, 1, { status: 'rejected' });
  const rejectedEdit = await addClient(service);
  await submitEdit(service, rejectedEdit.id, { status: 'rejected' });
  service.clock.advance(2 * 86_400);

  const page = await list();

  const { ownerId } = changed;
  const [owner] = await service.database.db.select().from(users).where(eq(users.id, ownerId));
  expect(listedIds(page)).toEqual([fresh, changed.id, corrected]);
  expect(rowOf(page.body, fresh)).toMatch(/Latchkey 2[\s\S]*App by/);
  expect(rowOf(page.body, changed.id)).toMatch(/Changing Desk[\s\S]*New name: Changed Desk[\s\S]*Changes by/);
  expect(rowOf(page.body, changed.id)).toContain(owner?.email);
  expect(page.body).toContain(`href="${reviewHome}/${changed.id}"`);
});

describe('the list in pages of 25', () => {
  test('shows everything once, and leads back to the first, while apps are added and decided', async () => {
    const { service, admin, cookie, list } = await openReview();
    const ids = await addClients(service, 2 * pageSize + 3, { status: 'pending' });
    const follow = async (html: string, words: string) =>
      service.app.inject({ url: linkOf(html, words), headers: { cookie } });

    const first = await list();
    await reviewDecisions.accept(service, String(ids[3]), await startSession(service, admin));
    const late = await addClients(service, 1, { status: 'pending' });
    const second = await follow(first.body, 'Next page');
    const third = await follow(second.body, 'Next page');
    const start = await follow(third.body, 'First page');

    expect(listedIds(first)).toEqual(ids.slice(0, pageSize));
    expect(listedIds(second)).toEqual(ids.slice(pageSize, 2 * pageSize));
    expect(listedIds(third)).toEqual([...ids.slice(2 * pageSize), ...late]);
    expect(listedIds(start)).toEqual(ids.slice(0, pageSize + 1).filter((id) => id !== ids[3]));
    expect(linkOf(first.body, 'First page')).toBe('');
    expect(linkOf(third.body, 'Next page')).toBe('');
  });

  test('tells apart apps of one instant, and mixes changes with new apps', async () => {
    const { service, cookie, list } = await openReview();
    const ids: string[] = [];
    for (let index = 0; index < pageSize + 5; index += 1) {
      const { id } = await addClient(service, { status: index % 2 === 0 ? 'pending' : 'accepted' });
      if (index % 2 === 1) await submitEdit(service, id);
      ids.push(id);
    }

    const first = await list();
    const second = await service.app.inject({ url: linkOf(first.body, 'Next page'), headers: { cookie } });

    expect([...listedIds(first), ...listedIds(second)]).toEqual(
      ids.toSorted((one, other) => (one < other ? -1 : 1)),
    );
    expect(listedIds(first)).toHaveLength(pageSize);
  });

  const instant = '2030-01-01T00:00:00.000Z';
  describe('begins at the start when the place in the address is none', async () => {
    const { service, list } = await openReview();
    const ids = await addClients(service, 1, { status: 'pending' });

    test.each([
      ...['x', '\0', `${instant}-ab`, '~ab', `${instant}~`, `${instant}~G`, `${instant}~'`, `${instant}~ab~`],
      ...['1893456000000~ab', '0000-01-01T00:00:00.000Z~ab', '9999-12-31T00:00:00.000Z~ab'],
    ])('%j', async (place) => {
      const page = await list({ after: place });

      expect(page.statusCode).toBe(200);
      expect(listedIds(page)).toEqual(ids);
    });
  });

  test('says when there is nothing further, and leads back', async () => {
    const { service, list } = await openReview();
    await addClients(service, 1, { status: 'pending' });

    const later = new Date(service.clock.now().getTime() + 1000).toISOString();
    const page = await list({ after: `${later}~ab` });

    expect(listedIds(page)).toEqual([]);
    expect(page.body).toContain('No more apps');
    expect(linkOf(page.body, 'Back to start')).toBe(`${reviewHome}?status=waiting`);
  });
});

describe('the list by status', async () => {
  const { service, list } = await openReview();
  const pending = await addClients(service, 2, { status: 'pending' });
  const accepted = await addClients(service, 2);
  const rejected = await addClients(service, 2, { status: 'rejected' });
  const [edited = ''] = accepted;
  await submitEdit(service, edited);

  test.each([
    ['waiting', [...pending, edited]],
    ['accepted', accepted.toReversed()],
    ['rejected', rejected.toReversed()],
    ['all', [...pending, ...accepted, ...rejected].toReversed()],
    ['nonsense', [...pending, edited]],
  ] as const)('%s', async (status, ids) => {
    const page = await list({ status });

    expect(listedIds(page)).toEqual(ids);
    if (status !== 'nonsense') expect(page.body).toContain(`<option value="${status}" selected>`);
  });

  test('in pages, latest first', async () => {
    const many = await openReview();
    const ids = (await addClients(many.service, pageSize + 2)).toReversed();
    const follow = async (html: string, words: string) =>
      many.service.app.inject({ url: linkOf(html, words), headers: { cookie: many.cookie } });

    for (const status of ['accepted', 'all']) {
      const first = await many.list({ status });
      const second = await follow(first.body, 'Next page');

      expect(listedIds(first)).toEqual(ids.slice(0, pageSize));
      expect(listedIds(second)).toEqual(ids.slice(pageSize));
    }
  });
});

describe('a search', async () => {
  const { service, list } = await openReview();
  const desk = await addClient(service, {
    status: 'pending',
    name: '100% Tidy_Desk \\o/',
    redirectUris: ['https://callback.desk.example:8443/path', 'com.desk.mobile:/cb'],
    type: 'public',
  });
  const websiteUrl = 'https://www.desk-site.example/about';
  await service.database.db.update(clients).set({ websiteUrl }).where(eq(clients.id, desk.id));
  const edited = await addClient(service, { name: 'Old words' });
  await submitEdit(service, edited.id, { name: 'Fresh words', redirectUris: ['https://fresh.example/'] });
  await addClient(service, { status: 'pending', name: 'Other', redirectUris: ['https://other.example/'] });
  await addClient(service, { name: 'Accepted Tidy_Desk' });
  const row = await findClientRow(service, desk.id);
  const [owner] = await service.database.db
    .select()
    .from(users)
    .where(eq(users.id, row?.ownerId ?? 0));

  test.each([
    ['name', 'tidy_desk'],
    ['percent sign', '0% t'],
    ['underscore', 'y_d'],
    ['backslash', '\\o'],
    ['client id', desk.id],
    ['owner’s email address', owner?.email ?? 'nobody'],
    ['host of the website', 'desk-site'],
    ['host of a redirect URI', 'callback.desk.example:8443'],
    ['private-use scheme', 'com.desk.mob'],
  ])('by %s finds the app', async (_name, q) => {
    expect(listedIds(await list({ q }))).toEqual([desk.id]);
  });

  test.each([
    ['name', 'Old words'],
    ['new name', 'fresh words'],
    ['new host', 'fresh.example'],
  ])('by the %s of changes that wait finds the app', async (_name, q) => {
    expect(listedIds(await list({ q }))).toEqual([edited.id]);
  });

  test.each([
    ['a percent sign that stands for nothing', 'tidy%desk'],
    ['a path', 'about'],
    ['a scheme of the web', 'https'],
    ['SQL', "' or 1=1 --"],
  ])('for %s finds nothing, and says so', async (_name, q) => {
    const page = await list({ q });

    expect(page.statusCode).toBe(200);
    expect(listedIds(page)).toEqual([]);
    expect(page.body).toContain('No matching apps');
    expect(linkOf(page.body, 'Search all apps')).toBe(
      `${reviewHome}?${new URLSearchParams({ q: q.trim(), status: 'all' }).toString()}`,
    );
  });

  test('stays within the status, and is kept on the way to the next page', async () => {
    const many = await openReview();
    await addClients(many.service, pageSize + 1, { status: 'pending', name: 'Same & more' });

    const page = await many.list({ q: 'same & m' });

    expect(listedIds(await list({ q: 'tidy_desk', status: 'accepted' }))).toHaveLength(1);
    expect(listedIds(await list({ q: 'tidy_desk', status: 'all' }))).toHaveLength(2);
    expect(listedIds(page)).toHaveLength(pageSize);
    expect(linkOf(page.body, 'Next page')).toContain('q=same+%26+m&status=waiting&after=');
  });

  test.each([
    ['NUL', 'q=a%00b', 'Leave out control characters.'],
    ['a line break', 'q=a%0Ab', 'Leave out control characters.'],
    ['too long a text', `q=${'x'.repeat(201)}`, 'Use 200 characters at most.'],
    ['two texts', 'q=a&q=b', 'Enter one search term.'],
  ])('with %s is a 400 that says so (security C35)', async (_name, query, fault) => {
    const cookie = await startSession(service, await addUser(service, { isAdmin: true }));

    const page = await service.app.inject({ url: `${reviewHome}?${query}`, headers: { cookie } });

    expect(page.statusCode).toBe(400);
    expect(page.body).toContain(`id="q-fault">${fault}<`);
    expect(listedIds(page)).toEqual([]);
  });
});

test('nothing that waits is good news, and says how one hears of more', async () => {
  const { list } = await openReview();

  const [waiting, accepted] = [await list(), await list({ status: 'accepted' })];
  const spaces = await list({ q: ' ' });

  expect(titleOf(waiting)).toBe('Apps to review');
  expect(waiting.body).toContain('You’re all caught up.');
  expect(spaces.body).toContain('You’re all caught up.');
  expect(accepted.body).toContain('<strong>No apps</strong>');
});

describe('after a decision the list says', () => {
  test.each([
    ['accept', 'pending', 'App approved.'],
    ['reject', 'pending', 'App rejected.'],
    ['suspend', 'accepted', 'App suspended, and its access revoked.'],
  ] as const)('of %s what it did', async (decision, status, words) => {
    const { service, cookie, list } = await openReview();
    const { id } = await addClient(service, { name: 'Decided Desk', status });
    const answer = await reviewDecisions[decision](service, id, cookie);

    const page = await service.app.inject({ url: String(answer.headers.location), headers: { cookie } });

    expect(textOf(page.body)).toContain(words);
    expect((await list()).body).not.toContain('role="status"');
  });

  test('of an app that was suspended that it is', async () => {
    const { service, cookie, list } = await openReview();
    const { id } = await addClient(service);

    await reviewDecisions.suspend(service, id, cookie);

    expect((await list({ status: 'rejected' })).body).toContain(
      '<span class="badge rejected">Suspended</span>',
    );
  });
});
