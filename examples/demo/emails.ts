import type { Message, SendMail } from '../../src/platform/mail/smtp.ts';

export interface EmailPrinter {
  readonly send: SendMail;
  /** What is sent from now on is printed; what was sent before is not. */
  start(): void;
}

/**
 * Prints letters instead of sending them: there is no mail server, and the links in them have to
 * reach somebody.
 */
export function createEmailPrinter(): EmailPrinter {
  let print = (_letter: Message): void => {};
  return {
    send: async (letter) => print(letter),
    start() {
      print = (letter) => void process.stdout.write(describe(letter));
    },
  };
}

function describe({ recipient, subject, text }: Message): string {
  return `-- Email to ${recipient}: ${subject}\n\n${text.replaceAll(/^(?=.)/gm, '   ')}\n`;
}
