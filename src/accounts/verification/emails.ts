import type { Email } from '../../platform/mail/email.ts';

const strangerFooter = 'You get this email because someone entered your address on Latchkey.';

/** To an address that may be a stranger's. */
export function verificationEmail(address: string): Email {
  return {
    subject: 'Verify your email address',
    text: ['Someone uses this email address for a Latchkey account. If it was you:'],
    button: { words: 'Verify email address', address, isPrivate: true, saysWhenSent: true },
    advice: [
      'The link works once, for 24 hours. If it wasn’t you, ignore this email: the account can’t do anything with your address.',
    ],
    footer: strangerFooter,
  };
}

export function addressTakenEmail(appUrl: string): Email {
  return {
    subject: 'You already have an account',
    text: [
      'Someone tried to sign up with your email address. You already have a Latchkey account with it.',
      'If this was you, sign in, or reset your password. If it wasn’t, no action is needed: nothing was changed.',
    ],
    button: { words: 'Sign in', address: `${appUrl}/signin` },
    links: [{ words: 'Reset password', address: `${appUrl}/forgot` }],
  };
}

/** The account may be a stranger's: its address has an owner, who can have it. */
export function addressUnverifiedEmail(appUrl: string): Email {
  return {
    subject: 'Your email address already has an account',
    text: [
      'Someone tried to sign up with your email address. It already has a Latchkey account, which was never verified.',
      'To use that account, reset its password: this verifies your address and signs everyone else out. If you didn’t sign up, no action is needed.',
    ],
    button: { words: 'Reset password', address: `${appUrl}/forgot` },
    footer: strangerFooter,
  };
}

/** To the address that an account is changed to, which may be a stranger's. */
export function newAddressEmail(address: string): Email {
  return {
    subject: 'Confirm your new email address',
    text: ['Someone wants to use this email address for their Latchkey account. If it was you:'],
    button: { words: 'Change email address', address, isPrivate: true, saysWhenSent: true },
    advice: [
      'The link works once, for 24 hours, where you’re signed in. If it wasn’t you, ignore this email: nothing is changed.',
    ],
    footer: strangerFooter,
  };
}

export function addressInUseEmail(): Email {
  return {
    subject: 'Someone tried to use your email address',
    text: [
      'Someone tried to change the email address of their Latchkey account to yours. It belongs to another account, so nothing was changed, and they were not told why.',
      'If this was you, change the address of the account that uses this one first.',
    ],
    footer: strangerFooter,
  };
}

/** To both addresses. */
export function addressChangedEmail(from: string, to: string, appUrl: string): Email {
  return {
    subject: 'Your email address was changed',
    text: [
      'The email address of your Latchkey account was changed. Sign in with the new address from now on.',
    ],
    facts: [
      ['From', from],
      ['To', to],
    ],
    button: { words: 'Change password', address: `${appUrl}/settings/password` },
    advice: [
      'If this was you, no action is needed.',
      'If it wasn’t you, someone else knows your password. Sign in, change the password and then the address. If you can’t sign in anymore, ask your administrator to stop the account.',
    ],
  };
}
