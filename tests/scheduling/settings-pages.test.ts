import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { users } from '../../src/accounts/tables.ts';
import { newFeeds } from '../../src/scheduling/calendars/request.ts';
import { listCalendars } from '../../src/scheduling/calendars/store.ts';
import { listEventTypes } from '../../src/scheduling/event-types/store.ts';
import { createSchedule, listSchedules } from '../../src/scheduling/schedules/store.ts';
import { addEventType } from '../support/booking.ts';
import { answerIcs, icsOf, startFeedServer } from '../support/feed-server.ts';
import { addPerson, openAs } from '../support/groups.ts';
import { faultOf, fieldsIn, textOf, typedIn } from '../support/page-content.ts';
import { postOwnForm } from '../support/registration.ts';
import { openTestService } from '../support/service.ts';
import { addTeam, joinTeam } from '../support/teams.ts';

const service = await openTestService({ CALENDAR_ALLOW_PRIVATE: '127.0.0.1' });
const { db } = service.database;
const feeds = await startFeedServer();
const [ann, bob] = [await addPerson(service), await addPerson(service)];
const all = { take: 250, skip: 0 };

const eventTypesOf = async (set: { userId: number } | { teamId: number }) =>
  listEventTypes(service.app, set, { ...all, withHidden: true });
const schedulesOf = async ({ user }: typeof ann) => (await listSchedules(db, { userId: user.id }, all)).found;
const send = (path: string, fields: Readonly<Record<string, string>>, { cookie } = ann) =>
  postOwnForm(service, path, fields, cookie);

const talk = { title: 'Ünusual talk', slug: '', lengthInMinutes: '45' };
const limits = {
  beforeEventBuffer: '5',
  afterEventBuffer: '10',
  minimumBookingNotice: '1',
  minimumBookingNoticeUnit: 'hours',
  slotInterval: '15',
  bookingLimitsCount: '3',
  bookingWindow: '30',
  scheduleId: '',
  confirmationPolicy: 'on',
};
const windowFault = 'Enter 1 to 3650 days (up to 90 with free times), or a first and a last day, or nothing.';
const questions = {
  ...{ question0Label: 'Which topic?', question0Type: 'select', question0Options: 'One\nTwo' },
  ...{ question0Shown: 'on', question1Label: 'Company', question1Type: 'text', question1Required: 'on' },
};

describe('event types (contract §8)', () => {
  const home = '/settings/event-types';

  const typeOf = async ({ user }: typeof ann) => {
    const [found] = await eventTypesOf({ userId: user.id });
    return found?.eventType;
  };

  test('are created from four fields, listed, changed tab by tab, and deleted', async () => {
    const place = { location0Type: 'link', location0Value: 'meet.example/ann', location0Public: 'on' };
    const created = await send(`${home}/new`, { ...talk, ...place });
    const first = await typeOf(ann);
    const list = await openAs(service, home, ann.cookie);
    const path = `${home}/${first?.id}`;
    const saved = [
      await send(`${path}/limits`, limits),
      await send(`${path}/questions`, { ...questions, allowsGuests: 'on' }),
      await send(path, { ...talk, ...place, slug: 'other', description: 'About it' }),
    ];
    const after = await typeOf(ann);
    const deleted = await send(`${path}/delete`, {});

    expect([created, ...saved, deleted].map(({ headers }) => headers.location)).toEqual([
      `${path}?done=created`,
      `${path}/limits?done=saved`,
      `${path}/questions?done=saved`,
      `${path}?done=saved`,
      `${home}?done=deleted`,
    ]);
    expect(first).toMatchObject({
      ...{ slug: 'unusual-talk', lengthInMinutes: 45, minimumBookingNotice: 120, hidden: false },
      locations: [{ type: 'link', link: 'https://meet.example/ann', public: true }],
    });
    expect(list.body).toContain(`/${ann.user.username}/unusual-talk`);
    expect(after).toMatchObject({
      ...{ slug: 'other', description: 'About it', hidden: true, disableGuests: false },
      ...{ beforeEventBuffer: 5, afterEventBuffer: 10, minimumBookingNotice: 60, slotInterval: 15 },
      ...{ bookingsADay: 3, bookingWindowDays: 30, requiresConfirmation: true, locations: first?.locations },
      bookingFields: [
        { slug: 'which-topic', type: 'select', options: ['One', 'Two'], required: false, hidden: false },
        { slug: 'company', type: 'text', required: true, hidden: true },
      ],
    });
    expect(await eventTypesOf({ userId: ann.user.id })).toEqual([]);
  });

  test.each([
    [
      { bookingWindow: '5', bookingWindowUnit: 'business days' },
      { type: 'businessDays', value: 5, rolling: false },
    ],
    [
      { bookingWindow: '5', bookingWindowUnit: 'days with free times' },
      { type: 'calendarDays', value: 5, rolling: true },
    ],
    [
      { bookingWindowFirst: '2031-06-02', bookingWindowLast: '2031-06-03' },
      { type: 'range', value: ['2031-06-02', '2031-06-03'] },
    ],
  ])('have windows of each kind: %j', async (typed, bookingWindow) => {
    const { user, cookie } = await addPerson(service);
    const path = `${home}/${(await addEventType(service, user)).id}/limits`;
    const { bookingWindow: _days, ...others } = limits;

    await send(path, { ...others, ...typed }, { user, cookie });

    expect(await typeOf({ user, cookie })).toMatchObject({ bookingWindow, bookingWindowDays: null });
    const shown = await openAs(service, path, cookie);
    for (const [name, value] of Object.entries(typed).filter(([field]) => !field.endsWith('Unit')))
      expect(typedIn(shown, name)).toBe(value);
    const both = await send(
      path,
      { ...limits, ...typed, bookingWindowFirst: '2031-06-02' },
      { user, cookie },
    );
    expect(faultOf(both, 'bookingWindow')).toBe(windowFault);
  });

  test('saving one tab leaves what all others hold as it is', async () => {
    const { user, cookie } = await addPerson(service);
    const full = {
      ...{ title: 'Talk', description: 'About it', lengthInMinutes: 60, lengthInMinutesOptions: [15, 60] },
      ...{ beforeEventBuffer: 90, afterEventBuffer: 7, minimumBookingNotice: 2880, slotInterval: 30 },
      bookingsADay: 4,
      ...{ bookingWindowDays: 9, hidden: true, disableGuests: true, requiresConfirmation: true },
      locations: [{ type: 'attendeePhone' }, { type: 'address', address: 'Main St 1', public: false }],
      bookingFields: [
        { type: 'text', slug: 'x', label: 'X?', required: true, hidden: true, placeholder: 'An X' },
      ],
    } as const;
    const { id } = await addEventType(service, user, full);
    const valuesOf = async () => {
      const { updatedAt: _at, ...values } = (await typeOf({ user, cookie })) ?? { updatedAt: 0 };
      return values;
    };
    const before = await valuesOf();

    for (const tab of ['', '/questions', '/limits']) {
      const path = `${home}/${id}${tab}`;
      const saved = await send(path, fieldsIn((await openAs(service, path, cookie)).body), { user, cookie });

      expect([tab, saved.headers.location]).toEqual([tab, `${path}?done=saved`]);
      expect(await valuesOf()).toEqual(before);
    }
  });

  test('rows are added and removed without JavaScript, nothing is saved before, and nothing is lost', async () => {
    const { user, cookie } = await addPerson(service);
    const own = { user, cookie };
    const { id } = await addEventType(service, user);
    const path = `${home}/${id}/questions`;
    const press = async (fields: Record<string, string>, button: Record<string, string>) => {
      const page = await send(path, { ...fields, ...button }, own);
      expect(page.statusCode).toBe(200);
      return fieldsIn(page.body);
    };

    const one = await press({}, { add: 'question' });
    const two = await press({ ...one, question0Label: 'First?' }, { add: 'question' });
    const three = await press({ ...two, question1Label: 'Second?' }, { add: 'question' });
    const left = await press({ ...three, question2Label: 'Third?' }, { remove: 'question1' });
    const none = await typeOf(own);
    await send(path, left, own);

    expect(Object.keys(two)).toContain('question1Label');
    expect(left).toMatchObject({ question0Label: 'First?', question1Label: 'Third?' });
    expect(left).not.toHaveProperty('question2Label');
    expect(none?.bookingFields).toEqual([]);
    expect((await typeOf(own))?.bookingFields.map(({ label }) => label)).toEqual(['First?', 'Third?']);
  });

  test.each([
    ['1.5', 'hours', 90],
    ['2', 'days', 2880],
    ['0', 'minutes', 0],
    ['1,25', 'hours', 75],
  ])('a notice of %s %s is so many minutes', async (minimumBookingNotice, unit, minutes) => {
    const { user, cookie } = await addPerson(service);
    const { id } = await addEventType(service, user);
    const fields = { ...limits, minimumBookingNotice, minimumBookingNoticeUnit: unit };

    await send(`${home}/${id}/limits`, fields, { user, cookie });

    expect((await typeOf({ user, cookie }))?.minimumBookingNotice).toBe(minutes);
  });

  test.each([
    ['Arabic', 'استشارة قصيرة', 'event'],
    ['Cyrillic', 'Консультация', 'event'],
    ['Chinese', '面談', 'event'],
    ['emoji', '🎉', 'event'],
    ['one that is taken', 'Beratung über Ärger', 'beratung-uber-arger'],
    [
      'a long one',
      'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft',
      'event',
    ],
    [
      'many words',
      'The quick brown fox jumps over the lazy dog and runs into the forest without a sound',
      'the-quick-brown-fox-jumps-over-the-lazy-dog-and-runs-into-the-forest',
    ],
  ])('a title of %s makes a link by itself, twice, and no word is cut', async (_name, title, slug) => {
    const { cookie, user } = await addPerson(service);
    const form = { ...talk, title };

    for (const _ of [1, 2]) await postOwnForm(service, `${home}/new`, form, cookie);
    const made = await eventTypesOf({ userId: user.id });
    await postOwnForm(service, `${home}/${made[1]?.eventType.id}`, form, cookie);

    expect(made.map(({ eventType }) => eventType.slug)).toEqual([slug, `${slug}-2`]);
    expect((await eventTypesOf({ userId: user.id })).map(({ eventType }) => eventType.slug)).toEqual([
      slug,
      `${slug}-2`,
    ]);
  });

  test('options without a question ask for one', async () => {
    const { user, cookie } = await addPerson(service);
    const { id } = await addEventType(service, user);

    const answer = await send(`${home}/${id}/questions`, { question0Options: 'One' }, { user, cookie });

    expect(faultOf(answer, 'question0Label')).toBe('Enter a question.');
  });

  test('a missing title is not also a fault of the link that is made of it', async () => {
    const answer = await send(`${home}/new`, { ...talk, title: ' ', slug: '' });

    expect([faultOf(answer, 'title'), faultOf(answer, 'slug')]).toEqual(['Enter a title.', undefined]);
  });

  test.each([
    ['limits', 'beforeEventBuffer', '1441', 'Enter up to 24 hours.'],
    ['limits', 'minimumBookingNotice', '', 'Enter up to 365 days.'],
    ['limits', 'minimumBookingNotice', '0.505', 'Enter up to 365 days.'],
    ['limits', 'slotInterval', '0', 'Enter 1 minute to 7 days, or nothing.'],
    ['limits', 'bookingLimitsCount', '0', 'Enter 1 to 10,000 bookings, or nothing.'],
    ['limits', 'bookingLimitsCount', 'three', 'Enter 1 to 10,000 bookings, or nothing.'],
    ['limits', 'bookingWindow', '4000', windowFault],
    ['limits', 'bookingWindow', 'soon', windowFault],
    ['limits', 'scheduleId', '999999', 'Choose one of your schedules.'],
    [
      'questions',
      'question0Options',
      '',
      'Enter at least one option, each on a line of its own: up to 50 different ones of 100 characters.',
    ],
    ['questions', 'question1Label', 'x'.repeat(201), 'Use at most 200 characters.'],
  ])('on the tab %s, %s "%s" is refused at its field', async (tab, name, value, fault) => {
    const { user, cookie } = await addPerson(service);
    const { id } = await addEventType(service, user);
    const fields = tab === 'limits' ? limits : questions;

    const answer = await send(`${home}/${id}/${tab}`, { ...fields, [name]: value }, { user, cookie });

    expect([400, 409]).toContain(answer.statusCode);
    expect(faultOf(answer, name)).toBe(fault);
    expect(typedIn(answer, tab === 'limits' ? 'afterEventBuffer' : 'question0Label')).toBe(
      tab === 'limits' ? '10' : 'Which topic?',
    );
    expect(await typeOf({ user, cookie })).toMatchObject({ afterEventBuffer: 0, bookingFields: [] });
  });

  test.each([
    ['title', '', 'Enter a title.'],
    ['lengthInMinutes', '0', 'Enter 1 minute to 24 hours.'],
    ['lengthInMinutes', '', 'Enter 1 minute to 24 hours.'],
    ['lengthInMinutes', '1e2', 'Enter 1 minute to 24 hours.'],
    ['slug', 'No Spaces', 'Use lowercase letters, digits and single dashes, up to 80 characters.'],
    [
      'location0Value',
      'nowhere',
      'Enter a link that begins with https:// or http://, of up to 500 characters.',
    ],
  ])(
    'with %s "%s" are refused in the words of the API, and keep what was typed',
    async (name, value, fault) => {
      const answer = await send(`${home}/new`, {
        ...talk,
        location0Type: 'link',
        location0Value: 'meet.example/x',
        [name]: value,
      });

      expect(answer.statusCode).toBe(400);
      expect(faultOf(answer, name)).toBe(fault);
      expect(typedIn(answer, name)).toBe(value);
      expect(await eventTypesOf({ userId: ann.user.id })).toEqual([]);
    },
  );

  test('with a slug that is taken are refused at the field', async () => {
    const { slug } = await addEventType(service, bob.user);

    const answer = await send(`${home}/new`, { ...talk, slug }, bob);

    expect(answer.statusCode).toBe(409);
    expect(faultOf(answer, 'slug')).toBe('Another event type has this link. Choose another one.');
  });

  test('of teams are for their owners and admins alone', async () => {
    const team = await addTeam(service, ann.user);
    await joinTeam(service, team, bob.user, 'member');
    const hosts = {
      ...talk,
      team: String(team.id),
      schedulingType: 'roundRobin',
      hosts: String(bob.user.id),
    };

    const own = await addEventType(service, ann.user);
    const created = await send(`${home}/new`, hosts);
    const without = await send(`${home}/new`, { ...hosts, slug: 'x', hosts: '' });
    const byMember = await send(`${home}/new`, { ...hosts, slug: 'y' }, bob);
    const [found] = await eventTypesOf({ teamId: team.id });
    const path = `${home}/${found?.eventType.id}`;
    const turned = await send(`${path}/hosts`, { ...hosts, schedulingType: 'collective' });
    const [after] = await eventTypesOf({ teamId: team.id });
    const pages = [path, `${path}/hosts`, `${home}?team=${team.id}`, `${home}/new?team=${team.id}`];
    const statuses = async ({ cookie }: typeof ann) =>
      Promise.all(pages.map(async (url) => (await openAs(service, url, cookie)).statusCode));

    expect(created.headers.location).toBe(`${path}?done=created`);
    expect(turned.headers.location).toBe(`${path}/hosts?done=saved`);
    expect([found, after].map((one) => one?.eventType.schedulingType)).toEqual(['roundRobin', 'collective']);
    expect((await openAs(service, `${home}/${own.id}/hosts`, ann.cookie)).statusCode).toBe(404);
    expect(found?.hosts.map(({ userId }) => userId)).toEqual([bob.user.id]);
    expect(without.statusCode).toBe(400);
    expect(byMember.statusCode).toBe(404);
    expect(await statuses(ann)).toEqual([200, 200, 200, 200]);
    expect(await statuses(bob)).toEqual([404, 404, 404, 404]);
    expect((await send(`${path}/delete`, {}, bob)).statusCode).toBe(404);
    expect(await eventTypesOf({ teamId: team.id })).toHaveLength(1);
  });

  test('of others are not found', async () => {
    const { id } = await addEventType(service, bob.user);

    for (const url of [`${home}/${id}`, `${home}/x`, `${home}?team=7777`])
      expect((await openAs(service, url, ann.cookie)).statusCode).toBe(404);
    expect((await send(`${home}/${id}`, talk)).statusCode).toBe(404);
    expect((await send(`${home}/${id}/delete`, {})).statusCode).toBe(404);
  });
});

const week = {
  name: 'Summer',
  timeZone: 'Europe/Rome',
  ...{ MondayOn: 'on', Monday0From: '9:00', Monday0To: '12:00', Monday1From: '13:00', Monday1To: '17:00' },
  ...{
    TuesdayOn: 'on',
    Tuesday0From: '00:00',
    Tuesday0To: '00:00',
    Sunday0From: '09:00',
    Sunday0To: '10:00',
  },
  ...{ override0Date: '2030-12-24', override0Off: 'on', override0From: '09:00', override0To: '17:00' },
  ...{ override1Date: '', override1Off: 'on' },
  ...{ override2Date: '2030-12-31', override2From: '09:00', override2To: '10:00' },
  ...{ override3Date: '2030-12-31', override3From: '11:00', override3To: '00:00' },
};

describe('availability (contract §8)', () => {
  const home = '/settings/availability';

  test('is created, shown, changed and deleted as the API does it', async () => {
    await send(`${home}/new`, week);
    const [found] = await schedulesOf(ann);
    const path = `${home}/${found?.id}`;
    const form = await openAs(service, path, ann.cookie);
    const shown = fieldsIn(form.body);
    const again = await send(path, { ...shown, remove: 'override1' });
    const left = fieldsIn(again.body);
    const saved = await send(path, left);
    const [after] = await schedulesOf(ann);

    expect(found).toMatchObject({
      name: 'Summer',
      timeZone: 'Europe/Rome',
      isDefault: true,
      weekly: [
        { weekDay: 1, startMinute: 540, endMinute: 720 },
        { weekDay: 1, startMinute: 780, endMinute: 1020 },
        { weekDay: 2, startMinute: 0, endMinute: 1440 },
      ],
      overrides: {
        '2030-12-24': [],
        '2030-12-31': [
          { startMinute: 540, endMinute: 600 },
          { startMinute: 660, endMinute: 1440 },
        ],
      },
    });
    expect(shown).toMatchObject({
      ...{ MondayOn: 'on', Monday0From: '09:00', Monday0To: '12:00', Monday1From: '13:00' },
      ...{ TuesdayOn: 'on', Tuesday0From: '00:00', Tuesday0To: '00:00' },
      ...{ override0Date: '2030-12-24', override0Off: 'on', override2To: '00:00' },
    });
    expect(shown).not.toHaveProperty('override3Date');
    expect(again.statusCode).toBe(200);
    expect(shown).not.toHaveProperty('SundayOn');
    expect(saved.headers.location).toBe(`${home}?done=saved`);
    expect(after).toMatchObject({ weekly: found?.weekly, timeZone: 'Europe/Rome' });
    expect(after?.overrides).toEqual({
      '2030-12-24': [],
      '2030-12-31': [{ startMinute: 660, endMinute: 1440 }],
    });
    expect(textOf((await openAs(service, home, ann.cookie)).body)).toContain(
      'Mon 09:00–12:00, 13:00–17:00; Tue 00:00–24:00',
    );
    await send(`${path}/delete`, {});
    expect(await schedulesOf(ann)).toEqual([]);
  });

  test('says before it’s deleted what event types use then, as the API does (deleteSchedule)', async () => {
    const dora = await addPerson(service);
    for (const name of ['First', 'Second', 'Third'])
      await send(`${home}/new`, { name, timeZone: 'UTC' }, dora);
    const [first, second] = await schedulesOf(dora);
    const pageOf = async (id = 0) =>
      textOf((await openAs(service, `${home}/${id}/delete`, dora.cookie)).body);

    expect(await pageOf(first?.id)).toContain(
      'Your oldest other schedule becomes the default. Without one, people can book you Monday to Friday, 09:00–17:00.',
    );
    expect(await pageOf(second?.id)).toContain('use your default schedule then');
    await send(`${home}/${first?.id}/delete`, {}, dora);
    expect((await schedulesOf(dora)).map(({ name, isDefault }) => [name, isDefault])).toEqual([
      ['Second', true],
      ['Third', false],
    ]);
  });

  test.each([
    ['name', '', 'Enter a name.'],
    ['Monday0From', 'all day', 'Enter a start time.'],
    ['Monday0To', '', 'Enter an end time.'],
    ['Monday1To', '12:00', 'This must be after the start.'],
    ['Tuesday0To', '25:00', 'Enter an end time.'],
    ['override0Date', 'tomorrow', 'Enter a date.'],
    ['override0Date', '2030-02-30', 'Enter a date.'],
    ['override2To', '08:00', 'Enter a start and a later end, or choose Day off.'],
    ['override3From', '', 'Enter a start and a later end, or choose Day off.'],
    ['timeZone', 'Mars/Olympus', 'Choose a city from the list, or a time zone such as Europe/Berlin.'],
  ])('with %s "%s" is refused there', async (name, value, fault) => {
    const answer = await send(`${home}/new`, { ...week, [name]: value });
    // A row without a date doesn't count.
    const rows: Record<string, string> = { override2To: 'override1To', override3From: 'override2From' };
    const field = rows[name] ?? name;

    expect(answer.statusCode).toBe(400);
    expect(faultOf(answer, field)).toBe(fault);
    expect(answer.body).toMatch(new RegExp(` name="${field}"[^>]* autofocus aria-invalid="true"`));
    expect(answer.body).toContain('name="override1From" value="09:00"');
    expect(await schedulesOf(ann)).toEqual([]);
  });

  test.each([
    ['override0Date', `x${' '.repeat(60_000)}5`, 'Enter a date.'],
    [
      'override2From',
      '9'.repeat(60_000),
      'Enter a start and a later end, or choose Day off.',
      'override1From',
    ],
    ['Monday0From', '9'.repeat(60_000), 'Enter a start time.'],
  ])(
    'with up to 64 KB in %s is refused within 50 ms of CPU (security C55)',
    async (name, value, fault, field = name) => {
      let leastMs = Infinity;
      for (let round = 0; round < 5; round += 1) {
        const begin = process.cpuUsage();
        const answer = await send(`${home}/new`, { ...week, [name]: value });
        const { user, system } = process.cpuUsage(begin);
        leastMs = Math.min(leastMs, (user + system) / 1000);
        expect([answer.statusCode, faultOf(answer, field)]).toEqual([400, fault]);
      }

      expect(leastMs).toBeLessThan(50);
    },
  );

  test('are shown in the format of the person', async () => {
    const carol = await addPerson(service);
    await send(
      `${home}/new`,
      { ...week, WednesdayOn: 'on', Wednesday0From: '17:30', Wednesday0To: '00:00' },
      carol,
    );
    await db.update(users).set({ timeFormat: 12 }).where(eq(users.id, carol.user.id));

    const at12 = textOf((await openAs(service, home, carol.cookie)).body);

    expect(at12).toContain('Mon 9:00 AM – 12:00 PM');
    expect(at12).toContain('Wed 5:30 PM – 12:00 AM');
  });

  test('by day: hours are added, copied to the days that are on and removed without JavaScript, and nothing is saved before', async () => {
    const dan = await addPerson(service);
    const path = `${home}/new`;
    const fields = {
      ...fieldsIn((await openAs(service, path, dan.cookie)).body),
      name: 'Lunch',
      timeZone: 'UTC',
    };
    const focused = ({ body }: { readonly body: string }) =>
      /<(?:input|button)[^>]* name="([^"]*)"(?: value="([^"]*)")?[^>]* autofocus/.exec(body)?.slice(1);

    const added = await send(path, { ...fields, Monday0To: '12:00', add: 'Monday' }, dan);
    const withLunch = { ...fieldsIn(added.body), Monday1From: '13:00', Monday1To: '17:00', SundayOn: 'on' };
    const another = await send(path, { ...fieldsIn(added.body), add: 'Tuesday' }, dan);
    const copied = await send(path, { ...withLunch, copy: 'Monday' }, dan);
    const without = await send(path, { ...fieldsIn(copied.body), remove: 'Friday1' }, dan);
    const off = await send(path, { ...fieldsIn(without.body), remove: 'Friday0' }, dan);
    const none = await schedulesOf(dan);
    const saved = await send(path, fieldsIn(off.body), dan);

    expect([added, copied, without, off, saved].map(({ statusCode }) => statusCode)).toEqual([
      ...[200, 200, 200, 200, 303],
    ]);
    expect(typedIn(added, 'name')).toBe('Lunch');
    expect(fieldsIn(another.body)).toMatchObject({ Monday1From: '', Tuesday1From: '' });
    expect([added, copied, without, off].map(focused)).toEqual([
      ['Monday1From', ''],
      ['copy', 'Monday'],
      ['add', 'Friday'],
      ['FridayOn', undefined],
    ]);
    expect(none).toEqual([]);
    const [found] = await schedulesOf(dan);
    expect(found?.weekly).toEqual(
      [1, 2, 3, 4, 7].flatMap((weekDay) => [
        { weekDay, startMinute: 540, endMinute: 720 },
        { weekDay, startMinute: 780, endMinute: 1020 },
      ]),
    );
  });

  test('are listed in few words, with the next dates that have other hours', async () => {
    const { user, cookie } = await addPerson(service);
    const now = service.clock.now();
    const day = (index: number): string =>
      new Date(now.getTime() + index * 86_400_000).toISOString().slice(0, 10);
    const weekly = [1, 2, 3, 4, 5, 6, 7].flatMap((weekDay) => [
      { weekDay, startMinute: 780, endMinute: 1080 },
      { weekDay, startMinute: 540, endMinute: 720 },
    ]);
    const hours = [{ startMinute: 600, endMinute: 660 }];
    const overrides = { [day(-3)]: hours, [day(5)]: [], [day(6)]: hours, [day(7)]: [], [day(8)]: [] };
    const row = { name: 'Busy', timeZone: 'UTC', weekly, isDefault: true };
    await createSchedule(db, user.id, { ...row, overrides }, now);

    const shown = textOf((await openAs(service, home, cookie)).body);

    expect(shown).toContain('Every day 09:00–12:00, 13:00–18:00');
    expect(shown.match(/day off/g)).toHaveLength(2);
    expect(shown).toMatch(/: day off · .*: 10:00–11:00 · .*: day off · and more/);
  });

  test('with more spans than the API takes is refused on the form', async () => {
    const many = Object.fromEntries(
      ['Monday', 'Tuesday'].flatMap((day) => [
        [`${day}On`, 'on'],
        ...Array.from({ length: 60 }, (_, row) => [`${day}${row}From`, '09:00']),
        ...Array.from({ length: 60 }, (_, row) => [`${day}${row}To`, '09:01']),
      ]),
    );

    const answer = await send(`${home}/new`, { ...week, ...many });

    expect(answer.statusCode).toBe(400);
    expect(textOf(answer.body)).toContain('Use up to 100 spans of time a week.');
  });

  test('dates are added without JavaScript, and those that the form doesn’t show stay as they are', async () => {
    const eve = await addPerson(service);
    const day = (index: number): string =>
      new Date(service.clock.now().getTime() + index * 86_400_000).toISOString().slice(0, 10);
    const overrides = Object.fromEntries(Array.from({ length: 155 }, (_, index) => [day(index - 5), []]));
    const row = { name: 'Long', timeZone: 'UTC', weekly: [], overrides, isDefault: true };
    await createSchedule(db, eve.user.id, row, service.clock.now());
    const path = `${home}/${(await schedulesOf(eve))[0]?.id}`;

    const page = await openAs(service, path, eve.cookie);
    const shown = fieldsIn(page.body);
    const added = await send(path, { ...shown, add: 'override' }, eve);
    const { override0Date: _date, ...others } = fieldsIn(added.body);
    const saved = await send(path, { ...others, override100Date: day(149) }, eve);

    expect(shown).toMatchObject({ override0Date: day(0), override99Date: day(99) });
    expect(shown).not.toHaveProperty('override100Date');
    expect(textOf(page.body)).toContain('Later dates that an app added are kept');
    expect(added.body).toContain('name="override100Date" value="" aria-label="Date 101" autofocus');
    expect(saved.statusCode).toBe(303);
    const { [day(0)]: _gone, ...rest } = overrides;
    expect((await schedulesOf(eve))[0]?.overrides).toEqual(rest);
  });

  test('past the limit is refused on the form, and that of others is not found (security C54)', async () => {
    const row = { name: 'x', timeZone: 'UTC', weekly: [], overrides: {}, isDefault: false };
    for (let count = 0; count < 50; count += 1)
      await createSchedule(db, bob.user.id, row, service.clock.now());
    const [theirs] = await schedulesOf(bob);

    const refused = await send(`${home}/new`, week, bob);

    expect(refused.statusCode).toBe(409);
    expect(textOf(refused.body)).toContain('You have 50 schedules, the maximum. Delete one first.');
    for (const answer of [
      await openAs(service, `${home}/${theirs?.id}`, ann.cookie),
      await send(`${home}/${theirs?.id}`, week),
      await send(`${home}/${theirs?.id}/delete`, {}),
    ])
      expect(answer.statusCode).toBe(404);
    expect(await schedulesOf(bob)).toHaveLength(50);
  });
});

describe('calendars (contract §8)', () => {
  test('are read over https where their address begins with webcal', async () => {
    const carol = await addPerson(service);
    const fields = { url: 'WebCal://feeds.invalid/own.ics', name: 'Own' };

    const sent = await send('/settings/calendars/ics', fields, carol);

    // Nobody answers there: the address itself is right.
    expect(textOf(sent.body)).not.toContain('Use an https:// or http:// address');
    for (const url of [fields.url, 'webcals://feeds.invalid/own.ics'])
      expect(newFeeds.parse({ urls: [url] }).urls).toEqual(['https://feeds.invalid/own.ics']);
  });

  const home = '/settings/calendars';
  const base = `http://127.0.0.1:${feeds.port}`;

  test('are connected, shown with their state, and disconnected', async () => {
    const event = ['DTSTART:20310106T090000Z', 'DTEND:20310106T100000Z'];
    const url = feeds.serve('/secret.ics', answerIcs(icsOf(event)));
    const connected = await send(`${home}/ics`, { url: ` ${url} `, name: '' });
    const [calendar] = await listCalendars(db, ann.user.id);
    const page = await openAs(service, home, ann.cookie);
    const foreign = await send(`${home}/${calendar?.id}/disconnect`, {}, bob);
    const gone = await send(`${home}/${calendar?.id}/disconnect`, {});

    expect(connected.headers.location).toBe(`${home}?done=connected`);
    expect(textOf(page.body)).toContain('Calendar feed');
    expect(textOf(page.body)).toContain('Read within the last minute: 0 busy times in the next 7 days.');
    expect(page.body).not.toContain('secret.ics');
    expect(foreign.statusCode).toBe(404);
    expect(gone.headers.location).toBe(`${home}?done=disconnected`);
    expect(await listCalendars(db, ann.user.id)).toEqual([]);
  });

  test.each([
    ['google', 'Secret address in iCal format', 'url', ''],
    ['outlook', 'Publish a calendar', 'url', ''],
    ['icloud', 'App-Specific Passwords', 'url', 'https://caldav.icloud.com/'],
    ['fastmail', 'app password', 'url', 'https://caldav.fastmail.com/'],
  ])('of %s say where to find what connects them: %s', async (provider, words, field, value) => {
    const list = await openAs(service, home, ann.cookie);
    const page = await openAs(service, `${home}/${provider}`, ann.cookie);

    expect(list.body).toContain(`href="${home}/${provider}"`);
    expect(textOf(page.body)).toContain(words);
    expect(typedIn(page, field)).toBe(value);
  });

  test('are named for their provider', async () => {
    const { user, cookie } = await addPerson(service);
    const url = feeds.serve('/one.ics', answerIcs(icsOf()));

    const connected = await send(`${home}/outlook`, { url, name: '' }, { user, cookie });

    expect(connected.headers.location).toBe(`${home}?done=connected`);
    expect((await listCalendars(db, user.id)).map(({ name }) => name)).toEqual(['Outlook']);
  });

  test.each(['google', 'ics'])(
    'whose page was copied at Google say where their address is: %s',
    async (kind) => {
      const url = 'https://calendar.google.com/calendar/u/0/r';

      const answer = await send(`${home}/${kind}`, { url, name: '' });

      expect([answer.statusCode, faultOf(answer, 'url')]).toEqual([
        400,
        'This is the page of your calendar. Copy “Secret address in iCal format” from its settings.',
      ]);
      expect(typedIn(answer, 'url')).toBe(url);
    },
  );

  test.each([
    ['ics', 'url', { url: 'ftp://cal.example/x' }],
    ['ics', 'url', { url: '' }],
    ['google', 'url', { url: `${base}/nowhere` }],
    ['fastmail', 'username', { url: base, username: '', password: 'canary-password' }],
    ['caldav', 'url', { url: 'x', username: 'ann', password: 'canary-password' }],
    ['caldav', 'url', { url: `${base}/nowhere`, username: 'ann', password: 'canary-password' }],
    ['caldav', 'username', { url: base, username: '', password: 'canary-password' }],
  ])('with a fault stay on the form: %s %s', async (kind, name, fields) => {
    const answer = await send(`${home}/${kind}`, fields);

    expect(answer.statusCode).toBe(400);
    expect(faultOf(answer, name)).toMatch(name === 'username' ? /^Enter a username\.$/ : /./);
    expect(answer.body).not.toContain('canary-password');
    expect(await listCalendars(db, ann.user.id)).toEqual([]);
  });
});
