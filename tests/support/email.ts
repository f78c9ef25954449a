import { randomUUID } from 'node:crypto';
import { priorities, type RenderedEmail } from '../../src/platform/mail/email.ts';

/** An email as it waits in the outbox. */
export const anEmail = (changes: Partial<RenderedEmail> = {}): RenderedEmail => ({
  id: randomUUID(),
  recipient: 'ann@example.com',
  subject: 'Booked',
  text: 'x',
  html: 'x',
  encryptedLink: null,
  calendarEntry: null,
  replyTo: null,
  priority: priorities.ordinary,
  thread: null,
  ...changes,
});
