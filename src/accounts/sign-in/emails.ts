import type { Email } from '../../platform/mail/email.ts';
import { datesFor, type Person } from '../person.ts';

export interface SignInFacts {
  readonly means: 'password' | 'passkey';
  readonly at: Date;
  readonly owner: Pick<Person, 'timeZone' | 'timeFormat' | 'dateLocale'>;
  readonly browser: string;
  readonly address: string;
}

export function newSignInEmail({ means, at, owner, browser, address }: SignInFacts, appUrl: string): Email {
  return {
    subject: 'New sign-in to your account',
    text: [`Someone signed in to your Latchkey account with your ${means}, in a new browser.`],
    facts: [
      ['When', datesFor(owner).momentOf(at)],
      ['Browser', browser],
      ['Address', address],
    ],
    button: { words: 'View sessions', address: `${appUrl}/settings/sessions` },
    advice: [
      'If this was you, no action is needed.',
      `If it wasn’t you, ${advice[means].text}, and sign out the sessions you don’t recognize.`,
    ],
    links: [{ words: advice[means].link, address: `${appUrl}${advice[means].path}` }],
  };
}

const advice = {
  password: {
    text: 'someone else knows your password. Change it',
    link: 'Change password',
    path: '/settings/password',
  },
  passkey: {
    text: 'someone else has your passkey. Remove it',
    link: 'View security settings',
    path: '/settings/security',
  },
} as const;
