import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { systemContext } from '../../src/platform/audit/context.ts';
import { bookingTriggers } from '../../src/v2/booking-events.ts';
import { addEvent } from '../../src/webhooks/events/store.ts';
import { createWebhook } from '../../src/webhooks/store.ts';
import { webhookDeliveries, webhookEvents, webhooks } from '../../src/webhooks/tables.ts';
import { encryptWebhookUrl, webhookAnswers, webhookSecrets } from '../../src/webhooks/webhook.ts';
import type { Kit } from '../support/kits.ts';
import type { TestService } from '../support/service.ts';
import type { TestUser } from '../support/world.ts';

/** Adds a webhook that is retried, with a log of all outcomes, and one that was turned off. */
async function addFailingWebhooks({ clock, database: { db }, rootSecret }: TestService, user: TestUser) {
  const now = clock.now();
  const add = async (address: string, changes: Partial<typeof webhooks.$inferInsert>): Promise<string> => {
    const values = {
      ...{ id: randomUUID(), subscriberUrl: address, triggers: [...bookingTriggers], active: true },
      encryptedSecret: webhookSecrets.encrypt(rootSecret, 'a-secret'),
    };
    const caller = { owner: { userId: user.id }, maker: undefined, by: systemContext(now) };
    await createWebhook(db, caller, values);
    await db.update(webhooks).set(changes).where(eq(webhooks.id, values.id));
    return values.id;
  };
  const failing = await add(
    'https://automation.a-company-with-a-long-name.example/v1/hooks/catch/1234567/abcdefg/?workspace=garden',
    { failingSince: now },
  );
  const off = await add('https://app.example/hook', { active: false, disabledAt: now });
  for (const trigger of [...bookingTriggers, 'PING'] as const)
    await addEvent(db, { trigger, topic: trigger, payload: {} }, [failing], now);
  const log = await db.select().from(webhookDeliveries).where(eq(webhookDeliveries.webhookId, failing));
  const states = [
    { status: 200, durationMs: 87, attempts: 1, settledAt: now, outcome: 'delivered' },
    { status: 503, durationMs: 9876, attempts: 30, settledAt: now, outcome: 'failed' },
    { failure: 'timed_out', durationMs: 10_003, attempts: 29, settledAt: now, outcome: 'failed' },
    { failure: 'address_not_public', durationMs: 3, attempts: 4, dueAt: new Date('2099-01-01') },
    { settledAt: now, outcome: 'dropped' },
  ] as const;
  for (const [index, { id }] of log.entries()) {
    const state = states[index % states.length];
    if (state !== undefined)
      await db.update(webhookDeliveries).set(state).where(eq(webhookDeliveries.id, id));
  }
  return { failing: `/settings/webhooks/${failing}`, off: `/settings/webhooks/${off}` };
}

export const kit: Kit = {
  fail: addFailingWebhooks,

  async fill({ database: { db }, rootSecret: secrets }, { id: userId }, createdAt) {
    const hook = { ...encryptWebhookUrl(secrets, 'https://hooks.example/a'), triggers: [], createdAt };
    const encryptedSecret = webhookSecrets.encrypt(secrets, 'whsec_x');
    const webhookId = randomUUID();
    await db.insert(webhooks).values({ id: webhookId, userId, makerId: userId, ...hook, encryptedSecret });
    const ping = { trigger: 'PING', body: '{}', createdAt } as const;
    const [event] = await db.insert(webhookEvents).values(ping).returning();
    const times = { createdAt, dueAt: createdAt, giveUpAt: createdAt, settledAt: createdAt };
    const encryptedAnswer = webhookAnswers.encrypt(secrets, 'https://hooks.example/a');
    await db
      .insert(webhookDeliveries)
      .values({ ...times, webhookId, eventId: event?.id ?? '', topic: 'ping', encryptedAnswer });
  },
};
