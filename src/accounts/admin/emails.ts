import type { Email } from '../../platform/mail/email.ts';

/** Footers of the account's own emails say "sign in", which doesn't work now. */
const footer = 'You get this email because of your Latchkey account.';

export function suspensionEmail(reason: string): Email {
  return {
    subject: 'Your account was suspended',
    text: [
      'An admin suspended your Latchkey account. You can’t sign in, apps lost their access to it, and your own apps and booking pages don’t work. The admin’s reason:',
    ],
    quote: reason,
    advice: ['If you think this is a mistake, contact the people who run this service.'],
    footer,
  };
}

export function restorationEmail(appUrl: string): Email {
  return {
    subject: 'Your account was restored',
    text: [
      'You can sign in again, and your booking pages and event types work. Apps that had access need your approval again, and your own apps need to be resubmitted.',
    ],
    button: { words: 'Sign in', address: `${appUrl}/signin` },
    footer,
  };
}
