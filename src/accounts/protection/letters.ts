import { momentsOf } from '../../moments.ts';
import type { Letter } from '../../outbox/letter.ts';

/** What is told of a sign-in. */
export interface SignInFacts {
  readonly at: Date;
  /** The owner's, IANA. */
  readonly timeZone: string;
  /** In words. */
  readonly browser: string;
  readonly address: string;
}

/** To the owner: somebody who had the password came in with a browser that the account did not know. */
export function newSignInLetter({ at, timeZone, browser, address }: SignInFacts, appUrl: string): Letter {
  return {
    subject: 'New sign-in to your account',
    blocks: [
      {
        kind: 'text',
        text: 'Somebody signed in to your Latchkey account with its password, in a browser that we have not seen there before.',
      },
      {
        kind: 'facts',
        facts: [
          ['When', momentsOf(timeZone).momentOf(at)],
          ['Browser', browser],
          ['Address', address],
        ],
      },
      { kind: 'text', text: 'Was it you? Then there is nothing to do.' },
      {
        kind: 'text',
        text: 'If it was not you, somebody else knows your password: sign out the sessions that you do not know, and change the password.',
      },
      { kind: 'link', words: 'See where you are signed in', address: `${appUrl}/settings/sessions` },
      { kind: 'link', words: 'Change your password', address: `${appUrl}/settings/password` },
    ],
  };
}
