import type { AuditSentence } from '../platform/audit/actions.ts';
import type { PartData } from '../platform/parts.ts';
import { expiredPersonalTokens, personalTokenBelongings } from './store.ts';
import * as tables from './tables.ts';

const auditSentences = {
  'personal_token.created': 'The personal token {name} was created',
  'personal_token.deleted': 'The personal token {name} was deleted',
} as const satisfies Readonly<Record<string, AuditSentence>>;

declare module '../platform/audit/actions.ts' {
  interface AuditActions extends Record<keyof typeof auditSentences, AuditSentence> {}
}

export const tokensData = {
  tables: [tables],
  belongings: personalTokenBelongings,
  atReset: {
    kept: 'personal tokens',
    ended: 'your personal tokens end',
    unproven: 'personal tokens',
  },
  expired: [expiredPersonalTokens],
  auditSentences,
} as const satisfies PartData;
