import type { Email } from '../../platform/mail/email.ts';

export function resetEmail(address: string): Email {
  return {
    subject: 'Reset your password',
    blocks: [
      { kind: 'text', text: 'Someone asked to reset the password of your Latchkey account.' },
      { kind: 'private_link', words: 'Choose a new password', address, saysWhenSent: true },
      {
        kind: 'text',
        text: "The link works once, for 30 minutes. If you didn't ask for it, ignore this email: your password stays the same.",
      },
    ],
  };
}

export function passwordChangedEmail(appUrl: string): Email {
  return {
    subject: 'Your password was changed',
    blocks: [
      {
        kind: 'text',
        text: 'The password of your Latchkey account was changed, and you were signed out everywhere else.',
      },
      { kind: 'text', text: "If this was you, no action is needed. If it wasn't, reset your password now." },
      { kind: 'link', words: 'Reset password', address: `${appUrl}/forgot` },
    ],
  };
}
