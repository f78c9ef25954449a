import { join } from 'node:path';
import { Eta } from 'eta';
import { z } from 'zod';
import { type Palette, paletteOf } from '../brand.ts';
import { packageFolder } from '../package.ts';
import { asLine, withPlainBreaks } from '../plain-text.ts';
import type { Platform } from '../platform.ts';
import { newUuid, randomHex } from '../runtime.ts';
import type { Secrets } from '../secrets.ts';
import { english, type Words } from '../words.ts';
import type { outbox } from './tables.ts';

export interface Link {
  readonly words: string;
  readonly address: string;
}

/** `views/mail/email.eta` shows these. Texts are plain and may contain what people have typed. */
export interface Card {
  readonly subject: string;
  readonly heading: string;
  /** Stands large below the heading, and isn't repeated as a fact. */
  readonly headline: string | undefined;
  /** Inboxes show it beside the subject. */
  readonly preheader: string;
  readonly text: readonly string[];
  readonly quote: string | undefined;
  readonly facts: readonly (readonly [name: string, value: string])[];
  /** What most readers came for; the button is a link then. */
  readonly first: Link | undefined;
  /** The button's whole address is shown below it. */
  readonly button: Link | undefined;
  readonly advice: readonly string[];
  readonly links: readonly Link[];
  /** The footer says why the recipient gets the email, by default because of their own account. */
  readonly footer: string;
  readonly appName: string;
  readonly palette: Palette;
  readonly words: Pick<Words, 'tag' | 't' | 'direction'>;
}

/** Smaller numbers are sent first: account safety waits for nothing else. */
export const priorities = { account: 0, review: 1, ordinary: 2 } as const;

/** The content has a secret only as its button's address. */
export interface Email
  extends Pick<Card, 'subject' | 'text'>,
    Partial<Omit<Card, 'subject' | 'text' | 'button' | 'appName' | 'palette' | 'words'>> {
  readonly button?: Button | undefined;
  /** The recipient's language is English by default. */
  readonly words?: Words;
  /** iCalendar with its METHOD is attached to the email (RFC 5546, RFC 6047). */
  readonly calendarEntry?: string;
  readonly replyTo?: string | undefined;
  readonly priority?: keyof typeof priorities;
  /** A newer email with the same thread replaces one that wasn't sent yet. */
  readonly thread?: string;
}

export interface Button extends Link {
  /** A private link is for the recipient alone: with it, anyone may act. */
  readonly isPrivate?: boolean;
  readonly saysWhenSent?: boolean;
}

export type RenderedEmail = Pick<
  typeof outbox.$inferSelect,
  | ('id' | 'recipient' | 'subject' | 'text' | 'html')
  | ('encryptedLink' | 'calendarEntry' | 'replyTo' | 'priority' | 'thread')
>;

const purpose = 'private-link';
const eta = new Eta({ views: join(packageFolder, 'views'), cache: true });

const hiddenLink = z.object({ mark: z.string(), address: z.string(), saysWhenSent: z.boolean().optional() });

/**
 * Renders an email as text and HTML. The private link is kept apart, encrypted, so that neither a
 * stolen database, the admins' outbox nor a log opens it. Its mark can't be guessed: no one can put
 * it into a name or reason and so pull the link into an address of their own.
 */
export function renderEmail(
  { calendarEntry, replyTo, priority = 'account', thread, words = english, ...email }: Email,
  recipient: string,
  { config, runtime, secrets }: Pick<Platform, 'config' | 'runtime' | 'secrets'>,
): RenderedEmail {
  const { name: appName, color } = config.brand;
  const mark = `(a link that only the recipient sees, ${randomHex(runtime, 8)})`;
  const { button } = email;
  const secret = button?.isPrivate ? button : undefined;
  const subject = asLine(email.subject);
  const card: Card = {
    heading: subject,
    headline: undefined,
    preheader: email.text[0] ?? '',
    first: undefined,
    quote: undefined,
    facts: [],
    advice: [],
    links: [],
    footer: words.t(
      'You get this email because of your {app} account. If you didn’t expect it, sign in and look at your settings.',
      { app: appName },
    ),
    appName,
    palette: paletteOf(color),
    words,
    ...email,
    button: button?.isPrivate ? { ...button, address: mark } : button,
  };
  return {
    id: newUuid(runtime),
    recipient,
    subject,
    text: textOf(card),
    html: eta.render('mail/email', card),
    encryptedLink:
      secret === undefined
        ? null
        : secrets.encrypt(purpose, Buffer.from(JSON.stringify(hiddenLink.parse({ mark, ...secret })))),
    calendarEntry: calendarEntry ?? null,
    replyTo: replyTo ?? null,
    priority: priorities[priority],
    thread: thread ?? null,
  };
}

/**
 * Puts the private link into both forms of the email. @throws LinkUnreadable when the link was
 * encrypted under a SECRET that is gone: without it the email says nothing
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

/** `address.seconds.MAC` makes a link's life count from when it was sent, not queued. */
export function addSentAt(address: string, secrets: Secrets, now: Date): string {
  const said = `${new URL(address).pathname}.${Math.floor(now.getTime() / 1000)}`;
  return `${address}${said.slice(said.lastIndexOf('.'))}.${secrets.sign(sentPurpose, said)}`;
}

/** Reads the token at the end of a link that was sent less than `lifetimeSeconds` ago. */
export function readSentToken(
  path: string,
  text: string,
  lifetimeSeconds: number,
  { runtime, secrets }: Pick<Platform, 'runtime' | 'secrets'>,
): string | undefined {
  const [, token, seconds, mac = ''] = /^(.+)\.(\d{1,12})\.([\w-]+)$/.exec(text) ?? [];
  if (!secrets.isSigned(sentPurpose, `${path}${token}.${seconds}`, mac)) return undefined;
  const age = runtime.now().getTime() - Number(seconds) * 1000;
  return age < lifetimeSeconds * 1000 ? token : undefined; // protects: C57
}

class LinkUnreadable extends Error {
  override readonly name = 'LinkUnreadable';
}

function textOf(card: Card): string {
  const { heading, text, quote, facts, first, button, advice, links, footer, appName, words } = card;
  // In French a space stands before a colon.
  const named = (name: string, value: string): string => words.t('{name}: {value}', { name, value });
  const addressOf = (link: Link): string => `${named(link.words, '').trimEnd()}\n${link.address}`;
  // Further lines are indented, so that no value looks like another fact.
  const lineOf = ([name, value]: Card['facts'][number]): string =>
    named(name, withPlainBreaks(value).replaceAll('\n', '\n    '));
  const blocks = [
    heading,
    ...text,
    quote ?? '',
    facts.map(lineOf).join('\n'),
    first === undefined ? '' : addressOf(first),
    button === undefined ? '' : addressOf(button),
    ...advice,
    ...links.map(addressOf),
  ];
  const shown = blocks.filter((block) => block !== '').map(withPlainBreaks);
  // The footer comes after the mark of a signature (RFC 3676 §4.3).
  return `${shown.join('\n\n')}\n\n-- \n${footer}\n${appName}\n`;
}
