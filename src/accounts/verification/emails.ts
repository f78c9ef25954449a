import type { Email } from '../../platform/mail/email.ts';

/** To an address that may be a stranger's. */
export function verificationEmail(address: string): Email {
  return {
    subject: 'Verify your email address',
    blocks: [
      { kind: 'text', text: 'Someone uses this email address for a Latchkey account. If it was you:' },
      { kind: 'private_link', words: 'Verify email address', address, saysWhenSent: true },
      {
        kind: 'text',
        text: "The link works once, for 24 hours. If it wasn't you, ignore this email: the account can't do anything with your address.",
      },
    ],
    footer: 'You get this email because someone entered your address on Latchkey.',
  };
}

export function addressTakenEmail(appUrl: string): Email {
  return {
    subject: 'You already have an account',
    blocks: [
      {
        kind: 'text',
        text: 'Someone tried to sign up with your email address. You already have a Latchkey account with it.',
      },
      {
        kind: 'text',
        text: "If this was you, sign in, or reset your password. If it wasn't, no action is needed: nothing was changed.",
      },
      { kind: 'link', words: 'Sign in', address: `${appUrl}/signin` },
      { kind: 'link', words: 'Reset password', address: `${appUrl}/forgot` },
    ],
  };
}

/** The account may be a stranger's: its address has an owner, who can have it. */
export function addressUnverifiedEmail(appUrl: string): Email {
  return {
    subject: 'Your email address already has an account',
    blocks: [
      {
        kind: 'text',
        text: 'Someone tried to sign up with your email address. It already has a Latchkey account, which was never verified.',
      },
      {
        kind: 'text',
        text: "To use that account, reset its password: this verifies your address and signs everyone else out. If you didn't sign up, no action is needed.",
      },
      { kind: 'link', words: 'Reset password', address: `${appUrl}/forgot` },
    ],
    footer: 'You get this email because someone entered your address on Latchkey.',
  };
}

/** To the address that an account is changed to, which may be a stranger's. */
export function newAddressEmail(address: string): Email {
  return {
    subject: 'Confirm your new email address',
    blocks: [
      {
        kind: 'text',
        text: 'Someone wants to use this email address for their Latchkey account. If it was you:',
      },
      { kind: 'private_link', words: 'Change email address', address, saysWhenSent: true },
      {
        kind: 'text',
        text: "The link works once, for 24 hours, where you're signed in. If it wasn't you, ignore this email: nothing is changed.",
      },
    ],
    footer: 'You get this email because someone entered your address on Latchkey.',
  };
}

export function addressInUseEmail(): Email {
  return {
    subject: 'Someone tried to use your email address',
    blocks: [
      {
        kind: 'text',
        text: 'Someone tried to change the email address of their Latchkey account to yours. It belongs to another account, so nothing was changed, and they were not told why.',
      },
      {
        kind: 'text',
        text: 'If this was you, change the address of the account that uses this one first.',
      },
    ],
    footer: 'You get this email because someone entered your address on Latchkey.',
  };
}

/** To both addresses. */
export function addressChangedEmail(from: string, to: string, appUrl: string): Email {
  return {
    subject: 'Your email address was changed',
    blocks: [
      { kind: 'text', text: 'The email address of your Latchkey account was changed.' },
      {
        kind: 'facts',
        facts: [
          ['From', from],
          ['To', to],
        ],
      },
      {
        kind: 'text',
        text: 'Sign in with the new address from now on. If this was you, no action is needed.',
      },
      {
        kind: 'text',
        text: "If it wasn't you, someone else knows your password. Sign in, change the password and then the address. If you can't sign in anymore, ask your administrator to stop the account.",
      },
      { kind: 'link', words: 'Change password', address: `${appUrl}/settings/password` },
    ],
  };
}
