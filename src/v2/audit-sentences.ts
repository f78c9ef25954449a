import type { AuditSentence } from '../platform/audit/actions.ts';

export const auditSentences = {
  'profile.changed': '{name} changed your profile',
} as const satisfies Readonly<Record<string, AuditSentence>>;

declare module '../platform/audit/actions.ts' {
  interface AuditActions extends Record<keyof typeof auditSentences, AuditSentence> {}
}
