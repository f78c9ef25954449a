import type { Letter } from '../../outbox/letter.ts';

interface Named {
  readonly id: string;
  readonly name: string;
}

/** To the owner: the client was accepted (contract §2). */
export function acceptanceLetter(client: Named, appUrl: string): Letter {
  return {
    subject: `${client.name} was accepted`,
    blocks: [
      {
        kind: 'text',
        text: `Good news: your app ${client.name} was accepted. People can connect it from now on.`,
      },
      linkTo(client, appUrl),
    ],
  };
}

/** To the owner: the client was rejected, and why (contract §2). */
export function rejectionLetter(client: Named, reason: string, appUrl: string): Letter {
  return {
    subject: `${client.name} was not accepted`,
    blocks: [
      {
        kind: 'text',
        text: `Your app ${client.name} was reviewed and not accepted. The reviewer's reason:`,
      },
      { kind: 'quote', text: reason },
      { kind: 'text', text: 'You can correct it and submit it again.' },
      linkTo(client, appUrl),
    ],
  };
}

function linkTo({ id }: Named, appUrl: string) {
  const address = `${appUrl}/settings/developer/oauth/${id}`;
  return { kind: 'link', words: 'Open its page', address } as const;
}
