import { eq, or } from 'drizzle-orm';
import { clients } from '../oauth/tables.ts';
import { type Belonging, deleteOf, rowsOf } from '../platform/belongings.ts';
import { isAmong } from '../platform/database.ts';
import { turnOffWebhooks } from './store.ts';
import { webhooks } from './tables.ts';

export const webhookBelongings: readonly Belonging[] = [
  {
    table: webhooks,
    of: [webhooks.userId, webhooks.makerId],
    onProof: deleteOf(webhooks, webhooks.userId, webhooks.makerId),
    onReset: turnOffWebhooks, // protects: C204
    onDeletion: deleteOf(webhooks, webhooks.userId), // protects: C92
    exported: (db, { id }) => {
      const own = db.select({ id: clients.id }).from(clients).where(eq(clients.ownerId, id));
      return [rowsOf(webhooks, or(eq(webhooks.userId, id), isAmong(webhooks.clientId, own)))];
    },
  },
];
