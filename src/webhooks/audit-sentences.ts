import type { AuditSentence } from '../platform/audit/actions.ts';

export const auditSentences = {
  'webhook.created': 'A webhook to {name} was created',
  'webhook.changed': 'A webhook to {name} was changed',
  'webhook.deleted': 'A webhook to {name} was deleted',
} as const satisfies Readonly<Record<string, AuditSentence>>;

declare module '../platform/audit/actions.ts' {
  interface AuditActions extends Record<keyof typeof auditSentences, AuditSentence> {}
}
