import type { Letter } from '../../outbox/letter.ts';

interface Named {
  readonly id: string;
  readonly name: string;
}

/** To every admin: a client waits for its review (contract §2). */
export function submissionLetter(client: Named, appUrl: string): Letter {
  return {
    subject: `To review: ${client.name}`,
    blocks: [
      { kind: 'text', text: `An app was submitted for review: ${client.name}` },
      reviewLink(client, appUrl),
    ],
  };
}

/** To every admin: a client that was not accepted was corrected, and waits again (contract §2). */
export function resubmissionLetter(client: Named, appUrl: string): Letter {
  return {
    subject: `To review again: ${client.name}`,
    blocks: [
      {
        kind: 'text',
        text: `An app that was not accepted has been corrected and submitted again: ${client.name}`,
      },
      reviewLink(client, appUrl),
    ],
  };
}

/** To every admin: an accepted client's edit waits; `changes` are the fields that differ, in words (contract §2). */
export function editLetter(client: Named, changes: readonly string[], appUrl: string): Letter {
  return {
    subject: `Changes to review: ${client.name}`,
    blocks: [
      {
        kind: 'text',
        text: `The owner of an accepted app would like to change it: ${client.name}\nUntil somebody has decided, the app stays as it is.`,
      },
      { kind: 'facts', facts: [['To be changed', changes.join(', ')]] },
      reviewLink(client, appUrl),
    ],
  };
}

/** To the owner: the client is gone. Whoever gets this and did not do it has a stranger in the account. */
export function deletionLetter(client: Named): Letter {
  return {
    subject: `${client.name} was deleted`,
    blocks: [
      {
        kind: 'text',
        text: `Your app ${client.name} was deleted. Nobody can connect it any more, and every token that it held has ended.`,
      },
      { kind: 'facts', facts: [['Client ID', client.id]] },
      {
        kind: 'text',
        text: 'If that was not you, change your password, and end the sessions that you do not know.',
      },
    ],
  };
}

function reviewLink({ id }: Named, appUrl: string) {
  return {
    kind: 'link',
    words: 'Look at it and decide',
    address: `${appUrl}/settings/admin/oauth/${id}`,
  } as const;
}
