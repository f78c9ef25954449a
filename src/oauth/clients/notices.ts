import type { Message } from '../../io/mail.ts';

interface Named {
  readonly id: string;
  readonly name: string;
}

/** To every admin: a client waits for its review (contract §2). */
export function submissionNotice(
  messageId: string,
  recipient: string,
  client: Named,
  appUrl: string,
): Message {
  return {
    id: messageId,
    recipient,
    subject: `To review: ${client.name}`,
    text: `An app was submitted for review: ${client.name}

Look at it and decide here:
${appUrl}/settings/admin/oauth
`,
  };
}

/** To the owner: the client was accepted (contract §2). */
export function acceptanceNotice(
  messageId: string,
  recipient: string,
  client: Named,
  appUrl: string,
): Message {
  return {
    id: messageId,
    recipient,
    subject: `${client.name} was accepted`,
    text: `Good news: your app ${client.name} was accepted. People can connect it from now on.

Its page, with its client_id:
${pageOf(client, appUrl)}
`,
  };
}

/** To the owner: the client was rejected, and why (contract §2). */
export function rejectionNotice(
  messageId: string,
  recipient: string,
  client: Named,
  reason: string,
  appUrl: string,
): Message {
  return {
    id: messageId,
    recipient,
    subject: `${client.name} was not accepted`,
    text: `Your app ${client.name} was reviewed and not accepted. The reviewer's reason:

${reason}

Its page:
${pageOf(client, appUrl)}
`,
  };
}

function pageOf({ id }: Named, appUrl: string): string {
  return `${appUrl}/settings/developer/oauth/${id}`;
}
