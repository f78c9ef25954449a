import { sql } from 'drizzle-orm';
import { afterAll, expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { loadParts } from '../../src/parts.ts';
import { reencryptAll } from '../../src/platform/reencryption/store.ts';
import { createSecrets } from '../../src/platform/secrets.ts';
import { webhookDeliveries, webhookEvents, webhooks } from '../../src/webhooks/tables.ts';
import { decryptWebhookUrl, webhookAnswers, webhookSecrets } from '../../src/webhooks/webhook.ts';
import { openTestDatabase } from '../support/database.ts';
import { readTables } from '../support/database-content.ts';

const database = await openTestDatabase();
afterAll(database.close);
const { db } = database;
const former = 'a former root secret of 32 bytes!';
const newest = 'the next root secret of 32 bytes!';
const config = readConfig({ SECRET: `${newest},${former}`, DATABASE_URL: database.url });
const app = { config, db, parts: await loadParts(), secrets: createSecrets([newest, former]) };
const [before, after] = [createSecrets([former]), createSecrets([newest])];
const createdAt = new Date('2026-01-01T00:00:00Z');

await db.execute(sql`
  insert into users (email, name, password_hash, created_at) values ('ann@example.com', 'Ann', 'x', now())`);

async function addWebhook(): Promise<void> {
  await db.insert(webhooks).values({
    ...{ id: '6a1f2b3c-0000-4000-8000-000000000001', userId: 1, subscriberUrl: 'https://hooks.example/' },
    ...{
      triggers: ['BOOKING_CREATED'],
      encryptedSecret: webhookSecrets.encrypt(before, 'whsec_x'),
      createdAt,
    },
  });
}

test('webhooks outlive a former SECRET (contract §1)', async () => {
  await addWebhook();

  await reencryptAll(app);

  const [webhook] = await db.select().from(webhooks);
  expect(webhook && webhookSecrets.decrypt(after, webhook.encryptedSecret)).toBe('whsec_x');
});

test('the address of a webhook that a former version kept in the clear is encrypted, and its origin left (security C214)', async () => {
  const url = 'https://hooks.example/T0/canary?key=canary';
  await db.delete(webhooks);
  await addWebhook();
  await db.update(webhooks).set({ subscriberUrl: url });

  await reencryptAll({ ...app, config: readConfig({ SECRET: newest, DATABASE_URL: database.url }) });

  const [stored] = await db.select().from(webhooks);
  expect(stored?.subscriberUrl).toBe('https://hooks.example');
  expect(stored && decryptWebhookUrl(after, stored)).toBe(url);
  expect(Buffer.from(stored?.encryptedUrl ?? []).includes('canary')).toBe(false);
});

test('so is how a webhook’s answer began, and nothing where there was none (security C333)', async () => {
  await db.delete(webhooks);
  await addWebhook();
  const [event] = await db
    .insert(webhookEvents)
    .values({ trigger: 'PING', body: '{}', createdAt })
    .returning();
  const answer = 'POST /T0/canary?key=canary: no such hook';
  const delivery = {
    ...{ webhookId: '6a1f2b3c-0000-4000-8000-000000000001', eventId: event?.id ?? '', topic: 'a' },
    ...{ createdAt, dueAt: createdAt, giveUpAt: createdAt },
  };
  await db.insert(webhookDeliveries).values([{ ...delivery, answer }, delivery]);

  await reencryptAll({ ...app, config: readConfig({ SECRET: newest, DATABASE_URL: database.url }) });

  const stored = await db.select().from(webhookDeliveries).orderBy(webhookDeliveries.id);
  const answers = stored.map(
    ({ encryptedAnswer }) => encryptedAnswer && webhookAnswers.decrypt(after, encryptedAnswer),
  );
  expect(answers).toEqual([answer, null]);
  expect(JSON.stringify(await readTables(database))).not.toContain('canary');
});
