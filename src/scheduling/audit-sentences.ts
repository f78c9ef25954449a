import type { AuditSentence } from '../platform/audit/actions.ts';

export const auditSentences = {
  'calendar.connected': 'The calendar {name} was connected',
  'calendar.disconnected': 'The calendar {name} was disconnected',
  'calendar.destination_chosen': 'The calendar {name} was chosen for bookings',
  'calendar.destination_removed': 'Bookings are no longer written to the calendar {name}',
} as const satisfies Readonly<Record<string, AuditSentence>>;

declare module '../platform/audit/actions.ts' {
  interface AuditActions extends Record<keyof typeof auditSentences, AuditSentence> {}
}
