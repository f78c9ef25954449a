import { eq } from 'drizzle-orm';
import { afterEach, expect, test } from 'vitest';
import { users } from '../../src/accounts/tables.ts';
import { databaseLimits } from '../../src/platform/limits/limits.ts';
import { counted, takeOne } from '../../src/platform/limits/store.ts';
import { outbox } from '../../src/platform/mail/tables.ts';
import { watchCalendars } from '../../src/scheduling/calendars/watch.ts';
import { calendars } from '../../src/scheduling/tables.ts';
import { bodyOf, callApi, type Represented, represent } from '../support/api.ts';
import { addEventType } from '../support/booking.ts';
import { answerIcs, type FeedAnswer, icsOf, startFeedServer } from '../support/feed-server.ts';
import { addPerson, openAs } from '../support/groups.ts';
import { textOf } from '../support/page-content.ts';
import { openTestService } from '../support/service.ts';

const service = await openTestService({ CALENDAR_ALLOW_PRIVATE: '127.0.0.0/8' }, undefined, undefined, {
  calendarDeadlineMs: 500,
  calendarThreadMs: 700,
});
const { db } = service.database;
const feeds = await startFeedServer();
/** No test waits for the calendars of those before it. */
afterEach(async () => void (await db.delete(calendars)));
/** The test's clock stands in February 2027. */
const lunch = ['SUMMARY:Team\\, lunch', 'DTSTART:20270203T110000Z', 'DURATION:PT1H'];
const broken = icsOf(lunch.with(1, 'DTSTART:20271303T110000Z'));

let made = 0;
function addFeed(answer = answerIcs(icsOf(lunch))): { readonly url: string; set(answer: FeedAnswer): void } {
  made += 1;
  const path = `/outage-${made}.ics`;
  return { url: feeds.serve(path, answer), set: (next) => void feeds.serve(path, next) };
}

async function connect({ token }: Represented, urls: readonly string[], name = 'Work'): Promise<number> {
  const answer = await callApi(service, 'POST', '/calendars/ics-feed/save', { token, body: { urls, name } });
  return bodyOf(answer, 201).data.id;
}

/** What the background does in so many minutes, during which nobody asks for a slot. */
async function pass(minutes: number, step = 5): Promise<void> {
  for (let passed = 0; passed < minutes; passed += step) {
    service.clock.advance(60 * step);
    await watchCalendars(service.app, new AbortController().signal);
  }
}

const sentTo = ({ user }: Pick<Represented, 'user'>) =>
  db.select().from(outbox).where(eq(outbox.recipient, user.email));
const outagesOf = async (owner: Pick<Represented, 'user'>) =>
  (await sentTo(owner)).filter(({ subject }) => subject.includes('can’t be read'));

async function represented() {
  const person = await addPerson(service);
  return { ...(await represent(service, { user: person.user })), cookie: person.cookie };
}
const pageOf = async (owner: { cookie: string }) =>
  textOf((await openAs(service, '/settings/calendars', owner.cookie)).body);

test('the owner of a calendar that can’t be read has an email within the hour, although nobody asks for slots, and one alone (contract §8)', async () => {
  const ann = await represented();
  const feed = addFeed();
  await connect(ann, [feed.url]);
  await pass(40);
  feed.set(answerIcs(broken));

  await pass(60, 1);

  const [email, ...others] = await outagesOf(ann);
  expect(others).toEqual([]);
  expect(email?.subject).toBe('Your calendar can’t be read: Work');
  expect(email?.text).toContain('Work: Line 8, in the entry “Team, lunch”, has no valid time. Since Feb ');
  expect(email?.text).toContain('nobody can book you');
  expect(email?.text).toContain('/settings/calendars');
  await pass(24 * 60, 60);
  expect(await outagesOf(ann)).toHaveLength(1);
}, 60_000);

test('the email is in the owner’s language, as the page is (contract §1)', async () => {
  const ann = await represented();
  await db.update(users).set({ language: 'de' }).where(eq(users.id, ann.user.id));
  const feed = addFeed();
  await connect(ann, [feed.url]);
  feed.set(answerIcs(broken));

  await pass(60, 1);

  const sent = await sentTo(ann);
  expect(sent.map(({ subject }) => subject)).toContain('Ihr Kalender kann nicht gelesen werden: Work');
  const [{ text = '' } = {}] = sent.filter(({ subject }) => subject.includes('Kalender'));
  expect(text).toContain('Kalender ansehen:');
  expect(text).not.toContain('nobody can book you');
}, 60_000);

test('its page says what is wrong, where, and since when nobody can book (contract §8)', async () => {
  const ann = await represented();
  const feed = addFeed();
  await connect(ann, [feed.url]);
  feed.set(answerIcs(broken));
  service.clock.advance(61);
  const since = service.clock.now();
  await pageOf(ann);
  service.clock.advance(3600);

  const page = await pageOf(ann);

  expect(page).toContain('Can’t be read');
  expect(page).toContain('Line 8, in the entry “Team, lunch”, has no valid time. Since Feb ');
  const [stored] = await db.select().from(calendars).where(eq(calendars.userId, ann.user.id));
  expect(stored?.unreadableSince).toEqual(since);
});

test('calendars that have too many busy times together are told, until they have fewer (contract §8)', async () => {
  const ann = await represented();
  // All five have twelve busy times a day, between those of the others.
  const feeds = ['00', '10', '20', '30', '40'].map((minute) =>
    addFeed(
      answerIcs(icsOf([`DTSTART:20270101T00${minute}00Z`, 'DURATION:PT5M', 'RRULE:FREQ=HOURLY;INTERVAL=2'])),
    ),
  );
  for (const [index, { url }] of feeds.entries()) await connect(ann, [url], `Calendar ${index + 1}`);

  await pass(80);

  const [email, ...others] = await outagesOf(ann);
  expect(others).toEqual([]);
  expect(email?.subject).toBe('Your calendar can’t be read: Calendar 5');
  expect(email?.text).toContain('up to 5,000 busy times in three months are read');
  expect(await pageOf(ann)).toContain('up to 5,000 busy times in three months are read');

  for (const feed of feeds) feed.set(answerIcs(icsOf(lunch)));
  await pass(240);

  expect(await pageOf(ann)).not.toContain('5,000 busy times');
  expect(await outagesOf(ann)).toHaveLength(1);
}, 60_000);

test('an outage ends when the calendar is readable again, and the next one is told again (contract §8)', async () => {
  const ann = await represented();
  const feed = addFeed();
  await connect(ann, [feed.url]);
  feed.set(answerIcs(broken));
  await pass(60);
  expect(await outagesOf(ann)).toHaveLength(1);
  feed.set(answerIcs(icsOf(lunch)));
  service.clock.advance(60);
  await pageOf(ann);
  expect(await pageOf(ann)).not.toContain('Can’t be read');

  feed.set(answerIcs(broken));
  await pass(240);

  expect(await outagesOf(ann)).toHaveLength(2);
}, 30_000);

test('a server that is away for four minutes is no outage (contract §8)', async () => {
  const ann = await represented();
  const feed = addFeed();
  await connect(ann, [feed.url]);
  await pass(38, 1);
  feed.set((_request, response) => void response.writeHead(503).end());
  await pass(4, 1);
  expect(await pageOf(ann)).toContain('Can’t be read');
  feed.set(answerIcs(icsOf(lunch)));

  await pass(120);

  expect(await outagesOf(ann)).toEqual([]);
});

const kinds: readonly (readonly [string, FeedAnswer, string])[] = [
  [
    'that is gone',
    (_request, response) => void response.writeHead(404).end(),
    'has no calendar at this address',
  ],
  ['that is a page', answerIcs('<!doctype html>'), 'isn’t a valid calendar'],
  ['that never answers', () => {}, 'didn’t respond in time'],
  ['that costs too much', answerIcs(icsOf([...lunch, 'RRULE:FREQ=SECONDLY'])), 'rules that take too long'],
  [
    'that is too large',
    (_request, response) => void response.end(Buffer.alloc(20 * 1024 * 1024 + 1, ' ')),
    'a feed can have up to 20 MB',
  ],
];
test.each(kinds)(
  'the owner of a calendar %s is told why (contract §8)',
  async (_kind, answer, words) => {
    const ann = await represented();
    const [feed, other] = [addFeed(), addFeed()];
    await connect(ann, [other.url, feed.url]);
    feed.set(answer);

    await pass(60);

    const [email] = await outagesOf(ann);
    expect(email?.text).toContain(words);
    expect(await pageOf(ann)).toContain(words);
  },
  60_000,
);

test('an entry of later weeks alone is told, and stays told while the next weeks are read (contract §8)', async () => {
  const ann = await represented();
  const feed = addFeed();
  await connect(ann, [feed.url]);
  const later = ['SUMMARY:Later', 'DTSTART:20270420T110000Z', 'DTEND:20279920T120000Z'];
  feed.set(answerIcs(icsOf(lunch, later)));

  await pass(60);
  await pageOf(ann);

  const [email] = await outagesOf(ann);
  expect(email?.text).toMatch(/in the entry “Later”, has no valid time.* This concerns days from /s);
  expect(await pageOf(ann)).toContain('Can’t be read');
  feed.set(answerIcs(icsOf(lunch)));
  await pass(200);
  expect(await pageOf(ann)).not.toContain('Can’t be read');
}, 30_000);

test('home, bookings and event types say at once that nobody can book; visitors read so once the host has an email, after five minutes (contract §8)', async () => {
  const ann = await represented();
  const [feed, { path }] = [addFeed(), await addEventType(service, ann.user)];
  await connect(ann, [feed.url], 'Family');
  const says = async (url: string) => textOf((await openAs(service, url, ann.cookie)).body);
  const visit = async () =>
    textOf((await service.app.inject({ url: path, headers: { host: new URL(service.appUrl).host } })).body);
  const [ownPages, words] = [
    ['/', '/bookings', '/settings/event-types'],
    'Nobody can book you. “Family” can’t be read',
  ];
  for (const url of ownPages) expect(await says(url)).not.toContain('Nobody can book you');
  service.clock.advance(61);
  feed.set((_request, response) => void response.writeHead(503).end());

  const first = await visit();

  expect(first).toContain('We can’t load available times right now. Try again in a few minutes.');
  for (const url of ownPages) {
    expect(await says(url)).toContain(words);
    expect((await openAs(service, url, ann.cookie)).body).toMatch(
      /href="\/settings\/calendars\/\d+\/disconnect"/,
    );
  }
  await pass(7, 1);
  expect(await outagesOf(ann)).toHaveLength(1);
  expect(await visit()).toContain('nobody can book at the moment. We’ve told the host.');
  feed.set(answerIcs(icsOf(lunch)));
  service.clock.advance(61);
  expect(await visit()).not.toContain('We’ve told the host.');
  for (const url of ownPages) expect(await says(url)).not.toContain('Nobody can book you');
});

test('several calendars that fail together are one email, and a person has twenty a day at most (security C262)', async () => {
  const ann = await represented();
  const all = Array.from({ length: 3 }, () => addFeed());
  for (const [index, { url }] of all.entries()) await connect(ann, [url], `Calendar ${index}`);
  for (const { set } of all) set(answerIcs(broken));
  await pass(60);
  const [email, ...others] = await outagesOf(ann);
  expect([email?.subject, others]).toEqual(['3 of your calendars can’t be read', []]);

  const { max } = databaseLimits.thing_changes;
  const limit = { ...counted('thing_changes', ['outage', ann.user.id]), amount: max - 3 };
  await takeOne(service.database.db, limit, service.clock.now());
  for (let passed = 60; passed < 6 * 60; passed += 80) {
    for (const { set } of all) set(answerIcs(icsOf(lunch)));
    service.clock.advance(60);
    await pageOf(ann);
    for (const { set } of all) set(answerIcs(broken));
    service.clock.advance(60);
    await pageOf(ann);
    service.clock.advance(18 * 60);
    await pass(60, 60);
  }

  expect(await outagesOf(ann)).toHaveLength(3);
}, 120_000);

test('a stranger’s address, a managed user and a suspended person get no email (security C57)', async () => {
  const [ann, ben] = [await represented(), await represented()];
  const [feed, other] = [addFeed(), addFeed()];
  await connect(ann, [feed.url]);
  await connect(ben, [other.url]);
  await db.update(users).set({ managingClientId: 'platform' }).where(eq(users.id, ann.user.id));
  await db.update(users).set({ suspendedAt: service.clock.now() }).where(eq(users.id, ben.user.id));
  for (const { set } of [feed, other]) set(answerIcs(broken));

  await pass(120);

  expect([await outagesOf(ann), await outagesOf(ben)]).toEqual([[], []]);
}, 30_000);

test('what was read before the owner connected the calendar again says nothing of it (security C153)', async () => {
  const ann = await represented();
  const feed = addFeed();
  await connect(ann, [feed.url]);
  const answered = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  feed.set(async (_request, response) => {
    asked.resolve();
    await answered.promise;
    response.writeHead(404).end();
  });
  service.clock.advance(61);
  const checking = pageOf(ann);
  await asked.promise;
  feed.set(answerIcs(icsOf(lunch)));
  await connect(ann, [feed.url]);
  answered.resolve();
  await checking;

  expect(await pageOf(ann)).not.toContain('Can’t be read');
});

test('connecting a faulty file names the line and the entry (contract §8)', async () => {
  const { token } = await represent(service);
  const body = { urls: [addFeed().url, addFeed(answerIcs(broken)).url] };

  const answer = await callApi(service, 'POST', '/calendars/ics-feed/save', { token, body });

  expect(bodyOf(answer, 400).error.details).toEqual({
    'urls.1': 'Line 8, in the entry “Team, lunch”, has no valid time.',
  });
});

test('slow calendars of one owner don’t keep those of others waiting (contract §8)', async () => {
  const [ann, ben] = [await represented(), await represented()];
  const slow = await Promise.all(
    Array.from({ length: 9 }, async (_, index) => {
      const feed = addFeed();
      await connect(ann, [feed.url], `Slow ${index}`);
      return feed;
    }),
  );
  const other = addFeed();
  await connect(ben, [other.url]);
  service.clock.advance(60 * 60);
  const asked = new Set<number>();
  for (const [index, feed] of slow.entries()) feed.set(() => void asked.add(index));
  const isOthersTurn = new AbortController();
  other.set((request, response) => {
    isOthersTurn.abort([...asked].length);
    answerIcs(icsOf(lunch))(request, response);
  });

  await watchCalendars(service.app, isOthersTurn.signal);

  // The other's turn comes beside the first of the slow ones, or before it.
  expect(isOthersTurn.signal.reason).toBeLessThanOrEqual(1);
}, 30_000);

test('names of zones that aren’t understood are on the calendar’s page, and the zone that is used (contract §8)', async () => {
  const ann = await represented();
  const odd = addFeed(
    answerIcs(icsOf(['DTSTART;TZID=Mars/<b>Base:20270203T110000', 'DURATION:PT1H'], [...lunch, 'UID:1'])),
  );
  await connect(ann, [odd.url]);

  const page = await pageOf(ann);

  expect(page).toContain('We don’t know the time zone “Mars/<b>Base”');
  expect(page).toContain('your own zone, ');
  expect(page).not.toContain('Can’t be read');
});

test('a booking page says when the calendar is read again: in ten seconds, or when its pause is over (contract §8)', async () => {
  const ann = await represented();
  const [feed, { path }] = [addFeed(), await addEventType(service, ann.user)];
  await connect(ann, [feed.url]);
  service.clock.advance(61);
  const waitOf = async () => {
    const page = await service.app.inject({ url: path, headers: { host: new URL(service.appUrl).host } });
    return [page.statusCode, page.headers['retry-after']];
  };

  feed.set((_request, response) => void response.writeHead(404).end());
  expect(await waitOf()).toEqual([503, '10']);
  service.clock.advance(10);
  feed.set(answerIcs(icsOf([...lunch, 'RRULE:FREQ=SECONDLY'])));
  expect(await waitOf()).toEqual([503, '60']);
});
