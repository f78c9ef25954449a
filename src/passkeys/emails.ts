import type { SignInMeansWords } from '../accounts/emails.ts';
import type { Email } from '../platform/mail/email.ts';

export const passkeyMeans = {
  text: 'Someone signed in to your account with your passkey, in a new browser.',
  advice:
    'If it wasn’t you, someone else has your passkey. Remove it, and sign out the sessions you don’t recognize.',
  link: { words: 'View security settings', path: '/settings/security' },
} as const satisfies SignInMeansWords;

const passkeyWords = {
  added: {
    subject: 'A passkey was added to your account',
    text: 'You can sign in with it from now on, and we ask for a passkey after your password.',
    advice: 'If it wasn’t, remove it and change your password.',
  },
  removed: {
    subject: 'A passkey was removed from your account',
    text: 'It no longer signs in to your account.',
    advice: 'If it wasn’t, change your password and add your passkey again.',
  },
  codes_replaced: {
    subject: 'You have new recovery codes',
    text: 'The recovery codes of your account were replaced. The former ones no longer work.',
    advice: 'If it wasn’t, change your password and replace the codes again.',
  },
  code_used: {
    subject: 'A recovery code was used',
    text: 'Someone signed in to your account with your password and a recovery code, which no longer works.',
    advice: 'If it wasn’t, change your password and replace your recovery codes now.',
  },
} as const;

export function passkeyEmail(event: keyof typeof passkeyWords, appUrl: string, name?: string): Email {
  const { subject, text, advice } = passkeyWords[event];
  return {
    subject,
    text: [text],
    facts: name === undefined ? [] : [['Passkey', name]],
    button: { words: 'View security settings', address: `${appUrl}/settings/security` },
    advice: [`If this was you, no action is needed. ${advice}`],
    links: [{ words: 'Change password', address: `${appUrl}/settings/password` }],
  };
}
