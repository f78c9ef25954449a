import type { Letter } from '../../outbox/letter.ts';

/** To somebody who has forgotten the password, or whose address somebody else has typed. */
export function resetLetter(address: string): Letter {
  return {
    subject: 'Choose a new password',
    blocks: [
      { kind: 'text', text: 'Somebody asked for a new password for your Latchkey account.' },
      { kind: 'private_link', words: 'Choose a new password', address },
      {
        kind: 'text',
        text: 'The link works once, for 30 minutes. If it was not you who asked, you need not do anything: your password stays as it is.',
      },
    ],
  };
}

/** To the holder of an account whose password is another one from now on. */
export function passwordChangedLetter(appUrl: string): Letter {
  return {
    subject: 'Your password was changed',
    blocks: [
      {
        kind: 'text',
        text: 'The password of your Latchkey account was changed, and all other browsers were signed out.',
      },
      { kind: 'text', text: 'If it was not you, choose a new password at once.' },
      { kind: 'link', words: 'It was not me', address: `${appUrl}/forgot` },
    ],
  };
}
