import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { openEmail } from '../../src/platform/mail/email.ts';
import { outbox } from '../../src/platform/mail/tables.ts';
import { rateLimits } from '../../src/platform/rate-limits/tables.ts';
import { bookings } from '../../src/scheduling/tables.ts';
import { anyAddress, openWith, send } from '../support/any-visitor.ts';
import { bodyOf, callApi, represent } from '../support/api.ts';
import { addEventType, addTeamEventType, dana, fillIn, uidIn } from '../support/booking.ts';
import { inBerlin, nextDate } from '../support/dates.ts';
import { faultOf, textOf, typedIn } from '../support/page-content.ts';
import { postOwnForm } from '../support/registration.ts';
import { openAnotherInstance, openTestService } from '../support/service.ts';
import { addTeam, joinTeam } from '../support/teams.ts';
import { trustingMail } from '../support/verification.ts';
import { addUser, hiddenFieldsOf, startSession } from '../support/world.ts';

const service = await openTestService(trustingMail);
const { db } = service.database;
const ann = await represent(service);
const required = { requiresBookerEmailVerification: true };
const talk = await addEventType(service, ann.user, required);
const other = await addEventType(service, ann.user, required);
const sendCodePath = '/bookings/verification/email/send-code';

beforeEach(async () => {
  await db.delete(rateLimits);
});

let addresses = 0;
const anyEmail = (): string => {
  addresses += 1;
  return `booker-${addresses}@example.com`;
};
const nextSlot = (): string => new Date(Date.parse(inBerlin(nextDate(), '10:00'))).toISOString();

async function codesTo(email: string): Promise<string[]> {
  const rows = await db.select().from(outbox).where(eq(outbox.recipient, email)).orderBy(outbox.createdAt);
  return rows.flatMap(
    (row) => /^Code: ([0-9]{6})$/m.exec(openEmail(row, service.rootSecret, row.createdAt).text)?.[1] ?? [],
  );
}

function askForCode(email: string, { id } = talk, remoteAddress = anyAddress()) {
  return callApi(service, 'POST', sendCodePath, { body: { eventTypeId: id, email }, remoteAddress });
}

async function obtainCode(email: string, eventType = talk): Promise<string> {
  bodyOf(await askForCode(email, eventType));
  return (await codesTo(email)).at(-1) ?? 'none';
}

interface Tried {
  readonly code?: string;
  readonly token?: string;
  readonly eventTypeId?: number;
  readonly remoteAddress?: string;
  readonly headers?: Record<string, string>;
  readonly start?: string;
}

function book(email: string, { code, token, headers = {}, eventTypeId = talk.id, ...tried }: Tried = {}) {
  const { remoteAddress = anyAddress(), start = nextSlot() } = tried;
  const attendee = { name: 'Dana', email, timeZone: 'UTC' };
  const body = {
    eventTypeId,
    start,
    attendee,
    ...(code === undefined ? {} : { emailVerificationCode: code }),
  };
  return callApi(service, 'POST', '/bookings', {
    body,
    remoteAddress,
    headers,
    ...(token === undefined ? {} : { token }),
  });
}

const wrongOf = (code: string): string => (code === '000000' ? '000001' : '000000');

describe('an event type that requires email verification (contract §8, security C78)', () => {
  test('says so in the API; it can be set, changed and read', async () => {
    const made = { title: 'Talk', slug: 'verified', lengthInMinutes: 30 };
    const create = { token: ann.token, body: { ...made, ...required } };
    const { data } = bodyOf(await callApi(service, 'POST', '/event-types', create), 201);
    const change = { token: ann.token, body: { requiresBookerEmailVerification: false } };
    const changed = bodyOf(await callApi(service, 'PATCH', `/event-types/${data.id}`, change));
    const plain = { token: ann.token, body: { ...made, slug: 'plain' } };

    expect(data.requiresBookerEmailVerification).toBe(true);
    expect(changed.data.requiresBookerEmailVerification).toBe(false);
    const created = bodyOf(await callApi(service, 'POST', '/event-types', plain), 201);
    expect(created.data.requiresBookerEmailVerification).toBe(false);
  });

  test('is booked with the code that was emailed to the attendee, and with no other', async () => {
    const email = anyEmail();
    const without = await book(email);
    const code = await obtainCode(email);
    const wrong = await book(email, { code: wrongOf(code) });

    expect(without.statusCode).toBe(400);
    expect(without.json().error.details.emailVerificationCode).toContain(sendCodePath);
    expect(wrong.statusCode).toBe(400);
    expect(wrong.json().error.details.emailVerificationCode).toBe('This code is wrong or has expired.');
    expect(await db.$count(bookings, eq(bookings.attendeeEmail, email))).toBe(0);
    bodyOf(await book(email, { code }), 201);
  });

  test('a code is for its address and event type alone', async () => {
    const [email, neighbour] = [anyEmail(), anyEmail()];
    const code = await obtainCode(email);

    expect((await book(neighbour, { code })).statusCode).toBe(400);
    expect((await book(email, { code, eventTypeId: other.id })).statusCode).toBe(400);
    expect((await book(email.toUpperCase(), { code })).statusCode).toBe(201);
  });

  test('a code works for 10 minutes, and no longer than 15', async () => {
    const email = anyEmail();
    const code = await obtainCode(email);
    service.clock.advance(600);
    const inTime = await book(email, { code });
    service.clock.advance(301);
    const late = await book(email, { code });

    expect(inTime.statusCode).toBe(201);
    expect(late.statusCode).toBe(400);
  });

  test('hosts, and tokens of the team, need none; anyone else’s token does', async () => {
    const team = await addTeam(service, ann.user);
    const colleague = await addUser(service);
    await joinTeam(service, team, colleague, 'member');
    const forTeam = await represent(service, { user: ann.user, teamSlug: team.slug });
    const ofTeam = await addTeamEventType(service, team, [colleague], 'roundRobin', required);
    const me = await represent(service, { user: ann.user });

    expect((await book(anyEmail(), { token: me.token })).statusCode).toBe(201);
    expect((await book(anyEmail(), { token: (await represent(service)).token })).statusCode).toBe(400);
    expect((await book(anyEmail(), { token: forTeam.token, eventTypeId: ofTeam.id })).statusCode).toBe(201);
  });

  test('a request sent again with its Idempotency-Key needs no new code', async () => {
    const email = anyEmail();
    const start = nextSlot();
    const sent = { start, headers: { 'idempotency-key': 'once' }, remoteAddress: anyAddress() };
    const { uid } = bodyOf(await book(email, { ...sent, code: await obtainCode(email) }), 201).data;
    service.clock.advance(3600);

    expect(bodyOf(await book(email, sent), 201).data.uid).toBe(uid);
  });
});

describe('the email with the code (security C78)', () => {
  test('is stored without it; the title is no link', async () => {
    const email = anyEmail();
    const linked = await addEventType(service, ann.user, { ...required, title: 'See evil.example/x now' });
    const code = await obtainCode(email, linked);
    const [row] = await db.select().from(outbox).where(eq(outbox.recipient, email));

    expect(code).toMatch(/^[0-9]{6}$/);
    expect(`${row?.text} ${row?.html}`).not.toContain(code);
    expect(row?.subject).not.toContain('evil.example');
    expect(service.logText()).not.toContain(code);
  });

  test('is sent for no other event type, and for none that callers can’t find', async () => {
    const plain = await addEventType(service, ann.user);
    const hidden = await addEventType(service, ann.user, { ...required, hidden: true });
    const email = anyEmail();

    expect((await askForCode(email, plain)).statusCode).toBe(409);
    expect((await askForCode(email, hidden)).statusCode).toBe(404);
    expect((await callApi(service, 'POST', sendCodePath, { body: { email } })).statusCode).toBe(400);
    expect(await codesTo(email)).toEqual([]);
  });

  test('five an hour go to one mailbox for one owner’s event types, whatever its spelling and whoever asks', async () => {
    const email = anyEmail();
    const [name, domain] = email.split('@');
    for (let sent = 0; sent < 5; sent += 1)
      expect((await askForCode(`${name}+${sent}@${domain}`, sent % 2 ? talk : other)).statusCode).toBe(200);

    const refused = await askForCode(email);

    expect(refused.statusCode).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3000);
    expect((await askForCode(anyEmail())).statusCode).toBe(200);
  });

  test('is sent, however often a stranger asks at event types of their own; 20 an hour go to one mailbox in all', async () => {
    const email = anyEmail();
    const strangers = [];
    for (let index = 0; index < 4; index += 1)
      strangers.push(await addEventType(service, await addUser(service), required));
    const askOften = async (eventType = talk) => {
      const statuses = [];
      for (let sent = 0; sent < 7; sent += 1) statuses.push((await askForCode(email, eventType)).statusCode);
      return statuses;
    };
    const five = [...Array(5).fill(200), 429, 429];

    expect(await askOften(strangers[0])).toEqual(five);
    expect((await askForCode(email)).statusCode).toBe(200);
    expect([await askOften(strangers[1]), await askOften(strangers[2])]).toEqual([five, five]);
    expect(await askOften(strangers[3])).toEqual([...Array(4).fill(200), 429, 429, 429]);
    expect(await codesTo(email)).toHaveLength(20);
  });

  test('is sent, whatever emails bookings of others have caused: nobody can use codes up (security C78)', async () => {
    const email = anyEmail();
    const resetAt = new Date(service.clock.now().getTime() + 3_600_000);
    const spent = [
      { key: `email:event-type:${talk.id}`, count: 300 },
      { key: `email:to:${email}`, count: 20 },
    ];
    await db.insert(rateLimits).values(spent.map((limit) => ({ ...limit, resetAt })));

    const asked = await askForCode(email);

    expect(asked.statusCode).toBe(200);
    expect(await codesTo(email)).toHaveLength(1);
  });

  test('takes turns with the emails of others, by the network that asks', async () => {
    const email = anyEmail();
    await askForCode(email, talk, '192.0.2.7');
    const [row] = await db.select().from(outbox).where(eq(outbox.recipient, email));

    expect(row).toMatchObject({ cause: 'email:network:192.0.2.7' });
  });

  test('30 an hour are asked for by one network', async () => {
    const remoteAddress = anyAddress();
    for (let sent = 0; sent < 30; sent += 1)
      expect((await askForCode(anyEmail(), talk, remoteAddress)).statusCode).toBe(200);

    expect((await askForCode(anyEmail(), talk, remoteAddress)).statusCode).toBe(429);
  });
});

describe('guessing (security C78)', () => {
  test('ends after 20 wrong codes of one network, right ones included', async () => {
    const email = anyEmail();
    const code = await obtainCode(email);
    const remoteAddress = anyAddress();
    for (let tried = 0; tried < 20; tried += 1)
      expect((await book(email, { code: wrongOf(code), remoteAddress })).statusCode).toBe(400);

    const refused = await book(email, { code, remoteAddress });

    expect(refused.statusCode).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3000);
    expect((await book(email, { code })).statusCode).toBe(201);
  });

  test('ends after 30 wrong codes for one mailbox from any number of networks', async () => {
    const email = anyEmail();
    const code = await obtainCode(email);
    const tries = Array.from({ length: 40 }, () => book(email, { code: wrongOf(code) }));

    const statuses = (await Promise.all(tries)).map(({ statusCode }) => statusCode);

    expect(statuses.filter((status) => status === 400)).toHaveLength(30);
    expect((await book(email, { code })).statusCode).toBe(429);
    expect((await book(anyEmail(), { code })).statusCode).toBe(400);
  });

  test('right codes don’t count', async () => {
    const email = anyEmail();
    const code = await obtainCode(email);
    const remoteAddress = anyAddress();
    for (let booked = 0; booked < 22; booked += 1)
      expect((await book(email, { code, remoteAddress })).statusCode).not.toBe(429);
  });
});

describe('the booking page (contract §8, security C78)', () => {
  test('asks for the code that it emails, keeps what was filled in, and books with it', async () => {
    const email = anyEmail();
    const slot = nextSlot();
    const notes = 'Two lines,\nwith "quotes"';
    const filled = await fillIn(service, talk.path, slot, { email, notes, guests: 'guest@example.com' });

    const step = await send(service, talk.path, filled);
    const [code = ''] = await codesTo(email);
    const hidden = hiddenFieldsOf(step.body);
    const wrong = await send(service, talk.path, { ...filled, code: wrongOf(code) });
    const booked = await send(service, talk.path, {
      ...filled,
      code: ` ${code.slice(0, 3)} ${code.slice(3)}`,
    });

    expect(step.statusCode).toBe(200);
    expect(textOf(step.body)).toContain('Check your email');
    expect(textOf(step.body)).toContain(email);
    expect(hidden).toMatchObject({ slot, name: dana.name, email, guests: 'guest@example.com' });
    expect([wrong.statusCode, faultOf(wrong, 'code')]).toEqual([400, 'This code is wrong or has expired.']);
    expect(wrong.body).not.toContain(wrongOf(code));
    expect(booked.statusCode).toBe(303);
    const uid = uidIn(String(booked.headers.location));
    const [row] = await db.select().from(bookings).where(eq(bookings.uid, uid));
    expect(row).toMatchObject({ attendeeEmail: email, guests: ['guest@example.com'], responses: { notes } });
  });

  test('sends another code, and goes back to the details', async () => {
    const email = anyEmail();
    const filled = await fillIn(service, talk.path, nextSlot(), { email });
    await send(service, talk.path, filled);
    await send(service, talk.path, { ...filled, code: '', step: 'again' });
    const sent = await codesTo(email);

    const edited = await send(service, talk.path, { ...filled, code: '', step: 'edit' });

    expect(sent).toHaveLength(2);
    expect(edited.statusCode).toBe(200);
    expect(typedIn(edited, 'email')).toBe(email);
    expect(await codesTo(email)).toHaveLength(2);
  });

  test('says when too many codes were sent or tried', async () => {
    const email = anyEmail();
    const filled = await fillIn(service, talk.path, nextSlot(), { email });
    for (let sent = 0; sent < 5; sent += 1) await askForCode(email);

    const refused = await send(service, talk.path, filled);

    expect(refused.statusCode).toBe(429);
    expect(refused.headers['retry-after']).toBeDefined();
    expect(textOf(refused.body)).toContain('Too many codes. Try again in 60 minutes.');
    expect(textOf(refused.body)).not.toContain('We sent a code');
  });

  test('needs none from a host who is signed in', async () => {
    const cookie = await startSession(service, ann.user);
    const visit = { headers: { cookie } };
    const filled = await fillIn(service, talk.path, nextSlot(), { email: anyEmail() }, visit);

    expect((await send(service, talk.path, filled, visit)).statusCode).toBe(303);
    const someone = { headers: { cookie: await startSession(service, await addUser(service)) } };
    const asked = await send(
      service,
      talk.path,
      { ...filled, form_id: 'another', slot: nextSlot() },
      someone,
    );
    expect(textOf(asked.body)).toContain('Check your email');
  });
});

describe('without a mail server (contract §8)', () => {
  const unbookable = 'This can’t be booked at the moment: this server can’t send email.';

  test('the page says that it can’t be booked, but to hosts, who need no code', async () => {
    const without = await openAnotherInstance(service);
    const slot = nextSlot();
    const page = await openWith(without, talk.path);
    const sent = await send(without, talk.path, { ...dana, slot, timeZone: 'Europe/Berlin', form_id: '' });
    const cookie = await startSession(service, ann.user);
    const own = await openWith(without, talk.path, {}, { headers: { cookie } });

    expect([page.statusCode, sent.statusCode]).toEqual([200, 409]);
    for (const { body } of [page, sent]) expect(textOf(body)).toContain(unbookable);
    expect(textOf((await openWith(service, talk.path)).body)).not.toContain(unbookable);
    expect(textOf(own.body)).not.toContain(unbookable);
  });

  test('the API emails no code and books nothing', async () => {
    const without = await openAnotherInstance(service);
    const email = anyEmail();
    const asked = { body: { eventTypeId: talk.id, email }, remoteAddress: anyAddress() };
    const attendee = { name: 'Dana', email, timeZone: 'Europe/Berlin' };
    const booking = { body: { eventTypeId: talk.id, start: nextSlot(), attendee } };

    for (const answer of [
      await callApi(without, 'POST', sendCodePath, asked),
      await callApi(without, 'POST', '/bookings', booking),
    ]) {
      expect(answer.statusCode).toBe(409);
      expect(answer.json().error.message).toBe(unbookable);
    }
    expect(await codesTo(email)).toEqual([]);
  });

  test('the option can’t be turned on; where it is on, it can be turned off', async () => {
    const without = await openAnotherInstance(service);
    // The clock has moved past the first token.
    const { token } = await represent(service, { user: ann.user });
    const made = { title: 'Talk', slug: 'codes', lengthInMinutes: 30, ...required };
    const refused = await callApi(without, 'POST', '/event-types', { token, body: made });
    const plain = await addEventType(service, ann.user);
    const change = (id: number, body: object) =>
      callApi(without, 'PATCH', `/event-types/${id}`, { token, body });
    const cookie = await startSession(service, ann.user);
    const pathOf = (id: number) => `/settings/event-types/${id}/questions`;
    const formOf = async (id: number, on = without) =>
      (await openWith(on, pathOf(id), {}, { headers: { cookie } })).body;
    const disabled = /name="requiresBookerEmailVerification" disabled>/;
    const fields = { requiresBookerEmailVerification: 'on' };
    const sent = await postOwnForm(without, pathOf(plain.id), fields, cookie);

    for (const answer of [refused, await change(plain.id, required)]) {
      expect(answer.statusCode).toBe(400);
      expect(answer.json().error.details.requiresBookerEmailVerification).toContain('can’t send email');
    }
    expect(sent.statusCode).toBe(400);
    expect(textOf(sent.body)).toContain('This server can’t send email, so it can’t send codes.');
    expect(await formOf(plain.id)).toMatch(disabled);
    expect(await formOf(plain.id, service)).not.toMatch(disabled);
    expect(await formOf(other.id)).not.toMatch(disabled);
    bodyOf(await change(other.id, { ...required, title: 'Still on' }));
    bodyOf(await change(other.id, { requiresBookerEmailVerification: false }));
  });
});
