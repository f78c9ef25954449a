import type { PartData } from '../platform/parts.ts';
import { expiredPersonalTokens, personalTokenBelongings, tokenAudit } from './store.ts';
import * as tables from './tables.ts';

declare module '../platform/audit/actions.ts' {
  interface AuditActions extends Record<keyof typeof tokenAudit, unknown> {}
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
  auditSentences: tokenAudit,
} as const satisfies PartData;
