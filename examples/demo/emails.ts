import type { Message, SendMail } from '../../src/platform/mail/smtp.ts';

export interface EmailPrinter {
  readonly send: SendMail;
  /** What is sent from now on is printed; what was sent before is not. */
  start(): void;
}

/**
 * Prints emails instead of sending them: there is no mail server, and the links in them have to
 * reach a person.
 */
export function createEmailPrinter(): EmailPrinter {
  let print = (_email: Message): void => {};
  return {
    send: async (email) => print(email),
    start() {
      print = (email) => void process.stdout.write(describe(email));
    },
  };
}

function describe({ recipient, subject, text }: Message): string {
  return `-- Email to ${recipient}: ${subject}\n\n${text.replaceAll(/^(?=.)/gm, '   ')}\n`;
}
