import type { AuditSentence } from '../platform/audit/actions.ts';

export const auditSentences = {
  'personal_token.created': 'The personal token {name} was created',
  'personal_token.deleted': 'The personal token {name} was deleted',
} as const satisfies Readonly<Record<string, AuditSentence>>;

declare module '../platform/audit/actions.ts' {
  interface AuditActions extends Record<keyof typeof auditSentences, AuditSentence> {}
}
