import type { PartData } from '../platform/parts.ts';
import { pastLife } from '../platform/retention/store.ts';
import { accessListener } from './events/store.ts';
import { webhookAudit, webhookBelongings } from './store.ts';
import * as tables from './tables.ts';
import { deliveryKeptDays, webhookAnswers, webhookSecrets, webhookUrls } from './webhook.ts';

const { webhookDeliveries, webhookEvents, webhooks } = tables;

declare module '../platform/audit/actions.ts' {
  interface AuditActions extends Record<keyof typeof webhookAudit, unknown> {}
}

export const webhooksData = {
  tables: [tables],
  belongings: webhookBelongings,
  atReset: { kept: 'webhooks', ended: 'webhooks are turned off', unproven: 'webhooks' },
  // Deliveries are deleted with their events; what waits is given up long before.
  expired: [pastLife(webhookEvents.createdAt, deliveryKeptDays)],
  encrypted: [
    { column: webhooks.encryptedSecret, key: webhooks.id, purpose: webhookSecrets.purpose },
    {
      column: webhooks.encryptedUrl,
      key: webhooks.id,
      purpose: webhookUrls.purpose,
      inClear: { column: webhooks.subscriberUrl, left: (url) => new URL(url).origin },
    },
    {
      column: webhookDeliveries.encryptedAnswer,
      key: webhookDeliveries.id,
      purpose: webhookAnswers.purpose,
      inClear: { column: webhookDeliveries.answer, left: () => null },
    },
  ],
  // What apps wait for since they were left out is sent when they are back, if soon.
  accessListener,
  auditSentences: webhookAudit,
} as const satisfies PartData;
