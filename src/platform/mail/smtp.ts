import { createTransport } from 'nodemailer';

export interface Message {
  /**
   * Stays the same however often the message is tried, so that a receiver can drop a second copy.
   */
  readonly id: string;
  readonly recipient: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** iCalendar with its METHOD; null for most messages. */
  readonly calendarEntry: string | null;
}

/** Sends one message, or throws. */
export type SendMail = (message: Message) => Promise<void>;

/** Well within the lease of a message. */
export const smtpTimeoutMs = 20_000;

/** Mail through an SMTP server; `url` as nodemailer takes it, with user and password if need be. */
export function smtpSender(
  { smtpUrl, from }: { smtpUrl: string; from: string },
  timeoutMs = smtpTimeoutMs,
): SendMail {
  const transport = createTransport(
    { url: smtpUrl, connectionTimeout: timeoutMs, greetingTimeout: timeoutMs, socketTimeout: timeoutMs },
    { from },
  );
  const domain = /@([^\s@>]+)>?$/.exec(from)?.[1] ?? 'localhost';
  return async ({ id, recipient, subject, text, html, calendarEntry }) => {
    // An address object, not a header line: whatever the address contains, it stays one recipient.
    await transport.sendMail({
      to: { name: '', address: recipient },
      subject,
      text,
      html,
      ...(calendarEntry === null ? {} : { icalEvent: icalEventOf(calendarEntry) }),
      messageId: `<${id}@${domain}>`,
      headers: { 'Auto-Submitted': 'auto-generated' },
    });
  };
}

/** As a part that mail programs offer to put into the calendar (RFC 6047 §2.4), and as a file. */
function icalEventOf(content: string): { method: string; filename: string; content: string } {
  const method = /^METHOD:(\w+)/m.exec(content)?.[1] ?? 'PUBLISH';
  return { method, filename: 'invite.ics', content };
}

/**
 * A word for what went wrong that is fit for a row and a log: the protocol's code, never the
 * server's text.
 */
export function mailFailureOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  if ('responseCode' in error && typeof error.responseCode === 'number') return `smtp ${error.responseCode}`;
  if ('code' in error && typeof error.code === 'string') return error.code;
  return error.name;
}
