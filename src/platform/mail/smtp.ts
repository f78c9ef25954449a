import type { RenderedEmail } from './email.ts';

/**
 * The id stays the same however often the message is tried, so that a receiver can drop a second
 * copy.
 */
export type Message = Pick<
  RenderedEmail,
  'id' | 'recipient' | 'subject' | 'text' | 'html' | 'calendarEntry' | 'replyTo'
>;

export interface SendMail {
  (message: Message): Promise<void>;
  readonly close?: () => void;
}

export const maxConnections = 4;

/**
 * A server that isn't there is given up soon. One that has a message may take its time before it
 * accepts it: hung up on, it may have sent it all the same (RFC 5321 §4.5.3.2.6). Both together are
 * well within the lease of a message, however the server drips.
 */
export const smtpLimits = { connectMs: 20_000, attemptMs: 100_000 } as const;

export function smtpSender(
  { smtpUrl, from }: { smtpUrl: string; from: string },
  { connectMs, attemptMs }: Readonly<Record<keyof typeof smtpLimits, number>> = smtpLimits,
): SendMail {
  const openTransport = async () => {
    const { createTransport } = await import('nodemailer');
    const timeouts = { connectionTimeout: connectMs, greetingTimeout: connectMs, socketTimeout: attemptMs };
    return createTransport({ url: smtpUrl, pool: true, maxConnections, ...timeouts }, { from });
  };
  // The first message opens the connection, because no start needs it.
  let opened: ReturnType<typeof openTransport> | undefined;
  const domain = /@([^\s@>]+)>?$/.exec(from)?.[1] ?? 'localhost';
  const send: SendMail = async ({ id, recipient, subject, text, html, calendarEntry, replyTo }) => {
    // An address object stays one recipient whatever the address contains, unlike a header line.
    opened ??= openTransport();
    const transport = await opened;
    await transport.sendMail({
      to: { name: '', address: recipient },
      ...(replyTo === null ? {} : { replyTo: { name: '', address: replyTo } }),
      subject,
      text,
      html,
      ...(calendarEntry === null ? {} : { icalEvent: icalEventOf(calendarEntry) }),
      messageId: `<${id}@${domain}>`,
      headers: { 'Auto-Submitted': 'auto-generated' },
      signal: AbortSignal.timeout(attemptMs),
    });
  };
  return Object.assign(send, { close: () => void opened?.then((transport) => transport.close()) });
}

/** Connects and signs in, and sends nothing. @throws what {@link mailFailureOf} explains */
export async function checkMailServer({ smtpUrl }: { smtpUrl: string }, timeoutMs: number): Promise<void> {
  const { createTransport } = await import('nodemailer');
  const timeouts = { connectionTimeout: timeoutMs, greetingTimeout: timeoutMs, socketTimeout: timeoutMs };
  const transport = createTransport({ url: smtpUrl, ...timeouts });
  await transport.verify().finally(() => transport.close());
}

/** Mail programs offer to put the part into the calendar (RFC 6047 §2.4); it's a file, too. */
function icalEventOf(content: string): { method: string; filename: string; content: string } {
  const method = /^METHOD:(\w+)/m.exec(content)?.[1] ?? 'PUBLISH';
  return { method, filename: 'invite.ics', content };
}

/**
 * Returns what went wrong, fit for a row and a log: the protocol's code, never the server's text.
 * Only what the server says of this recipient or message is permanent (RFC 5321 §4.2.1): a refused
 * sign-in isn't.
 */
export function mailFailureOf(error: unknown): { readonly failure: string; readonly isPermanent: boolean } {
  if (!(error instanceof Error)) return { failure: 'unknown', isPermanent: false };
  const said = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  // Nobody but the clock aborts an attempt.
  const code = said === 'EABORT' ? 'ETIMEDOUT' : said;
  if (!('responseCode' in error && typeof error.responseCode === 'number'))
    return { failure: code ?? error.name, isPermanent: false };
  const isAboutMessage = code === 'EENVELOPE' || code === 'EMESSAGE';
  return { failure: `smtp ${error.responseCode}`, isPermanent: isAboutMessage && error.responseCode >= 500 };
}
