import type { PartData } from '../platform/parts.ts';
import { managedAudit, managedUsersLeaving } from './store.ts';

declare module '../platform/audit/actions.ts' {
  interface AuditActions extends Record<keyof typeof managedAudit, unknown> {}
}

export const managedUsersData = {
  leaving: managedUsersLeaving,
  auditSentences: managedAudit,
} as const satisfies PartData;
