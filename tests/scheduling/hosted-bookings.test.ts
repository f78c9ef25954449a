import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { users } from '../../src/accounts/tables.ts';
import { outbox } from '../../src/platform/mail/tables.ts';
import { bookings } from '../../src/scheduling/tables.ts';
import { openWith, send } from '../support/any-visitor.ts';
import {
  addEventType,
  addTeamEventType,
  bookOn,
  emailSentTo,
  rewriteBooking,
  uidIn,
} from '../support/booking.ts';
import { inBerlin, nextDate } from '../support/dates.ts';
import { faultOf, textOf, titleOf } from '../support/page-content.ts';
import { formTokenOf } from '../support/registration.ts';
import { openTestService } from '../support/service.ts';
import { addTeam, joinTeam } from '../support/teams.ts';
import { addUser, startSession } from '../support/world.ts';

const service = await openTestService();
const { db } = service.database;
const ann = await addUser(service);
const ben = await addUser(service);
const asked = await addEventType(service, ann, { requiresConfirmation: true });
const talk = await addEventType(service, ann);
let [annCookie, benCookie] = ['', ''];

beforeAll(async () => {
  [annCookie, benCookie] = [await startSession(service, ann), await startSession(service, ben)];
});

let booked = 0;
async function anyBooking(path = asked.path) {
  booked += 1;
  const email = `attendee-${booked}@example.com`;
  const own = await bookOn(service, path, inBerlin(nextDate(), '10:00'), { email });
  return { own, email, uid: uidIn(own), page: `/bookings/${uidIn(own)}` };
}

async function statusOf(uid: string): Promise<string | undefined> {
  const [row] = await db.select().from(bookings).where(eq(bookings.uid, uid));
  return row?.status;
}

const open = (path: string, cookie = annCookie) => openWith(service, path, {}, { headers: { cookie } });

async function act(path: string, fields: Readonly<Record<string, string>> = {}, cookie = annCookie) {
  const form_token = await formTokenOf(service, cookie);
  return send(service, path, { form_token, ...fields }, { headers: { cookie } });
}

/** What the attendee reads on the page that the email leads to. */
async function reasonBehind(text: string): Promise<string> {
  const [, path = ''] = /View booking:\nhttps?:\/\/[^/]+(\S+)/.exec(text) ?? [];
  return textOf((await openWith(service, path)).body);
}

describe('a host', () => {
  test('confirms a booking that waits', async () => {
    const { page, uid, email } = await anyBooking();
    const shown = await open(page);

    const answer = await act(`${page}/confirm`);

    expect(textOf(shown.body)).toContain('Pending');
    expect(textOf(shown.body)).toContain('New request. Confirm or decline it.');
    expect(textOf(shown.body)).not.toContain('The host still has to confirm');
    expect([answer.statusCode, answer.headers.location]).toEqual([303, page]);
    // A screen reader says the title first.
    expect([shown.body, (await open(page)).body]).toEqual([
      expect.stringContaining('<title>Pending · '),
      expect.stringContaining('<title>Booked · '),
    ]);
    expect(await statusOf(uid)).toBe('accepted');
    expect(await emailSentTo(service, email, 'Confirmed')).toContain('This booking is confirmed.');
  });

  test('declines one, with a reason', async () => {
    const { page, uid, email } = await anyBooking();
    const question = await open(`${page}/decline`);

    const answer = await act(`${page}/decline`, { reason: 'Away that week' });

    expect(titleOf(question)).toBe('Decline this booking?');
    expect(answer.headers.location).toBe(page);
    expect(await statusOf(uid)).toBe('rejected');
    const sent = await emailSentTo(service, email, 'Declined');
    expect(await reasonBehind(sent)).toContain('Away that week');
    expect(textOf((await open(page)).body)).toContain('You declined this booking.');
  });

  test('cancels one that is booked', async () => {
    const { page, uid, email } = await anyBooking(talk.path);

    await act(`${page}/cancel`, { reason: 'I am ill' });

    expect(await statusOf(uid)).toBe('cancelled');
    const sent = await emailSentTo(service, email, 'Cancelled');
    expect(await reasonBehind(sent)).toContain('I am ill');
    expect(textOf((await open(page)).body)).toContain('This booking was cancelled.');
  });

  test.each(['confirm', 'decline', 'cancel'])('who sends %s twice does it once', async (action) => {
    const { page, email } = await anyBooking();

    const answers = [await act(`${page}/${action}`), await act(`${page}/${action}`)];

    expect(answers.map(({ headers }) => headers.location)).toEqual([page, page]);
    expect(await db.$count(outbox, eq(outbox.recipient, email))).toBe(2);
  });

  test.each([
    ['confirm', 'cancelled'],
    ['decline', 'cancelled'],
    ['cancel', 'rejected'],
    ['decline', 'accepted'],
  ] as const)('who is too late to %s what was %s meanwhile is told how it stands', async (action, status) => {
    const { page, uid, email } = await anyBooking();
    await db.update(bookings).set({ status }).where(eq(bookings.uid, uid));

    const answer = await act(`${page}/${action}`, { reason: 'I am <ill>' });

    expect(answer.statusCode).toBe(409);
    expect(textOf(answer.body)).toContain('Nothing was changed');
    expect(textOf(answer.body).includes('Your reason was: “I am <ill>”')).toBe(action !== 'confirm');
    expect(await statusOf(uid)).toBe(status);
    expect(await db.$count(outbox, eq(outbox.recipient, email))).toBe(1);
  });

  test('is not asked about what can no longer be done', async () => {
    const { page, uid } = await anyBooking();
    await db.update(bookings).set({ status: 'cancelled' }).where(eq(bookings.uid, uid));

    expect((await open(`${page}/cancel`)).headers.location).toBe(page);
    expect((await open(`${page}/decline`)).headers.location).toBe(page);
  });

  test('whose reason is too long is refused, and nothing is done', async () => {
    const { page, uid } = await anyBooking();

    const answer = await act(`${page}/decline`, { reason: 'x'.repeat(501) });

    expect(answer.statusCode).toBe(400);
    expect(faultOf(answer, 'reason')).toBe('Use at most 500 characters.');
    expect(await statusOf(uid)).toBe('pending');
  });

  test('sees the attendee’s address as people know it (contract §8, displayEmail)', async () => {
    const own = await bookOn(service, talk.path, inBerlin(nextDate(), '10:00'), {
      email: 'dana+abcdefghijklmnopqrstuvwxy@example.com',
    });

    const text = textOf((await open(`/bookings/${uidIn(own)}`)).body);

    expect(text).toContain('dana@example.com');
  });
});

test('of a team, the reader may not be the one who declined', async () => {
  const team = await addTeam(service, ann);
  const { path } = await addTeamEventType(service, team, [ann], 'roundRobin', { requiresConfirmation: true });
  const { page } = await anyBooking(path);

  await act(`${page}/decline`);

  expect(textOf((await open(page)).body)).toContain('You or your team declined this booking.');
});

describe('nobody else', () => {
  test('sees or settles a booking, and learns whether there is one', async () => {
    const { page, uid } = await anyBooking();

    for (const path of [page, `${page}/cancel`, `${page}/decline`, '/bookings/none', '/bookings/x'])
      expect((await open(path, benCookie)).statusCode).toBe(404);
    for (const action of ['confirm', 'decline', 'cancel'])
      expect((await act(`${page}/${action}`, {}, benCookie)).statusCode).toBe(404);

    expect(await statusOf(uid)).toBe('pending');
  });

  test('gets in without signing in, and comes back afterwards', async () => {
    const { page } = await anyBooking();

    const answer = await openWith(service, page);

    expect(answer.headers.location).toBe(`/signin?return_to=${encodeURIComponent(page)}`);
  });
});

test.each([
  ['owner', 200],
  ['admin', 200],
  ['member', 404],
] as const)('a team’s %s who does not host gets %i', async (role, status) => {
  const host = await addUser(service);
  const team = await addTeam(service, host);
  const other = await addUser(service);
  await joinTeam(service, team, other, role);
  const { path } = await addTeamEventType(service, team, [host]);
  const { page } = await anyBooking(path);

  expect((await open(page, await startSession(service, other))).statusCode).toBe(status);
});

describe('the list of bookings', () => {
  test('is linked from the home page, and empty at first', async () => {
    const cookie = await startSession(service, await addUser(service));

    expect((await open('/', cookie)).body).toContain('href="/bookings"');
    expect(textOf((await open('/bookings', cookie)).body)).toContain('No upcoming bookings');
  });

  test('shows upcoming ones alone, soonest first, twenty a page', async () => {
    const host = await addUser(service);
    const { path } = await addEventType(service, host);
    const cookie = await startSession(service, host);
    const uids: string[] = [];
    for (let index = 0; index < 22; index += 1) uids.push((await anyBooking(path)).uid);
    const [first = '', second = ''] = uids;
    await rewriteBooking(db, first, { status: 'cancelled' });

    const listed = async (query: string): Promise<string[]> =>
      [...(await open(`/bookings${query}`, cookie)).body.matchAll(/href="\/bookings\/([0-9a-f]{32})"/g)].map(
        ([, uid]) => uid ?? '',
      );

    expect(await listed('')).toEqual([second, ...uids.slice(2, 21)]);
    expect(await listed('?page=2')).toEqual(uids.slice(21));
    for (const odd of ['?page=0', '?page=x', '?page=1&page=2', '?page=-1'])
      expect(await listed(odd)).toHaveLength(20);
    expect(await listed('?page=99999')).toEqual([]);
  });

  test('shows past ones, latest first, where they are asked for', async () => {
    const host = await addUser(service);
    const { path } = await addEventType(service, host);
    const cookie = await startSession(service, host);
    const [early, late, next] = [await anyBooking(path), await anyBooking(path), await anyBooking(path)];
    for (const [{ uid }, day] of [
      [early, '2027-01-04'],
      [late, '2027-01-05'],
    ] as const) {
      const times = { startsAt: new Date(`${day}T09:00:00Z`), endsAt: new Date(`${day}T09:30:00Z`) };
      await rewriteBooking(db, uid, times);
    }

    const { body: past } = await open('/bookings?status=past', cookie);
    const { body: upcoming } = await open('/bookings', cookie);

    expect(past.indexOf(late.uid)).toBeGreaterThan(0);
    expect(past.indexOf(early.uid)).toBeGreaterThan(past.indexOf(late.uid));
    expect(past).not.toContain(next.uid);
    expect(past).toContain('<a href="/bookings">Upcoming</a>');
    expect(upcoming).toContain('<a href="/bookings?status=past">Past</a>');
  });

  test('is by day, with the other person first and no sentence around names of any script', async () => {
    const host = await addUser(service);
    await db.update(users).set({ name: 'محمد' }).where(eq(users.id, host.id));
    const { path } = await addEventType(service, host, {
      title: 'استشارة',
      locations: [{ type: 'link', link: 'https://meet.example/x', public: false }],
    });
    const cookie = await startSession(service, host);
    const date = nextDate();
    await bookOn(service, path, inBerlin(date, '10:00'), { name: 'Zoë' });
    await bookOn(service, path, inBerlin(date, '11:00'), { name: 'عبد' });

    const { body } = await open('/bookings', cookie);

    const rows = body.slice(body.indexOf('class="day-heading"'), body.indexOf('<footer'));
    expect(rows.match(/class="day-heading"/g)).toHaveLength(1);
    expect(
      textOf(rows)
        .split('\n')
        .map((line) => line.trim())
        .filter(Boolean),
    ).toEqual([
      expect.stringMatching(/^class="day-heading">\w+day, /),
      expect.stringMatching(/^10:00 ?– ?10:30$/),
      ...['Z', 'Zoë', 'استشارة · Online', 'Join Zoë'],
      expect.stringMatching(/^11:00 ?– ?11:30$/),
      ...['ع', 'عبد', 'استشارة · Online', 'Join عبد'],
    ]);
    expect(rows).toContain('<bdi>عبد</bdi>');
    expect(rows).not.toMatch(/between|محمد/);
  });

  test('has tabs for what waits and what was cancelled, and finds people by a part of their name or address', async () => {
    const host = await addUser(service);
    const cookie = await startSession(service, host);
    const { path } = await addEventType(service, host);
    const asked = await addEventType(service, host, { requiresConfirmation: true });
    const book = async (at: string, time: string, name: string) => {
      const own = await bookOn(service, at, inBerlin(nextDate(), time), {
        name,
        email: `${name}@mail.example`,
      });
      return { own, uid: uidIn(own) };
    };
    const confirmed = await book(path, '09:00', 'Anna');
    const pending = await book(asked.path, '10:00', 'Berta');
    const cancelled = await book(path, '11:00', 'Carla');
    const declined = await book(asked.path, '12:00', 'Dora');
    await send(service, `${cancelled.own}/cancel`, {});
    const form_token = await formTokenOf(service, cookie);
    await send(service, `/bookings/${declined.uid}/decline`, { form_token }, { headers: { cookie } });
    const listed = async (query: string): Promise<string[]> =>
      [...(await open(`/bookings${query}`, cookie)).body.matchAll(/href="\/bookings\/([0-9a-f]{32})"/g)].map(
        ([, uid]) => uid ?? '',
      );

    expect(await listed('')).toEqual([confirmed.uid, pending.uid]);
    expect(await listed('?status=pending')).toEqual([pending.uid]);
    expect(await listed('?status=cancelled')).toEqual([declined.uid, cancelled.uid]);
    expect(await listed('?status=else')).toEqual([confirmed.uid, pending.uid]);
    expect(await listed('?q=BERT')).toEqual([pending.uid]);
    expect(await listed('?q=anna@mail')).toEqual([confirmed.uid]);
    expect(await listed('?q=Talk')).toEqual([confirmed.uid, pending.uid]);
    expect(await listed('?status=cancelled&q=dora')).toEqual([declined.uid]);
    expect(await listed('?q=%25')).toEqual([]);
    const none = await open('/bookings?status=pending&q=nobody', cookie);
    expect(textOf(none.body)).toContain('No bookings match.');
    expect(none.body).toContain('href="/bookings?status=past&amp;q=nobody"');
  });
});
