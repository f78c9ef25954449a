import type { Message } from '../../core/news.ts';

/** How the booking stands in the recipient's calendar after the letter: `cancelled` takes it out. */
export type EntryState = 'confirmed' | 'tentative' | 'cancelled';

export interface MessageWords {
  /** How the subject begins. */
  readonly subject: string;
  /** Before what, when and with whom. */
  readonly sentence: string;
  readonly entry: EntryState;
  /** What is said before the name of whoever did it, where the sentence leaves that open. */
  readonly doer?: string;
}

/** What each message says, and what it does in a calendar. */
export const messages = {
  booked: { subject: 'Booked', sentence: 'This is booked:', entry: 'confirmed' },
  requested: {
    subject: 'To be confirmed',
    sentence: 'This waits until the host has confirmed it:',
    entry: 'tentative',
  },
  to_confirm: {
    subject: 'To be confirmed',
    sentence: 'Somebody asks for this time. Please confirm or decline it:',
    entry: 'tentative',
  },
  moved: {
    subject: 'Moved',
    sentence: 'This was moved. The new time:',
    entry: 'confirmed',
    doer: 'Moved by',
  },
  moved_and_confirmed: {
    subject: 'Moved and confirmed',
    sentence: 'This was moved, and is confirmed. The new time:',
    entry: 'confirmed',
    doer: 'Moved by',
  },
  move_requested: {
    subject: 'Move to be confirmed',
    sentence:
      'This was moved. The new time waits until the host has confirmed it; the former one is given up:',
    entry: 'tentative',
  },
  move_to_confirm: {
    subject: 'Move to be confirmed',
    sentence:
      'Whoever booked this has moved it. Please confirm or decline the new time; the former one is free again:',
    entry: 'tentative',
  },
  no_longer_then: {
    subject: 'No longer at this time',
    sentence:
      'This does not take place at this time any more. Another time waits to be confirmed; if it is, you get an e-mail with it.',
    entry: 'cancelled',
    doer: 'Moved by',
  },
  confirmed: { subject: 'Confirmed', sentence: 'This was confirmed:', entry: 'confirmed' },
  declined: { subject: 'Declined', sentence: 'This was declined:', entry: 'cancelled' },
  cancelled: {
    subject: 'Cancelled',
    sentence: 'This was cancelled:',
    entry: 'cancelled',
    doer: 'Cancelled by',
  },
  handed_over: { subject: 'Another host', sentence: 'This has another host now:', entry: 'confirmed' },
  handed_over_to_confirm: {
    subject: 'Another host',
    sentence: 'This has another host now, and waits until that host has confirmed it:',
    entry: 'tentative',
  },
  given: { subject: 'Yours now', sentence: 'You are the host of this now:', entry: 'confirmed' },
  given_to_confirm: {
    subject: 'To be confirmed',
    sentence: 'You are the host of this now. Please confirm or decline it:',
    entry: 'tentative',
  },
  taken_over: {
    subject: 'Another host',
    sentence: 'Another host has taken this over from you:',
    entry: 'cancelled',
  },
} as const satisfies Record<Message, MessageWords>;
