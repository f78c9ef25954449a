import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { addEvent } from '../../src/webhooks/events/store.ts';
import { webhooks } from '../../src/webhooks/tables.ts';
import { openTestService } from '../support/service.ts';
import { addUser } from '../support/world.ts';

const service = await openTestService({ METRICS_PORT: '0' });

async function scrape(): Promise<string> {
  const [, port] = /"port":(\d+)\},"msg":"metrics are served"/.exec(service.logText()) ?? [];
  return (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
}

test('/metrics says how many events wait to be sent', async () => {
  const { db } = service.database;
  const { id: userId } = await addUser(service);
  const [id, subscriberUrl] = [randomUUID(), 'https://app.example/'];
  const encryptedSecret = new Uint8Array(8);
  const now = service.clock.now();
  await db
    .insert(webhooks)
    .values({ id, userId, subscriberUrl, triggers: [], encryptedSecret, active: false, createdAt: now });
  await addEvent(db, { trigger: 'PING', topic: 'a test', payload: {} }, [id], now);

  expect(await scrape()).toContain('latchkey_webhook_deliveries_waiting 1\n');

  await db.delete(webhooks).where(eq(webhooks.id, id));
  expect(await scrape()).toContain('latchkey_webhook_deliveries_waiting 0\n');
});
