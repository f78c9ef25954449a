import type { Letter } from '../../outbox/letter.ts';

interface Named {
  readonly id: string;
  readonly name: string;
}

/** To every admin: a client waits for its review (contract §2). */
export function submissionLetter({ id, name }: Named, appUrl: string): Letter {
  return {
    subject: `To review: ${name}`,
    blocks: [
      { kind: 'text', text: `An app was submitted for review: ${name}` },
      { kind: 'link', words: 'Look at it and decide', address: `${appUrl}/settings/admin/oauth/${id}` },
    ],
  };
}
