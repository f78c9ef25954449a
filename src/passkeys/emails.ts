import type { SignInMeansWords } from '../accounts/emails.ts';
import type { Email } from '../platform/mail/email.ts';
import type { Sentence, Words } from '../platform/words.ts';

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
    advice: 'If it wasn’t you, remove it and change your password.',
  },
  removed: {
    subject: 'A passkey was removed from your account',
    text: 'It no longer signs in to your account.',
    advice: 'If it wasn’t you, change your password and add your passkey again.',
  },
  codes_replaced: {
    subject: 'You have new recovery codes',
    text: 'The recovery codes of your account were replaced. The former ones no longer work.',
    advice: 'If it wasn’t you, change your password and replace the codes again.',
  },
  code_used: {
    subject: 'A recovery code was used',
    text: 'Someone signed in to your account with your password and a recovery code, which no longer works.',
    advice: 'If it wasn’t you, change your password and replace your recovery codes now.',
  },
} as const satisfies Record<string, Record<'subject' | 'text' | 'advice', Sentence>>;

export function passkeyEmail(
  event: keyof typeof passkeyWords,
  appUrl: string,
  words: Words,
  name?: string,
): Email {
  const { t, say } = words;
  const { subject, text, advice } = passkeyWords[event];
  return {
    words,
    subject: say(subject),
    text: [say(text)],
    facts: name === undefined ? [] : [[t('Passkey'), name]],
    button: { words: t('View security settings'), address: `${appUrl}/settings/security` },
    advice: [t('If this was you, no action is needed.'), say(advice)],
    links: [{ words: t('Change password'), address: `${appUrl}/settings/password` }],
  };
}
