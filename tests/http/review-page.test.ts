import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { clients } from '../../src/oauth/tables.ts';
import { hostileTexts } from '../support/hostile-texts.ts';
import { addressesOn, hiddenFieldOf, isOwnAddress, skeletonOf, textOf } from '../support/page-content.ts';
import { reviewDecisions, reviewHome, submitClient } from '../support/registration.ts';
import { addEvent, changePending, openReviewPage, submitEdit } from '../support/review.ts';
import { openTestService, sharedService } from '../support/service.ts';
import { issueTokens, revoke } from '../support/tokens.ts';
import { addClient, addUser, connect, startSession } from '../support/world.ts';

const service = await sharedService();
const admin = await addUser(service, { isAdmin: true });
const adminCookie = await startSession(service, admin);

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
  for (const words of [owner.email, `Test ${owner.username}`, 'Joined', 'only app'])
    expect(cardOf(page.body, 'Owner')).toContain(words);
  expect(textOf(page.body)).toContain('No warnings about its name, addresses or permissions.');
  expect(page.body).not.toContain('lks_');
});

test('the owner is shown with the other apps, by status, linked', async () => {
  const { id, owner } = await submitClient(service);
  const suspended = await addClient(service, { status: 'rejected' });
  const others = [
    await addClient(service),
    await addClient(service, { status: 'rejected' }),
    suspended,
    await addClient(service),
  ];
  await addEvent(service, suspended.id, 'suspended', null);
  const ended = { grantsEndedAt: service.clock.now() };
  await service.database.db.update(clients).set(ended).where(eq(clients.id, suspended.id));
  for (const other of others)
    await service.database.db.update(clients).set({ ownerId: owner.id }).where(eq(clients.id, other.id));

  const { body } = await open(id);

  expect(cardOf(body, 'Owner')).toContain('2 approved, 1 rejected, 1 suspended.');
  for (const other of others) expect(body).toContain(`href="${reviewHome}/${other.id}"`);
  expect(body).toContain(
    `href="${reviewHome}?${new URLSearchParams({ q: owner.email, status: 'all' }).toString().replace('&', '&amp;')}"`,
  );
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

test('a rejected client shows the reason that its owner was given', async () => {
  const { id } = await submitClient(service);
  await reviewDecisions.reject(service, id, adminCookie, 'Too vague');

  expect(textOf((await open(id)).body)).toMatch(/Reason given to the owner\s*Too vague/);
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
