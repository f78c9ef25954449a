import type { Email } from '../../platform/mail/email.ts';

export function resetEmail(address: string): Email {
  return {
    subject: 'Reset your password',
    text: ['Someone asked to reset the password of your Latchkey account.'],
    button: { words: 'Choose a new password', address, isPrivate: true, saysWhenSent: true },
    advice: [
      'The link works once, for 30 minutes. If you didn’t ask for it, ignore this email: your password stays the same.',
    ],
  };
}

export function passwordChangedEmail(appUrl: string): Email {
  return {
    subject: 'Your password was changed',
    text: [
      'The password of your Latchkey account was changed, and you were signed out everywhere else.',
      'If this was you, no action is needed. If it wasn’t, reset your password now.',
    ],
    button: { words: 'Reset password', address: `${appUrl}/forgot` },
  };
}
