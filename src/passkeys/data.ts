import type { AuditSentence } from '../platform/audit/actions.ts';
import type { PartData } from '../platform/parts.ts';
import { pastLife } from '../platform/retention/store.ts';
import { passkeyBelongings } from './store.ts';
import * as tables from './tables.ts';

const auditSentences = {
  'passkey.added': 'A passkey was added',
  'passkey.renamed': 'A passkey was renamed',
  'passkey.refused': 'A passkey was refused because it may have been copied',
  'recovery_codes.created': 'Recovery codes were created',
  'recovery_code.used': 'A recovery code was used',
} as const satisfies Readonly<Record<string, AuditSentence>>;

declare module '../platform/audit/actions.ts' {
  interface AuditActions extends Record<keyof typeof auditSentences, AuditSentence> {}
}

export const passkeysData = {
  tables: [tables],
  belongings: passkeyBelongings,
  expired: [pastLife(tables.spentChallenges.expiresAt)],
  auditSentences,
} as const satisfies PartData;
