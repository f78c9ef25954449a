import { expect, test } from 'vitest';
import { anyAddress } from '../support/any-visitor.ts';
import { callApi } from '../support/api.ts';
import { decide, openDecision, requestOf } from '../support/authorization.ts';
import { addEventType, addTeamEventType } from '../support/booking.ts';
import { openTestDatabase } from '../support/database.ts';
import { openTestService } from '../support/service.ts';
import { addTeam, joinTeam } from '../support/teams.ts';
import { addClient, addUser, authorizePath, signIn, type TestUser } from '../support/world.ts';
import { layCountedLine } from './trips.ts';

const database = await openTestDatabase();
const line = await layCountedLine(database.url);
const opening = Promise.resolve({ ...database, url: line.url });
const service = await openTestService({}, undefined, opening, { connections: 3 });

const host = await addUser(service);
const { id: eventTypeId, path } = await addEventType(service, host);
const person = await addUser(service);
const cookie = await signIn(service, person);

async function addTeamOfTen(): Promise<number> {
  const hosts: TestUser[] = [];
  for (let made = 0; made < 10; made += 1) hosts.push(await addUser(service));
  const team = await addTeam(service, hosts[0] ?? host);
  for (const member of hosts.slice(1)) await joinTeam(service, team, member, 'member');
  return (await addTeamEventType(service, team, hosts)).id;
}

/** Each booking has a week and an attendee of its own. */
const first = Date.parse('2027-03-01T08:00:00Z');
const bookingOf = (id: number) => async (turn: number) => {
  const start = new Date(first + turn * 7 * 86_400_000).toISOString();
  const attendee = { name: 'Dana', email: `dana${turn}@example.com`, timeZone: 'UTC' };
  const body = { eventTypeId: id, start, attendee };
  return callApi(service, 'POST', '/bookings', { body, remoteAddress: anyAddress() });
};

const allowing = async () => {
  const forms: Awaited<ReturnType<typeof openDecision>>[] = [];
  for (let made = 0; made < 10; made += 1) {
    const client = await addClient(service);
    forms.push(await openDecision(service, requestOf(client), cookie));
  }
  return async (turn: number) => decide(service, forms[turn] ?? {}, 'allow', cookie);
};

const client = await addClient(service);
const consent = `${authorizePath}?${new URLSearchParams(requestOf(client))}`;
const slots = (id: number) => `/slots?eventTypeId=${id}&start=2027-03-01&end=2027-03-31`;

/**
 * Statements in all, begin and commit left out; and how often one waits for the next. A booking waits for its event type, for what is
 * taken, for the begin of its transaction, its locks, its rows, and its emails with the commit.
 */
test.each([
  ['a booking', 11, 6, async () => bookingOf(eventTypeId), 201],
  ['a booking of ten hosts who take turns', 16, 9, async () => bookingOf(await addTeamOfTen()), 201],
  [
    'slots of ten hosts',
    4,
    2,
    async () => {
      const id = await addTeamOfTen();
      return () => callApi(service, 'GET', slots(id), { remoteAddress: anyAddress() });
    },
    200,
  ],
  [
    'a booking page',
    5,
    2,
    async () => () => service.app.inject({ url: `${path}?month=2027-03`, remoteAddress: anyAddress() }),
    200,
  ],
  ['consent', 2, 2, async () => () => service.app.inject({ url: consent, headers: { cookie } }), 200],
  // A form reads its session when it begins and when all of it has arrived (security C57).
  ['Allow', 12, 8, allowing, 303],
] as const)(
  '%s takes %d statements, of which %d wait for each other (security C263)',
  async (_name, statements, trips, prepare, status) => {
    const act = await prepare();
    const counts: number[] = [];
    let asked: readonly string[] = [];
    for (let turn = 0; turn < 10; turn += 1) {
      service.takeStatements();
      // The first ones also ask how their statements are to be sent.
      let answered = 0;
      const run = async () => {
        answered = (await act(turn)).statusCode;
      };
      if (turn < 4) await run();
      else counts.push(await line.count(run));
      asked = service.takeStatements();
      expect(answered).toBe(status);
    }

    expect(asked.length, asked.map((text) => text.slice(0, 90)).join('\n')).toBeLessThanOrEqual(statements);
    // What the queues ask on their own may come in between.
    expect(Math.min(...counts)).toBeLessThanOrEqual(trips);
  },
);

test.each([
  [
    'a booking',
    async () => bookingOf((await addEventType(service, await addUser(service))).id),
    /pg_advisory_xact_lock/,
    [/^select array\(/, /^select string_agg/],
  ],
  ['Allow', allowing, /for no key update/, [/from "sessions"/, /from "grants"/]],
] as const)(
  '%s asks for its locks before what they keep, though it waits for neither (ADR 9, security C263)',
  async (_name, prepare, lock, kept) => {
    const act = await prepare();
    await act(9);
    service.takeStatements();

    await act(8);

    const asked = service.takeStatements();
    const locked = asked.findIndex((text) => lock.test(text));
    const reads = kept.map((read) => asked.findLastIndex((text) => read.test(text)));
    expect(locked).toBeGreaterThan(-1);
    expect(Math.min(...reads), asked.join('\n')).toBeGreaterThan(locked);
  },
);
