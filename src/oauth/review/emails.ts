import type { Block, Email } from '../../platform/mail/email.ts';
import { clientPage } from '../clients/own-client.ts';
import type { ReviewOutcome } from './decision.ts';

interface Named {
  readonly id: string;
  readonly name: string;
}

/** To the owner: what an admin decided, and the reason for a rejection (contract §2). */
export function reviewEmail(
  outcome: ReviewOutcome,
  client: Named,
  reason: string | null,
  appUrl: string,
): Email {
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
        words: 'View app',
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
    subject: `${name} was approved`,
    says: `${name} is approved.`,
    next: 'Users can connect it now.',
  }),
  rejected: (name) => ({
    subject: `${name} was rejected`,
    says: `Your app ${name} was reviewed and rejected. The reviewer's reason:`,
    next: 'You can fix it and resubmit it.',
  }),
  edit_accepted: (name) => ({
    subject: `The changes to ${name} were approved`,
    says: `The changes to your app ${name} are approved.`,
    next: 'They are live now. Connected users stay connected.',
  }),
  edit_rejected: (name) => ({
    subject: `The changes to ${name} were rejected`,
    says: `The changes to your app ${name} were reviewed and rejected. The reviewer's reason:`,
    next: 'Your app keeps its approved values. You can fix the changes and resubmit them.',
  }),
  suspended: (name) => ({
    subject: `${name} was suspended`,
    says: `Your app ${name} was suspended. All access that users had given it was revoked, and users can't connect it until it's approved again. The reviewer's reason:`,
    next: 'You can fix it and resubmit it. Once approved, users need to connect it again.',
  }),
} as const satisfies Record<ReviewOutcome, (name: string) => Words>;
