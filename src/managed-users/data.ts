import type { AuditSentence } from '../platform/audit/actions.ts';
import type { PartData } from '../platform/parts.ts';
import { managedUsersLeaving } from './store.ts';

const auditSentences = {
  'managed_user.created': '{name} created this account',
  'managed_user.changed': '{name} changed this account',
  'managed_user.deleted': '{name} deleted this account',
  'managed_user.tokens_replaced': '{name} replaced its tokens for this account',
} as const satisfies Readonly<Record<string, AuditSentence>>;

declare module '../platform/audit/actions.ts' {
  interface AuditActions extends Record<keyof typeof auditSentences, AuditSentence> {}
}

export const managedUsersData = { leaving: managedUsersLeaving, auditSentences } as const satisfies PartData;
