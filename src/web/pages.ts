import type { FastifyReply, FastifyRequest } from 'fastify';
import { type DateWords, dateWordsOf, readerLocaleOf } from '../platform/locale.ts';
import type { Card } from '../platform/mail/email.ts';
import { bdi, type Said, strong, timeAt, type Words } from '../platform/words.ts';
import { assetAddress, icon } from './assets.ts';
import type { Brand } from './brand.ts';
import { contentSecurityPolicy } from './headers.ts';
import { initialsOf } from './initials.ts';
import { type Navigation, type NavigationLink, navigationOf } from './navigation.ts';
import type { Outcome } from './outcomes.ts';
import type { LanguageChoice } from './translated.ts';

export interface Viewer {
  readonly name: string;
  readonly email: string;
  readonly isAdmin: boolean;
  readonly timeZone: string;
  readonly timeFormat: 12 | 24;
  readonly formToken: string;
  readonly language: string | null;
}

interface SealedForm {
  readonly address: string;
  readonly sealed: string;
}

declare module 'fastify' {
  interface FastifyInstance {
    readonly navigationLinks: readonly NavigationLink[];
  }
  interface FastifyContextConfig {
    /** Hosts of organizations have this route, too. */
    readonly isForOrganizations?: boolean;
    /** Redirects a post that another site sends; undefined where none may come. */
    readonly addressOfPosted?: (request: Pick<FastifyRequest, 'url' | 'body'>) => string | undefined;
  }
  interface FastifyRequest {
    viewer: Viewer | undefined;
    /** The reader's, except on the pages of scopes with `keepEnglish`. */
    words: Words;
    /** A page that refuses a form for the moment can offer to send it again. */
    keepSent: (() => SealedForm | undefined) | undefined;
    languageChoice: LanguageChoice | undefined;
    warning: string | undefined;
    outcome: Outcome | undefined;
    /** What waits for an admin, by the address of its link. */
    waiting: ReadonlyMap<string, number> | undefined;
    /** An organization's origin comes from the configuration, never from the request. */
    ownOrigin: string | undefined;
    /** Leads back to the app's request on whose way the page is. */
    onTheWay: OnTheWay | undefined;
  }
}

export interface OnTheWay {
  readonly address: string;
  /** Goes on to it with the person who signs in there. */
  readonly signInAddress: string;
  /** Shows its page, where consent is remembered, too. */
  readonly shownAddress: string;
}

export interface Page {
  readonly title: string;
  /** Search engines get only pages with a description. */
  readonly description?: string;
  /** Chats show this of a link that is shared. */
  readonly preview?: { readonly title: string; readonly text: string };
  readonly scripts?: readonly string[];
  /** Its script asks us again, so its policy lets it connect to us. */
  readonly connects?: true;
  readonly refreshTo?: string;
  readonly faults?: Readonly<Record<string, Said>>;
  /** A fault of the whole form. */
  readonly problem?: Said | undefined;
}

/** @public `views/check.ts` checks templates by it. */
export interface PageContext extends DateWords, Pick<Words, 't' | 'tHtml' | 'say' | 'direction'> {
  readonly lang: string;
  readonly languageChoice: LanguageChoice | undefined;
  readonly bdi: typeof bdi;
  readonly strong: typeof strong;
  readonly timeAt: typeof timeAt;
  readonly path: string;
  readonly viewer: Viewer | undefined;
  readonly warning: string | undefined;
  readonly outcome: Outcome | undefined;
  readonly onTheWay: OnTheWay | undefined;
  readonly navigation: Navigation;
  /** The first field with a fault is the first in the order of the form's schema. */
  readonly faulty: string | undefined;
  /** Pages promise no email without a mail server. */
  readonly hasMail: boolean;
  readonly appUrl: string;
  readonly appName: string;
  readonly brand: Brand;
  readonly asset: typeof assetAddress;
  readonly icon: typeof icon;
  readonly initialsOf: typeof initialsOf;
}

/** Keys are paths below `views`. Features add theirs by merging; `views/check.ts` checks all. */
export interface Views {
  layout: Page & {
    readonly width?: 'narrow' | 'wide';
    readonly isQuiet?: boolean;
    readonly isForVisitors?: boolean;
    /** The page itself says who is signed in, and offers another account. */
    readonly namesAccount?: boolean;
    readonly body: string;
  };
  header: { readonly isQuiet?: boolean | undefined; readonly hasMenu: boolean };
  mark: object;
  waiting: { readonly waiting: number };
  person: { readonly name: string };
  outcome: object;
  /** What was done, or not, is where the next key press goes, so that it's read out. */
  notice: {
    readonly words: Said | false | undefined;
    readonly kind?: 'good' | 'warn' | 'bad' | '';
    readonly html?: string | false | undefined;
  };
  settings: Omit<Page, 'title'> & { readonly body: string };
  error: Page & {
    readonly text: string;
    /** The link leads home by default. */
    readonly next?: { readonly address: string; readonly words: string } | undefined;
    readonly kept?: SealedForm | undefined;
  };
  /** Nothing is deleted by one click: this asks before a post to its path (security C273). */
  deletion: Page & {
    readonly text: string;
    readonly button: string;
    readonly back: { readonly address: string; readonly words: string };
    readonly hidden?: Readonly<Record<string, string>>;
  };
  'mail/email': Card;
  copyable: {
    readonly value: string;
    readonly what: string;
    readonly id?: string;
    readonly href?: string;
  };
  pager: {
    readonly links: readonly {
      readonly address: string | 0 | false | undefined;
      readonly words: string;
      readonly rel?: 'prev' | 'next';
    }[];
  };
  field: FieldView & {
    readonly typed: Readonly<Record<string, string>>;
    readonly type?: 'text' | 'email' | 'password' | 'url' | 'search' | 'date' | 'number' | 'tel';
    readonly autocomplete?: string;
    readonly maxlength?: number;
    readonly minlength?: number;
    /** A number of rows makes it a text area. */
    readonly rows?: number | undefined;
    readonly isCode?: boolean;
    readonly placeholder?: string;
    /** Stands before what is typed, such as the beginning of an address. */
    readonly prefix?: string | undefined;
    /** Browsers propose these while people type. */
    readonly suggestions?: readonly string[];
  };
  amount: FieldView & {
    readonly typed: Readonly<Record<string, string>>;
    readonly units?: readonly string[];
  };
  choices: ChoicesView;
  select: FieldView & {
    /** A language has its own name. */
    readonly options: readonly (readonly [value: string | number, words: string, language?: string])[];
    readonly chosen: string | number | undefined;
  };
}

interface ChoicesView extends Pick<FieldView, 'name' | 'faults' | 'hint' | 'optional'> {
  readonly legend: string;
  readonly isOne: boolean;
  readonly areTiles?: boolean;
  readonly choices: readonly {
    readonly value: string | number;
    readonly title?: string;
    readonly words: string;
    readonly isChosen: boolean;
    /** The next field belongs to this choice alone. */
    readonly asks?: boolean;
  }[];
}

interface FieldView {
  readonly name: string;
  readonly id?: string;
  readonly label: string;
  readonly faults: Readonly<Record<string, Said>>;
  readonly hint?: string | undefined;
  readonly optional?: boolean;
  readonly focus?: string | false | undefined;
}

const tools = { asset: assetAddress, icon, initialsOf, bdi, strong, timeAt };

/** HEAD asks for the answer of GET, without its content (RFC 9110 §9.3.2). */
export function isRead({ method }: Pick<FastifyRequest, 'method'>): boolean {
  return method === 'GET' || method === 'HEAD';
}

/**
 * `formTargets` are CSP sources that a form may end at, since Chromium checks its redirects, too.
 */
export async function sendPage<const Name extends keyof Views>(
  reply: FastifyReply,
  viewName: Name,
  data: Views[Name] & { readonly title: string },
  formTargets: readonly string[] = [],
): Promise<FastifyReply> {
  const { request } = reply;
  // Search engines' checks read robots.txt from within a public page.
  const mayConnect = 'description' in data || 'connects' in data; // protects: C371
  // A page with a policy of its own has set it before.
  // protects: C18
  if (formTargets.length > 0 || mayConnect)
    reply.header('content-security-policy', contentSecurityPolicy(formTargets, mayConnect));
  const { viewer, warning, outcome, onTheWay } = request;
  const path = request.url.replace(/\?.*$/s, '');
  const { tag: lang, locale, t, tHtml, say, direction } = request.words;
  const language = locale ?? readerLocaleOf(request.headers['accept-language']).language;
  const dates = dateWordsOf({ timeZone: viewer?.timeZone ?? 'UTC', language, hours: viewer?.timeFormat });
  const navigation = navigationOf(
    request.server.navigationLinks,
    path,
    viewer?.isAdmin === true,
    request.waiting,
  );
  const [faulty] = Object.keys(('faults' in data && data.faults) || {});
  const hasMail = request.server.mail.isConfigured;
  const { brand, config } = request.server;
  const site = { appUrl: config.appUrl, appName: config.brand.name, brand };
  const words = { lang, t, tHtml, say, direction, languageChoice: request.languageChoice };
  const context = { viewer, warning, outcome, onTheWay, navigation, faulty, hasMail, ...site, ...words };
  const shared = { ...tools, ...dates, ...context };
  reply.header('content-language', lang);
  // A page may name another path than its own address.
  return reply.view(viewName, { path, ...data, ...shared, shared });
}
