import type { Block, Letter } from '../../outbox/letter.ts';
import { clientPage } from '../clients/address.ts';
import type { ReviewOutcome } from '../core/client.ts';

interface Named {
  readonly id: string;
  readonly name: string;
}

/** To the owner: what an admin decided, and why where it is bad news (contract §2). */
export function reviewLetter(
  outcome: ReviewOutcome,
  client: Named,
  reason: string | null,
  appUrl: string,
): Letter {
  const { subject, says, next } = words[outcome](client.name);
  const quote: readonly Block[] = reason === null ? [] : [{ kind: 'quote', text: reason }];
  return {
    subject,
    blocks: [
      { kind: 'text', text: says },
      ...quote,
      { kind: 'text', text: next },
      {
        kind: 'link',
        words: 'Open its page',
        address: `${appUrl}${clientPage(client.id)}`,
      },
    ],
  };
}

interface Words {
  readonly subject: string;
  readonly says: string;
  readonly next: string;
}

const words = {
  accepted: (name) => ({
    subject: `${name} was accepted`,
    says: `Good news: your app ${name} was accepted.`,
    next: 'People can connect it from now on.',
  }),
  rejected: (name) => ({
    subject: `${name} was not accepted`,
    says: `Your app ${name} was reviewed and not accepted. The reviewer's reason:`,
    next: 'You can correct it and submit it again.',
  }),
  edit_accepted: (name) => ({
    subject: `The changes to ${name} were accepted`,
    says: `Good news: the changes to your app ${name} were accepted.`,
    next: 'They are live now. People who connected the app stay connected.',
  }),
  edit_rejected: (name) => ({
    subject: `The changes to ${name} were not accepted`,
    says: `The changes to your app ${name} were reviewed and not accepted. The reviewer's reason:`,
    next: 'The app works on with the values that were accepted before. You can correct the changes and submit them again.',
  }),
  suspended: (name) => ({
    subject: `${name} was suspended`,
    says: `Your app ${name} was suspended. All permissions that people had given it have ended, and it cannot be connected until it is accepted again. The reviewer's reason:`,
    next: 'You can correct it and submit it again. If it is accepted, people have to connect it anew.',
  }),
} as const satisfies Record<ReviewOutcome, (name: string) => Words>;
