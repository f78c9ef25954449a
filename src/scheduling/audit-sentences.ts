import type { AuditSentence } from '../platform/audit/actions.ts';

/** What is recorded in `scheduling/`. */
export const auditSentences = {
  'managed_user.created': '{name} created this account',
  'managed_user.changed': '{name} changed this account',
  'managed_user.deleted': '{name} deleted this account',
  'managed_user.tokens_replaced': '{name} replaced its tokens for this account',
  'calendar.connected': 'The calendar {name} was connected',
  'calendar.disconnected': 'The calendar {name} was disconnected',
  'calendar.destination_chosen': 'The calendar {name} was chosen for bookings',
  'calendar.destination_removed': 'Bookings are no longer written to the calendar {name}',
} as const satisfies Readonly<Record<string, AuditSentence>>;

declare module '../platform/audit/actions.ts' {
  interface AuditActions extends Record<keyof typeof auditSentences, AuditSentence> {}
}
