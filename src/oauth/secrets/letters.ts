import type { Letter } from '../../outbox/letter.ts';
import { clientPage } from '../clients/address.ts';

interface Named {
  readonly id: string;
  readonly name: string;
}

/** To the owner: a secret was added, which must not happen in silence, in case somebody else did it. */
export function additionLetter(client: Named, hint: string, appUrl: string): Letter {
  return {
    subject: `A secret was added to ${client.name}`,
    blocks: [
      { kind: 'text', text: `Your app ${client.name} has a new client secret, which ends in ${hint}.` },
      ...unexpected(client, 'Delete that secret and change your password.', appUrl),
    ],
  };
}

/** To the owner: a secret was deleted. */
export function deletionLetter(client: Named, hint: string, appUrl: string): Letter {
  return {
    subject: `A secret of ${client.name} was deleted`,
    blocks: [
      {
        kind: 'text',
        text: `The client secret of your app ${client.name} that ended in ${hint} was deleted. It does not work any more.`,
      },
      ...unexpected(client, 'Change your password, and give your app another secret.', appUrl),
    ],
  };
}

function unexpected({ id }: Named, advice: string, appUrl: string): Letter['blocks'] {
  const address = `${appUrl}${clientPage(id)}/secrets`;
  return [
    { kind: 'text', text: `If this was not you, somebody else can use your account. ${advice}` },
    { kind: 'link', words: 'Look at its secrets', address },
  ];
}
