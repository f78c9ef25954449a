import { sql } from 'drizzle-orm';
import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { signingKeys } from '../../src/oauth/tables.ts';
import { loadParts } from '../../src/parts.ts';
import { reencryptAll } from '../../src/platform/reencryption/store.ts';
import { createSecrets } from '../../src/platform/secrets.ts';
import {
  decryptAccess,
  decryptCollection,
  encryptAccess,
  encryptCollection,
} from '../../src/scheduling/calendars/access.ts';
import { calendarEntries, calendars } from '../../src/scheduling/tables.ts';
import { openTestDatabase } from '../support/database.ts';
import { openAnotherInstance, openTestService } from '../support/service.ts';

const parts = await loadParts();

const database = await openTestDatabase();
afterAll(database.close);
const { db } = database;
const former = 'a former root secret of 32 bytes!';
const newest = 'the next root secret of 32 bytes!';
const config = readConfig({ SECRET: `${newest},${former}`, DATABASE_URL: database.url });
const app = { config, db, parts, secrets: createSecrets([newest, former]) };
const before = createSecrets([former]);
const after = createSecrets([newest]);
const lost = createSecrets(['a lost root secret, also 32 bytes']);

const access = { kind: 'ics_feed' as const, urls: ['https://feeds.example/ann.ics'] };
const collection = { url: 'https://dav.example/ann/', name: 'Ann', isReadOnly: false };
const createdAt = new Date('2026-01-01T00:00:00Z');

async function addRows(): Promise<void> {
  await db.execute(sql`insert into users (email, name, password_hash, created_at)
    select n || '@example.com', 'Ann', 'x', now() from generate_series(1, 600) n`);
  await db.insert(calendars).values(
    Array.from({ length: 600 }, (_, index) => ({
      userId: index + 1,
      kind: 'caldav' as const,
      name: 'Ann',
      encryptedAccess: encryptAccess(index === 599 ? lost : before, access),
      encryptedDestination: index === 0 ? encryptCollection(before, collection) : null,
      createdAt,
    })),
  );
  const encryptedCollection = encryptCollection(before, collection);
  await db.insert(calendarEntries).values(
    ['a', 'b'].map((icsUid) => ({
      ...{ userId: 1, icsUid, calendarId: 1, encryptedCollection },
      ...{ server: 'dav.example', changedAt: createdAt },
    })),
  );
}

test('calendars outlive a former SECRET, and what is lost stays as it is (contract §1)', async () => {
  await addRows();

  const first = await reencryptAll(app);
  const second = await reencryptAll(app);

  const stored = await db.select().from(calendars).orderBy(calendars.id);
  const entries = await db.select().from(calendarEntries);
  const readable = stored.filter(({ encryptedAccess }) => decryptAccess(after, encryptedAccess)?.kind);
  expect(first).toMatchObject({ unreadable: 1 });
  expect(first?.again).toBeGreaterThan(599);
  expect(second).toEqual({ again: 0, unreadable: 1 });
  expect(readable).toHaveLength(599);
  expect(decryptAccess(lost, stored[599]?.encryptedAccess ?? new Uint8Array())).toEqual(access);
  expect(
    [stored[0]?.encryptedDestination, ...entries.map((entry) => entry.encryptedCollection)].map(
      (encrypted) => encrypted && decryptCollection(after, encrypted),
    ),
  ).toEqual([collection, collection, collection]);
});

test('the service does so five minutes after its start, when the instances before it are gone (contract §1)', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const service = await openTestService({ SECRET: former });
  await service.database.db.execute(sql`insert into users (email, name, password_hash, created_at)
    values ('ann@example.com', 'Ann', 'x', now())`);
  const values = { userId: 1, kind: 'ics_feed' as const, name: 'Ann', createdAt };
  await service.database.db
    .insert(calendars)
    .values({ ...values, encryptedAccess: encryptAccess(before, access) });
  await service.close();
  await openAnotherInstance(service, { SECRET: `${newest},${former}` });
  const isMoved = async (): Promise<boolean> => {
    const [stored] = await service.database.db.select().from(calendars);
    return stored !== undefined && decryptAccess(after, stored.encryptedAccess) !== undefined;
  };

  vi.advanceTimersByTime(4 * 60_000);
  expect(await isMoved()).toBe(false);
  vi.advanceTimersByTime(60_000);

  await expect.poll(isMoved).toBe(true);
});

test('nothing is encrypted again where SECRET is one (contract §1)', async () => {
  const encryptedPrivateKey = before.encrypt('signing-key', new Uint8Array([1, 2, 3]));
  await db.insert(signingKeys).values({ id: 'a', publicJwk: {}, encryptedPrivateKey, activeAt: createdAt });

  await reencryptAll({ ...app, config: readConfig({ SECRET: newest, DATABASE_URL: database.url }) });

  const [key] = await db.select().from(signingKeys);
  expect(key && Buffer.from(key.encryptedPrivateKey)).toEqual(encryptedPrivateKey);
});

test('every encrypted column is known, but that of emails, which live for 30 days (contract §1)', async () => {
  const found = await db
    .select({ name: sql<string>`table_name || '.' || column_name` })
    .from(sql`information_schema.columns`)
    .where(sql`column_name like 'encrypted\\_%'`);

  expect(found.map(({ name }) => name).toSorted()).toEqual([
    'calendar_entries.encrypted_collection',
    'calendars.encrypted_access',
    'calendars.encrypted_destination',
    'id_token_keys.encrypted_private_key',
    'outbox.encrypted_link',
    'signing_keys.encrypted_private_key',
    'webhook_deliveries.encrypted_answer',
    'webhooks.encrypted_secret',
    'webhooks.encrypted_url',
  ]);
});
