import type { PartData } from '../platform/parts.ts';
import { pastLife } from '../platform/retention/store.ts';
import { passkeyAudit, passkeyBelongings } from './store.ts';
import * as tables from './tables.ts';

declare module '../platform/audit/actions.ts' {
  interface AuditActions extends Record<keyof typeof passkeyAudit, unknown> {}
}

export const passkeysData = {
  tables: [tables],
  belongings: passkeyBelongings,
  expired: [pastLife(tables.spentChallenges.expiresAt)],
  auditSentences: passkeyAudit,
} as const satisfies PartData;
