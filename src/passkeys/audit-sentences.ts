import type { AuditSentence } from '../platform/audit/actions.ts';

export const auditSentences = {
  'passkey.added': 'A passkey was added',
  'passkey.renamed': 'A passkey was renamed',
  'passkey.refused': 'A passkey was refused because it may have been copied',
  'recovery_codes.created': 'Recovery codes were created',
  'recovery_code.used': 'A recovery code was used',
} as const satisfies Readonly<Record<string, AuditSentence>>;

declare module '../platform/audit/actions.ts' {
  interface AuditActions extends Record<keyof typeof auditSentences, AuditSentence> {}
}
