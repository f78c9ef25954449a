import type { Message, SendMail } from '../../src/platform/mail/smtp.ts';

export interface EmailPrinter {
  readonly send: SendMail;
  /** Earlier emails aren't printed. */
  start(): void;
}

/** Emails are printed, because their links have to reach a person without a mail server. */
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
