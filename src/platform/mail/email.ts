import { join } from 'node:path';
import { Eta } from 'eta';
import { z } from 'zod';
import { packageFolder } from '../package-folder.ts';
import { withPlainBreaks } from '../plain-text.ts';
import type { Platform } from '../platform.ts';
import { newUuid, randomHex } from '../runtime.ts';
import type { Secrets } from '../secrets.ts';

/** A piece of a letter. Texts are plain; whatever people have typed may stand in them. */
export type Block =
  | { readonly kind: 'text'; readonly text: string }
  /** Somebody else's words, set apart. */
  | { readonly kind: 'quote'; readonly text: string }
  | { readonly kind: 'facts'; readonly facts: readonly (readonly [name: string, value: string])[] }
  | { readonly kind: 'link'; readonly words: string; readonly address: string }
  /** A link that only the recipient may see: whoever has it may do something. One a letter. */
  | { readonly kind: 'private_link'; readonly words: string; readonly address: string };

/** What is to be said to somebody by email, before it has a form. */
export interface Email {
  readonly subject: string;
  readonly blocks: readonly Block[];
  /** iCalendar with its METHOD, to go with the letter (RFC 5546, RFC 6047). */
  readonly calendarEntry?: string;
  /** Why the recipient gets it, if it is not for an account of their own; below everything else. */
  readonly footer?: string;
}

/** A letter as it waits in the outbox, for {@link addToOutbox}. */
export interface RenderedEmail {
  readonly id: string;
  readonly recipient: string;
  readonly subject: string;
  /** With a mark in the place of the private link. */
  readonly text: string;
  readonly html: string;
  readonly encryptedLink: Uint8Array | null;
  readonly calendarEntry: string | null;
}

const purpose = 'private-link';
const accountFooter =
  'You get this email because of your Latchkey account. If you did not expect it, sign in and look at your settings.';
const eta = new Eta({ views: join(packageFolder, 'views'), cache: true });

/** A private link, and what stands in its place in the letter until it is sent. */
const privateLink = z.object({ mark: z.string(), address: z.string() });

/**
 * Writes a letter to somebody as text and as HTML. The private link goes apart from both, sealed,
 * so that neither a stolen database nor an admin's look into the outbox nor a log opens what it
 * opens. What stands in its place cannot be guessed: nobody can have written it into a name or a
 * reason before, and pull the link into an address of their own.
 */
export function renderEmail(
  { subject, blocks, calendarEntry, footer = accountFooter }: Email,
  recipient: string,
  { runtime, secrets }: Pick<Platform, 'runtime' | 'secrets'>,
): RenderedEmail {
  const mark = `(a link that only the recipient sees, ${randomHex(runtime, 8)})`;
  const shown = blocks.map((block) => (block.kind === 'private_link' ? { ...block, address: mark } : block));
  const secret = blocks.find((block) => block.kind === 'private_link');
  return {
    id: newUuid(runtime),
    recipient,
    // A subject is one line, whatever stands in the names that it mentions.
    subject: withPlainBreaks(subject).replaceAll(/\n+/g, ' '),
    // The footer comes after what marks a signature (RFC 3676 §4.3).
    text: `${shown.map(textOf).join('\n\n')}\n\n-- \n${footer}\n`,
    html: eta.render('mail/email', { subject, blocks: shown, footer }),
    encryptedLink:
      secret === undefined
        ? null
        : secrets.encrypt(purpose, Buffer.from(JSON.stringify({ mark, address: secret.address }))),
    calendarEntry: calendarEntry ?? null,
  };
}

/**
 * The letter's two forms with its private link in its place.
 *
 * @throws LinkUnreadable when the link was sealed under a SECRET that is gone: without it the
 * letter says nothing
 */
export function openEmail(
  { text, html, encryptedLink }: Pick<RenderedEmail, 'text' | 'html' | 'encryptedLink'>,
  secrets: Secrets,
): { readonly text: string; readonly html: string } {
  if (encryptedLink === null) return { text, html };
  const link = secrets.decrypt(purpose, encryptedLink);
  if (link === undefined) throw new LinkUnreadable('the private link was sealed under another SECRET');
  const { mark, address } = privateLink.parse(JSON.parse(Buffer.from(link).toString('utf8')));
  const attribute = address.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
  return { text: text.replaceAll(mark, () => address), html: html.replaceAll(mark, () => attribute) };
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
      // What goes on below is set in, so that no value looks like another fact.
      return block.facts
        .map(([name, value]) => `${name}: ${withPlainBreaks(value).replaceAll('\n', '\n    ')}`)
        .join('\n');
    case 'link':
    case 'private_link':
      return `${block.words}:\n${block.address}`;
  }
}
