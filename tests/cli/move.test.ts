import { join } from 'node:path';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { openService } from '../../src/open-service.ts';
import { createSecrets } from '../../src/platform/secrets.ts';
import { makeFolder, onPostgres } from '../start/server-process.ts';
import { isSignedIn } from '../support/accounts.ts';
import { bodyOf, callApi } from '../support/api.ts';
import { openBookingsApi } from '../support/bookings-api.ts';
import { openEmptyDatabase } from '../support/database.ts';
import { prepareDataDirectory } from '../support/prepared-directory.ts';
import { queryRows } from '../support/query-rows.ts';
import { createTestClock, openTestService, type TestService } from '../support/service.ts';
import { startSubscriber } from '../support/subscriber.ts';
import { addClient, callMe, connect, refresh, signIn } from '../support/world.ts';
import { runLatchkey } from './command.ts';

const patient = { timeout: 120_000 } as const;
const secret = onPostgres('')['SECRET'] ?? '';
const clock = createTestClock(new Date());
const none = () => [];

async function makeTarget() {
  const target = await openEmptyDatabase();
  onTestFinished(target.close);
  return onPostgres(target.url);
}

/** The service on an embedded database. */
async function openEmbeddedService(directory: string): Promise<TestService> {
  await prepareDataDirectory(directory);
  const config = readConfig({ DATABASE: 'embedded', DATA_DIR: directory, SECRET: secret });
  const passwordCost = { memory: 8, passes: 1 } as const;
  const { app, database, close } = await openService(config, {
    ...{ log: pino({ level: 'silent' }), runtime: clock, passwordCost },
  });
  await app.ready();
  return {
    ...{ app, clock, close, database: { ...database, url: '', statements: [] } },
    ...{ rootSecret: createSecrets([secret]), appUrl: config.appUrl },
    ...{ logText: () => '', takeLog: () => '' },
    ...{ takeStatements: none, takeAllStatements: none, takeQueries: none },
  };
}

test(
  '`latchkey-server move` takes all of an embedded database to PostgreSQL: sessions, refreshes, bookings and webhooks go on',
  patient,
  async () => {
    const directory = join(await makeFolder(), 'data');
    const subscriber = await startSubscriber();
    const embedded = await openEmbeddedService(directory);
    const { ann, addEventType, booked, nextSlot } = await openBookingsApi(Promise.resolve(embedded));
    const hook = { subscriberUrl: subscriber.address('/hook'), triggers: ['BOOKING_CREATED'] };
    bodyOf(await callApi(embedded, 'POST', '/webhooks', { token: ann.token, body: hook }), 201);
    const { id: eventTypeId } = await addEventType();
    const booking = await booked(eventTypeId);
    const cookie = await signIn(embedded, ann.user);
    const client = await addClient(embedded);
    const tokens = await connect(embedded, client, cookie);
    await expect.poll(() => subscriber.events.length).toBe(1);
    await embedded.close();
    const target = await makeTarget();

    const moved = await runLatchkey(['move', '--json'], { ...target, DATA_DIR: directory });

    expect(moved.errors).toContain('Moved ');
    expect(moved.code).toBe(0);
    const counted: { table: string; rows: number }[] = JSON.parse(moved.output);
    expect(counted).toContainEqual({ table: 'bookings', rows: 1 });
    const service = await openTestService(target, clock);
    expect(await isSignedIn(service, cookie)).toBe(true);
    const refreshed = bodyOf(await refresh(service, client, tokens.refresh_token));
    expect((await callMe(service, refreshed.access_token)).statusCode).toBe(200);
    const book = (start: string) =>
      callApi(service, 'POST', '/bookings', { body: { ...attendee, eventTypeId, start } });
    expect((await book(booking.start)).statusCode).toBe(409);
    const next = bodyOf(await book(nextSlot()), 201).data;
    expect(next.id).toBeGreaterThan(booking.id);
    await expect
      .poll(() => subscriber.events.map(({ payload }) => payload.uid))
      .toEqual([booking.uid, next.uid]);
    const constraints = await queryRows(
      target['DATABASE_URL'] ?? '',
      `select count(*) filter (where contype = 'f')::int > 30 as keys, count(*) filter (where not convalidated)::int as broken,
      (select count(*)::int from pg_trigger where tgenabled = 'D') as disabled from pg_constraint`,
    );
    expect(constraints).toEqual([{ keys: true, broken: 0, disabled: 0 }]);

    const again = await runLatchkey(['move'], { ...target, DATA_DIR: directory });
    expect(again).toMatchObject({ code: 1, output: '' });
    expect(again.errors).toMatch(/^The database of DATABASE_URL isn't empty: .*users/);
  },
);

const attendee = {
  attendee: { name: 'Dana', email: 'dana@example.com', timeZone: 'Europe/Berlin', language: 'en' },
};

test('`latchkey-server move` refuses what would lose something, and says what to do', patient, async () => {
  const directory = join(await makeFolder(), 'data');
  const embedded = await openEmbeddedService(directory);
  const database = await makeTarget();
  const run = async (changes: Readonly<Record<string, string>>) =>
    (await runLatchkey(['move'], { ...database, DATA_DIR: directory, ...changes })).errors;

  expect(await run({})).toMatch(/is in use by another process/);
  await embedded.close();
  expect(await run({ DATA_DIR: `${directory}/nowhere` })).toMatch(/^There is no database in DATA_DIR/);
  expect(await run({ SECRET: 'another-root-secret-0123456789abcdefghij' })).toMatch(
    /^SECRET is not that of DATA_DIR/,
  );
  expect(
    await queryRows(database['DATABASE_URL'] ?? '', "select 1 from pg_class where relname = 'users'"),
  ).toEqual([]);
});
