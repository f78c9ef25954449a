import type { Letter } from '../../outbox/letter.ts';

/** To every admin: an accepted client's new logo, or its removal, waits for review (contract §2). */
export function logoLetter(
  { id, name }: { readonly id: string; readonly name: string },
  appUrl: string,
): Letter {
  return {
    subject: `To review: ${name}`,
    blocks: [
      {
        kind: 'text',
        text: `An accepted app wants to change its logo: ${name}. Until you decide, people see what was accepted.`,
      },
      { kind: 'link', words: 'Look at it and decide', address: `${appUrl}/settings/admin/oauth/${id}` },
    ],
  };
}
