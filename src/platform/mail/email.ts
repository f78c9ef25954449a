import { join } from 'node:path';
import { Eta } from 'eta';
import { z } from 'zod';
import { packageFolder } from '../package-folder.ts';
import { withPlainBreaks } from '../plain-text.ts';
import type { Platform } from '../platform.ts';
import { newUuid, randomHex } from '../runtime.ts';
import type { Secrets } from '../secrets.ts';

/** A piece of an email. Texts are plain and may contain what people have typed. */
export type Block =
  | { readonly kind: 'text'; readonly text: string }
  /** Another person's words, set apart. */
  | { readonly kind: 'quote'; readonly text: string }
  | { readonly kind: 'facts'; readonly facts: readonly (readonly [name: string, value: string])[] }
  | { readonly kind: 'link'; readonly words: string; readonly address: string }
  /** A link for the recipient alone: who has it may do something. One per email. */
  | {
      readonly kind: 'private_link';
      readonly words: string;
      readonly address: string;
      /** The time of sending is added to the address, for {@link readSentLink}. */
      readonly saysWhenSent?: boolean;
    }
  /** A code for the recipient alone, instead of a link. */
  | { readonly kind: 'private_code'; readonly words: string; readonly code: string };

/** What is sent first. Account safety waits for nothing else. */
export const priorities = { account: 0, review: 1, ordinary: 2 } as const;

/** An email's content, before it is rendered. */
export interface Email {
  readonly subject: string;
  readonly blocks: readonly Block[];
  /** iCalendar with its METHOD, attached to the email (RFC 5546, RFC 6047). */
  readonly calendarEntry?: string;
  /** Why the recipient gets it, if it isn't for their own account; below everything else. */
  readonly footer?: string;
  /** `account` by default. */
  readonly priority?: keyof typeof priorities;
  /** What it is about: a newer email with the same thread replaces one that wasn't sent yet. */
  readonly thread?: string;
}

/** An email as it waits in the outbox, for {@link addToOutbox}. */
export interface RenderedEmail {
  readonly id: string;
  readonly recipient: string;
  readonly subject: string;
  /** With a mark in the place of the private link. */
  readonly text: string;
  readonly html: string;
  readonly encryptedLink: Uint8Array | null;
  readonly calendarEntry: string | null;
  readonly priority: number;
  readonly thread: string | null;
}

const purpose = 'private-link';
const accountFooter =
  'You get this email because of your Latchkey account. If you did not expect it, sign in and look at your settings.';
const eta = new Eta({ views: join(packageFolder, 'views'), cache: true });

/** A private link, and the mark in its place until the email is sent. */
const hiddenLink = z.object({ mark: z.string(), address: z.string(), saysWhenSent: z.boolean().optional() });

/**
 * Renders an email as text and HTML. The private link is kept apart, encrypted, so that neither a
 * stolen database, the admins' outbox nor a log opens it. Its mark can't be guessed: no one can put
 * it into a name or reason and so pull the link into an address of their own.
 */
export function renderEmail(
  { subject, blocks, calendarEntry, footer = accountFooter, priority = 'account', thread }: Email,
  recipient: string,
  { runtime, secrets }: Pick<Platform, 'runtime' | 'secrets'>,
): RenderedEmail {
  const mark = `(a link that only the recipient sees, ${randomHex(runtime, 8)})`;
  const shown = blocks.map((block) => {
    if (block.kind === 'private_link') return { ...block, address: mark };
    return block.kind === 'private_code' ? { ...block, code: mark } : block;
  });
  const secret = blocks.find((block) => block.kind === 'private_link' || block.kind === 'private_code');
  return {
    id: newUuid(runtime),
    recipient,
    // A subject is one line, whatever its names contain.
    subject: withPlainBreaks(subject).replaceAll(/\n+/g, ' '),
    // The footer comes after what marks a signature (RFC 3676 §4.3).
    text: `${shown.map(textOf).join('\n\n')}\n\n-- \n${footer}\n`,
    html: eta.render('mail/email', { subject, blocks: shown, footer }),
    encryptedLink:
      secret === undefined
        ? null
        : secrets.encrypt(purpose, Buffer.from(JSON.stringify({ mark, ...hiddenIn(secret) }))),
    calendarEntry: calendarEntry ?? null,
    priority: priorities[priority],
    thread: thread ?? null,
  };
}

function hiddenIn(block: Extract<Block, { readonly kind: 'private_link' | 'private_code' }>) {
  return block.kind === 'private_code'
    ? { address: block.code }
    : { address: block.address, saysWhenSent: block.saysWhenSent };
}

/**
 * The email's two forms with its private link in its place.
 *
 * @throws LinkUnreadable when the link was encrypted under a SECRET that is gone: without it the
 * email says nothing
 */
export function openEmail(
  { text, html, encryptedLink }: Pick<RenderedEmail, 'text' | 'html' | 'encryptedLink'>,
  secrets: Secrets,
  now: Date,
): { readonly text: string; readonly html: string } {
  if (encryptedLink === null) return { text, html };
  const link = secrets.decrypt(purpose, encryptedLink);
  if (link === undefined) throw new LinkUnreadable('the private link was encrypted under another SECRET');
  const { mark, ...hidden } = hiddenLink.parse(JSON.parse(Buffer.from(link).toString('utf8')));
  const address = hidden.saysWhenSent ? addSentAt(hidden.address, secrets, now) : hidden.address;
  const attribute = address.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
  return { text: text.replaceAll(mark, () => address), html: html.replaceAll(mark, () => attribute) };
}

const sentPurpose = 'sent-link';

/** `address.seconds.MAC`, so that a link's life counts from when it was sent, not from a queue. */
export function addSentAt(address: string, secrets: Secrets, now: Date): string {
  const said = `${new URL(address).pathname}.${Math.floor(now.getTime() / 1000)}`;
  const mac = Buffer.from(secrets.mac(sentPurpose, Buffer.from(said))).toString('base64url');
  return `${address}${said.slice(said.lastIndexOf('.'))}.${mac}`;
}

/** The path of a link with its time of sending, without that; undefined when it isn't ours. */
export function readSentLink(
  path: string,
  secrets: Secrets,
): { readonly path: string; readonly sentAt: Date } | undefined {
  const [, said, sentPath, seconds, mac] = /^((.+)\.(\d{1,12}))\.([\w-]+)$/.exec(path) ?? [];
  if (said === undefined || sentPath === undefined || mac === undefined) return undefined;
  const bytes = Buffer.from(mac, 'base64url');
  // One spelling only: what is decoded leniently must not open anything.
  if (bytes.toString('base64url') !== mac || !secrets.isMac(sentPurpose, Buffer.from(said), bytes))
    return undefined;
  return { path: sentPath, sentAt: new Date(Number(seconds) * 1000) };
}

class LinkUnreadable extends Error {
  override readonly name = 'LinkUnreadable';
}

function textOf(block: Block): string {
  switch (block.kind) {
    case 'text':
    case 'quote':
      return withPlainBreaks(block.text);
    case 'facts':
      // Further lines are indented, so that no value looks like another fact.
      return block.facts
        .map(([name, value]) => `${name}: ${withPlainBreaks(value).replaceAll('\n', '\n    ')}`)
        .join('\n');
    case 'link':
    case 'private_link':
      return `${block.words}:\n${block.address}`;
    case 'private_code':
      return `${block.words}: ${block.code}`;
  }
}
