import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import { expect, onTestFinished, test } from 'vitest';
import { passkeys, sessions, users } from '../../src/accounts/tables.ts';
import { signingKeys } from '../../src/oauth/tables.ts';
import { recoveryCodes } from '../../src/passkeys/tables.ts';
import { auditEvents } from '../../src/platform/audit/tables.ts';
import { addToOutbox, claimMessages, emailQueues } from '../../src/platform/mail/store.ts';
import { makeFolder, onPostgres, repository, startServer } from '../start/server-process.ts';
import { isSignedIn } from '../support/accounts.ts';
import { addOnPage, codesOn, createAuthenticator, openSecondFactor } from '../support/authenticator.ts';
import { openEmptyDatabase, openTestDatabase } from '../support/database.ts';
import { anEmail } from '../support/email.ts';
import { addPlatformClient, makeManagedUser } from '../support/platform.ts';
import { queryRows } from '../support/query-rows.ts';
import { createTestClock, openTestService } from '../support/service.ts';
import { subjectsTo } from '../support/verification.ts';
import { addUser, signIn } from '../support/world.ts';
import { runHere, runLatchkey } from './command.ts';

const patient = { timeout: 90_000 } as const;
/** Commands have the real time: in another year, the service would clean up what they write. */
const service = await openTestService({}, createTestClock(new Date()));
const environment = onPostgres(service.database.url);
const { db } = service.database;

/** The last event about a person, by whom. */
async function lastEvent(userId: number) {
  const events = await db
    .select()
    .from(auditEvents)
    .where(eq(auditEvents.userId, userId))
    .orderBy(auditEvents.id);
  const { action, actorId, reason } = events.at(-1) ?? {};
  return { action, actorId, reason };
}

async function misuse(words: string): Promise<readonly [code: number | null, said: string]> {
  const { code, output, errors } = await runHere(words.split(' '), environment);
  return [code, output + errors];
}

test('`latchkey-server help` prints every command and ends with 0', patient, async () => {
  const { code, output } = await runLatchkey(['help'], {});

  expect(code).toBe(0);
  for (const name of ['migrate', 'keys rotate', 'users make-admin'])
    expect(output).toContain(`\n  latchkey-server ${name}`);
});

test.for(['keys', 'keys lists'])(
  '`latchkey-server %s` names the verbs of keys alone, and ends with 2',
  async (words) => {
    const [code, said] = await misuse(words);

    expect(code).toBe(2);
    expect(said).toMatch(/^keys needs one of list, rotate, delete\.\n\nUsage: latchkey-server keys list /);
    expect(said.match(/^Usage: latchkey-server (?!keys )/gm)).toBeNull();
  },
);

test.for(['--version', '-v'])(
  '`latchkey-server %s` prints the version of the package (operations)',
  async (words) => {
    const { version } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8'));

    expect(await misuse(words)).toEqual([0, `latchkey-server ${version}\n`]);
  },
);

test.for(['nonsense', 'migrated'])(
  '`latchkey-server %s` says that it is unknown, prints them, too, and ends with 2',
  async (words) => {
    const [, help] = await misuse('help');

    expect(await misuse(words)).toEqual([2, `Unknown command '${words}'.\n\n${help}`]);
  },
);

test.for([
  ['doctor --help', 'Usage: latchkey-server doctor [--json]\n'],
  ['users delete -h', 'Usage: latchkey-server users delete USER '],
  ['users --help', 'Usage: latchkey-server [COMMAND]\n'],
])('`latchkey-server %s` prints how it is used, and ends with 0', async ([words = '', usage]) => {
  const { code, output, errors } = await runHere(words.split(' '), {});

  expect([code, errors]).toEqual([0, '']);
  expect(output.startsWith(`${usage}`)).toBe(true);
});

test.for<[words: string, fault: string]>([
  ['keys list --verbose', "Unknown option '--verbose'.\n"],
  ['keys list more', 'takes options only'],
  ['users delete ann@example.com --yes=no', '--yes'],
  ['users delete --yes', 'Give USER'],
  ['export', '--user is missing'],
  ['export --user', 'user'],
])('`latchkey-server %s` says what is wrong and how it is used', async ([words, fault]) => {
  const [code, said] = await misuse(words);

  expect(code).toBe(2);
  expect(said).toContain(fault);
  expect(said).not.toMatch(/ERR_|positional/);
  expect(said).toContain(`\nUsage: latchkey-server ${words.split(' ').slice(0, 2).join(' ')} `);
});

test('a faulty configuration is said as the service says it', patient, async () => {
  const { code, errors } = await runHere(['keys', 'list'], {
    ...environment,
    PORT: 'x',
    DATABSE_URL: 'y',
  });

  expect(code).toBe(1);
  expect(errors).toMatch(/^The configuration has 2 faults:\n/);
});

test('migrate brings an empty database to this version; until then commands refuse', patient, async () => {
  const empty = await openEmptyDatabase();
  onTestFinished(empty.close);
  const own = onPostgres(empty.url);

  const before = await runHere(['keys', 'list'], own);
  const tablesBefore = await queryRows(empty.url, "select 1 from pg_tables where schemaname = 'public'");
  const migrated = await runLatchkey(['migrate'], own);
  const after = await runLatchkey(['keys', 'list', '--json'], own);

  expect(before).toMatchObject({
    code: 1,
    errors: expect.stringMatching(
      /is of no version, and lacks \d+ migrations of \d.*latchkey-server migrate/,
    ),
  });
  expect(tablesBefore).toEqual([]);
  expect(migrated).toMatchObject({ code: 0, errors: expect.stringContaining('"0000_first"') });
  expect(after).toEqual({ code: 0, output: '[]\n', errors: '' });
});

test(
  'keys are listed and rotated: the next one in a day, or one now, after a question',
  patient,
  async () => {
    const own = await openTestDatabase();
    onTestFinished(own.close);
    const there = onPostgres(own.url);
    const list = async () => JSON.parse((await runHere(['keys', 'list', '--json'], there)).output);

    const first = await runHere(['keys', 'rotate', '--now', '--yes'], there);
    const next = await runHere(['keys', 'rotate'], there);
    const again = await runHere(['keys', 'rotate'], there);
    const refused = await runHere(['keys', 'rotate', '--now'], there, { input: 'n\n' });
    const before = await list();
    const now = await runLatchkey(['keys', 'rotate', '--now'], there, { input: 'y\n' });

    expect([first, next, again, refused, now].map(({ code }) => code)).toEqual([0, 0, 0, 1, 0]);
    expect(again.output).toBe(next.output);
    expect(refused.errors).toContain('Nothing was changed');
    expect(before.map((key: { state: string }) => key.state)).toEqual(['active', 'next']);
    expect(await list()).toMatchObject([
      { state: 'retiring', isReadable: true },
      { state: 'active', isReadable: true },
      { state: 'next', isReadable: true },
    ]);
    const recorded = await queryRows(
      own.url,
      "select actor_id from audit_events where action = 'key.created'",
    );
    expect(recorded).toEqual([{ actor_id: null }, { actor_id: null }, { actor_id: null }]);
  },
);

test('a key’s id that begins with a dash is no option', patient, async () => {
  const own = await openTestService();

  const there = onPostgres(own.database.url);

  const one = await runHere(['keys', 'delete', '-x7_kDq0', '--yes'], there);
  const two = await runHere(['keys', 'delete', '--8a-Zq', '--yes'], there);
  const unknown = await runHere(['keys', 'delete', 'some', '--jes'], there);

  for (const { code, errors } of [one, two])
    expect([code, errors]).toEqual([1, expect.stringContaining('There is no such key')]);
  expect([unknown.code, unknown.errors]).toEqual([2, expect.stringContaining("Unknown option '--jes'")]);
});

test(
  'keys that leaked are deleted, one or all, recorded, and a running service makes others',
  patient,
  async () => {
    const own = await openTestService();
    const there = onPostgres(own.database.url);
    const list = async (): Promise<readonly { readonly id: string }[]> =>
      JSON.parse((await runHere(['keys', 'list', '--json'], there)).output);
    const [leaked] = await list();

    const wrong = await runHere(['keys', 'delete', 'none', '--yes'], there);
    const unanswered = await runHere(['keys', 'delete', leaked?.id ?? ''], there, { input: 'n\n' });
    const deleted = await runHere(['keys', 'delete', leaked?.id ?? '', '--yes'], there);
    const after = await list();
    await own.app.keys.renew();
    const made = await list();
    const all = await runHere(['keys', 'delete', 'all', '--yes'], there);

    expect([wrong, unanswered, deleted, all].map(({ code }) => code)).toEqual([1, 1, 0, 0]);
    expect(wrong.errors).toContain('There is no such key');
    expect(after).not.toContainEqual(leaked);
    expect(made).toHaveLength(1);
    expect(await list()).toEqual([]);
    const recorded = "select object_id from audit_events where action = 'key.deleted' order by id";
    expect(await queryRows(own.database.url, recorded)).toEqual(
      [leaked, made[0]].map((key) => ({ object_id: key?.id })),
    );
  },
);

test(
  'emails that wait are dropped after a question, without the one that is being sent',
  patient,
  async () => {
    const own = await openTestDatabase();
    onTestFinished(own.close);
    const there = onPostgres(own.url);
    const now = new Date();
    const emails = Array.from({ length: 1200 }, () => anEmail());
    await addToOutbox(own.db, emails, now);
    const claim = { now, leaseUntil: new Date(now.getTime() + 120_000), count: 1 };
    const [inHand] = await claimMessages(own.db, emailQueues, claim);

    const unanswered = await runHere(['emails', 'discard'], there, { input: 'n\n' });
    const dropped = await runHere(['emails', 'discard', '--yes'], there);

    expect([unanswered.code, dropped.code]).toEqual([1, 0]);
    expect(dropped.output).toBe('Dropped 1199 emails.\n');
    expect(await queryRows(own.url, 'select id from outbox')).toEqual([{ id: inHand?.id }]);
  },
);

test('before the first start there are no keys, and the first one signs immediately', patient, async () => {
  const own = await openTestDatabase();
  onTestFinished(own.close);
  const there = onPostgres(own.url);

  const none = await runHere(['keys', 'list'], there);
  const rotated = await runHere(['keys', 'rotate'], there);
  const { output } = await runHere(['keys', 'list', '--json'], there);

  expect(none).toEqual({ code: 0, output: '', errors: 'There are none yet; a start makes them.\n' });
  const [{ id, state, activeAt }] = JSON.parse(output);
  expect(state).toBe('active');
  expect(Date.parse(activeAt)).toBeLessThanOrEqual(Date.now());
  expect(rotated.output).toBe(`Key ${id} signs from ${activeAt}.\n`);
});

test('a key that was rotated in signs for a running service once it renews', patient, async () => {
  await runHere(['keys', 'rotate'], environment);

  await service.app.keys.renew();

  const published = service.app.keys.jwks().keys.map(({ kid }) => kid);
  const stored = await db.select({ id: signingKeys.id }).from(signingKeys);
  expect(published.toSorted()).toEqual(stored.map(({ id }) => id).toSorted());
});

test(
  'the keys of ID tokens are listed and rotated with the others, once there are any',
  patient,
  async () => {
    const own = await openTestService();
    const there = onPostgres(own.database.url);
    await own.app.keys.fill();

    const rotated = await runHere(['keys', 'rotate', '--now', '--yes'], there);
    const { output } = await runHere(['keys', 'list', '--json'], there);

    const rows: readonly { readonly id: string; readonly algorithm: string }[] = JSON.parse(output);
    expect(rows.map(({ algorithm }) => algorithm).toSorted()).toEqual(['ES256', 'ES256', 'RS256', 'RS256']);
    const said = rotated.output.trim().split('\n');
    expect(said).toHaveLength(2);
    for (const line of said)
      expect(rows.map(({ id }) => id)).toContain(/^Key (\S+) signs now/.exec(line)?.[1]);
  },
);

test('an account is made an admin, which is recorded as the work of no person', patient, async () => {
  const person = await addUser(service);
  const cookie = await signIn(service, person);
  const row = async () => (await db.select().from(users).where(eq(users.id, person.id)))[0];
  const makeAdmin = () => runHere(['users', 'make-admin', person.email.toUpperCase(), '--yes'], environment);
  await db.update(users).set({ suspendedAt: new Date() }).where(eq(users.id, person.id));

  const suspended = await makeAdmin();
  await db.update(users).set({ suspendedAt: null }).where(eq(users.id, person.id));
  const promoted = await makeAdmin();

  expect([suspended.code, suspended.errors]).toEqual([
    1,
    `${person.email} is suspended. An admin restores it first.\n`,
  ]);
  expect(promoted.code).toBe(0);
  expect(await row()).toMatchObject({ isAdmin: true });
  expect(await isSignedIn(service, cookie)).toBe(false);
  expect(await lastEvent(person.id)).toMatchObject({ action: 'user.promoted', actorId: null });
});

test(
  'passkeys and recovery codes that someone has lost are removed, with every session, and the person hears of it (security C250)',
  patient,
  async () => {
    const person = await addUser(service);
    const own = await signIn(service, person);
    const added = await addOnPage(service, own, createAuthenticator(service));
    const asked = await openSecondFactor(service, person);
    const words = ['users', 'remove-passkeys', person.email];

    const unanswered = await runHere(words, environment);
    const removed = await runHere([...words, '--yes'], { ...environment, PARTS: 'all,-passkeys' });
    const again = await runHere([...words, '--yes'], environment);
    const tables = [passkeys, recoveryCodes, sessions] as const;
    const left = await Promise.all(tables.map((table) => db.$count(table, eq(table.userId, person.id))));

    expect(codesOn(added)).toHaveLength(10);
    expect(asked.page.statusCode).toBe(200);
    expect([unanswered, removed, again].map(({ code }) => code)).toEqual([1, 0, 1]);
    expect(again.errors).toBe(`${person.email} has no passkeys.\n`);
    expect(left).toEqual([0, 0, 0]);
    expect(await lastEvent(person.id)).toMatchObject({ action: 'passkey.removed', actorId: null });
    expect(await isSignedIn(service, await signIn(service, person))).toBe(true);
    expect(await subjectsTo(service, person.email)).toContain('Your passkeys were removed');
  },
);

test('a step that changes nothing says why, about whom', patient, async () => {
  const person = await addUser(service);
  const managed = (await makeManagedUser(service, await addPlatformClient(service))).json().data.user;
  const said = async (...words: string[]) => {
    const { code, output, errors } = await runHere(['users', ...words], environment);
    return [code, output + errors];
  };
  await said('make-admin', person.email, '--yes');

  expect(await said('make-admin', person.email)).toEqual([1, `${person.email} is already an admin.\n`]);
  expect(await said('make-admin', String(managed.id), '--yes')).toEqual([
    1,
    `An app manages ${managed.email}.\n`,
  ]);
});

test(
  'an account is deleted with an email, once, and recorded as the work of no person',
  patient,
  async () => {
    const person = await addUser(service);
    const words = ['users', 'delete', person.email, '--yes'];

    const answers = [await runLatchkey(words, environment), await runHere(words, environment)];

    expect(answers).toMatchObject([
      { code: 0, output: `${person.email} is deleted.\n` },
      { code: 1, errors: expect.stringContaining('deleted before') },
    ]);
    expect(await lastEvent(person.id)).toMatchObject({ action: 'user.deleted', actorId: null });
    expect(await subjectsTo(service, person.email)).toEqual(['Your account was deleted']);
  },
);

test('nobody becomes an admin with an address that must be verified and is not', patient, async () => {
  const stranger = await addUser(service, { isVerified: false });
  const mail = { SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'no-reply@cal.example' };
  const words = ['users', 'make-admin', stranger.email];

  const required = await runHere([...words, '--yes'], { ...environment, ...mail });
  const asked = await runHere(words, environment);

  expect(required).toMatchObject({ code: 1, errors: expect.stringContaining('has to verify') });
  expect(asked).toMatchObject({ code: 1, errors: expect.stringContaining('Nobody has shown') });
});

test('with the embedded database, commands want the service to be stopped, and a database to be there', {
  timeout: 120_000,
}, async () => {
  const folder = await makeFolder();
  const nowhere = await runHere(['keys', 'list'], { DATA_DIR: `${folder}/data` });
  const server = startServer({ folder });
  await server.listening();

  const refused = await runLatchkey(['keys', 'list'], {}, { folder });
  server.signal('SIGTERM');
  await server.ended;
  const listed = await runLatchkey(['keys', 'list', '--json'], {}, { folder });

  expect(nowhere).toMatchObject({
    code: 1,
    errors: expect.stringContaining('There is no database in DATA_DIR'),
  });
  expect(refused).toMatchObject({ code: 1, errors: expect.stringContaining('Stop the service') });
  expect(JSON.parse(listed.output)).toMatchObject([{ state: 'active', isReadable: true }]);
});

test('a database that is away ends a command with words, without address or password', patient, async () => {
  const { code, errors } = await runLatchkey(
    ['keys', 'list'],
    onPostgres('postgres://latchkey:of-mine@127.0.0.1:9/x'),
  );

  expect(code).toBe(1);
  expect(errors).toMatch(/^The command failed: .*ECONNREFUSED/);
  expect(errors).not.toContain('of-mine');
});
