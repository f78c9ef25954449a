import { join } from 'node:path';
import cookie from '@fastify/cookie';
import view from '@fastify/view';
import { Eta } from 'eta';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { validatorCompiler } from 'fastify-type-provider-zod';
import { handedIn } from '../part.ts';
import { explainOutage } from '../platform/database.ts';
import { LimitReached } from '../platform/limits/reached.ts';
import { type DateWords, dateWordsOf, readerLocaleOf } from '../platform/locale.ts';
import type { Card } from '../platform/mail/email.ts';
import { packageFolder } from '../platform/package.ts';
import { acceptForms } from '../platform/parameters.ts';
import { type ScopedPlugin, scopedPlugin } from '../platform/scoped-plugin.ts';
import { bdi, english, type Sentence, strong, timeAt, type Words } from '../platform/words.ts';
import { assetAddress, icon } from './assets.ts';
import type { Brand } from './brand.ts';
import { initialsOf } from './initials.ts';
import { type Navigation, type NavigationLink, navigationOf } from './navigation.ts';

export interface Viewer {
  readonly name: string;
  readonly email: string;
  readonly isAdmin: boolean;
  readonly timeZone: string;
  readonly timeFormat: 12 | 24;
  readonly formToken: string;
  readonly language: string | null;
}

/** What the part `languages` makes of a request or an email's reader. */
export interface Languages {
  readonly tags: readonly string[];
  wordsOf(request: FastifyRequest): Promise<Words>;
  /** Returns what the person or the browser likes, whatever an app asks for. */
  ownTagOf(request: FastifyRequest): string;
  wordsFor(reader: Reader): Promise<Words>;
  /** The choice in the footer leads back to the page. */
  choiceOf(request: FastifyRequest): LanguageChoice;
}

export interface Reader {
  readonly language: string | null;
  readonly lastLanguage: string | null;
}

export interface LanguageChoice {
  readonly action: string;
  readonly names: readonly (readonly [tag: string, name: string])[];
  /** A choice can be taken back. */
  readonly isChosen: boolean;
}

declare module '../platform/platform.ts' {
  interface Platform {
    /** Stays undefined where all pages are English. */
    readonly languages: Languages | undefined;
  }
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
    /** English, except on the pages of scopes with {@link translated}. */
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
  /** Goes on to it with whoever signs in there. */
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
  readonly refreshTo?: string;
  readonly faults?: Readonly<Record<string, string>>;
}

export interface Outcome {
  readonly words: string;
  readonly isGood: boolean;
}

export interface PageContext extends DateWords, Pick<Words, 't' | 'tHtml' | 'known' | 'direction'> {
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
  outcome: { readonly sendAgainAt?: Date | undefined };
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
    readonly list?: readonly string[];
  };
  amount: FieldView & {
    readonly typed: Readonly<Record<string, string>>;
    readonly units: readonly string[];
  };
  choices: ChoicesView;
  select: FieldView & {
    readonly options: readonly (readonly [value: string | number, words: string])[];
    readonly chosen: string | number | undefined;
  };
}

interface ChoicesView extends Pick<FieldView, 'name' | 'faults' | 'hint' | 'optional'> {
  readonly legend: string;
  readonly isOne: boolean;
  readonly choices: readonly {
    readonly value: string | number;
    readonly title?: string;
    readonly words: string;
    readonly isChosen: boolean;
  }[];
}

interface FieldView {
  readonly name: string;
  readonly id?: string;
  readonly label: string;
  readonly faults: Readonly<Record<string, string>>;
  readonly hint?: string | undefined;
  readonly optional?: boolean;
  readonly focus?: string | false | undefined;
}

const viewsFolder = join(packageFolder, 'views');

export const pageScopePlugin = fp(
  async (app) => {
    const { appUrl } = app.config;
    const links = handedIn(app.parts, ({ navigation }) => navigation);
    app.decorate(
      'navigationLinks',
      links.toSorted((one, other) => one.place - other.place),
    );
    for (const name of [
      'viewer',
      'keepSent',
      'languageChoice',
      'warning',
      'outcome',
      'waiting',
      'ownOrigin',
      'onTheWay',
    ])
      app.decorateRequest(name, undefined);
    app.decorateRequest('words');
    app.setValidatorCompiler(validatorCompiler);
    app.removeContentTypeParser(['application/json', 'text/plain']);
    acceptForms(app);
    await app.register(cookie);
    // protects: C33
    const eta = new Eta({ views: viewsFolder, cache: true, plugins: [{ processTemplate: addFormTokens }] });
    await app.register(view, {
      engine: { eta },
      templates: viewsFolder,
      viewExt: 'eta',
      production: true,
      defaultContext: {
        asset: assetAddress,
        icon,
        initialsOf,
        bdi,
        strong,
        timeAt,
      } satisfies Partial<PageContext>,
    });
    app.addHook('onRequest', async (request, reply) => {
      request.words = english;
      reply.headers(pageHeaders());
    });
    app.addHook('preValidation', async (request, reply) => {
      if (request.method !== 'POST') return undefined;
      const sender = senderOf(request, appUrl);
      const address = sender === 'ours' ? undefined : request.routeOptions.config.addressOfPosted?.(request);
      if (address !== undefined) return reply.redirect(address, 303);
      if (sender === 'others') return sendCrossOriginFault(reply);
      // A form without fields has no body, which a schema would refuse.
      request.body ??= {};
      return undefined;
    });
    app.addHook('preHandler', async (request) => {
      if (request.viewer?.isAdmin !== true || !isRead(request)) return;
      const counted = links.map(async ({ address, countWaiting }) => {
        return [address, (await countWaiting?.(app)) ?? 0] as const;
      });
      request.waiting = new Map(await Promise.all(counted));
    });
    // Emails that a form has caused are sent now; nothing waits for them.
    app.addHook('onResponse', async ({ method }, { statusCode }) => {
      if (method === 'POST' && statusCode < 400) app.mail.nudge();
    });
    app.setErrorHandler(sendFaultPage);
  },
  { name: 'page-scope', dependencies: ['platform'] },
);

/**
 * Templates contain no typed text. The token comes first: fields after a file are read after it.
 * It's for our own forms: `rel="external"` marks those that lead elsewhere.
 */
function addFormTokens(template: string): string {
  const field = '<input type="hidden" name="form_token" value="<%= it.viewer.formToken %>">';
  return template.replaceAll(/<form\b(?:<%.*?%>|[^>])*>/gs, (form) =>
    form.includes('method="post"') && !form.includes('rel="external"') // protects: C350
      ? `${form}<% if (it.viewer) { %>${field}<% } %>`
      : form,
  );
}

/** Scopes a group of pages. A boot fails where pages can't be (ADR 10). */
export function pagesPlugin(name: string, plugin: ScopedPlugin): ScopedPlugin {
  return scopedPlugin(name, ['page-scope', 'sessions'], plugin);
}

/** Makes a scope's pages, and the error pages that they lead to, speak the reader's language. */
export async function translated(request: FastifyRequest): Promise<void> {
  const { languages } = request.server;
  if (languages === undefined) return;
  request.words = await languages.wordsOf(request);
  request.languageChoice = languages.choiceOf(request);
}

/** Keeps a page English to which a translated scope leads. */
export function keepEnglish(request: FastifyRequest): void {
  request.words = english;
  request.languageChoice = undefined;
}

/** Sends HSTS with every answer over https, also the API's (RFC 6797). */
export function transportHeaders(appUrl: string): Record<string, string> {
  return appUrl.startsWith('https:') ? { 'strict-transport-security': 'max-age=31536000' } : {};
}

/** Forbids framing, other origins and caching (contract §3, security C17, C19). */
export function pageHeaders(): Record<string, string> {
  return {
    'content-security-policy': contentSecurityPolicy(),
    'referrer-policy': 'same-origin', // protects: C19
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'permissions-policy': 'camera=(), geolocation=(), microphone=()',
    'cache-control': 'no-store',
  };
}

/**
 * Hides a secret address, as an onRequest hook. With `no-referrer`, a form's Origin would be null.
 */
export async function hideAddress(_request: FastifyRequest, reply: FastifyReply): Promise<void> {
  reply.header('referrer-policy', 'strict-origin');
}

/** HEAD asks for the answer of GET, without its content (RFC 9110 §9.3.2). */
export function isRead({ method }: Pick<FastifyRequest, 'method'>): boolean {
  return method === 'GET' || method === 'HEAD';
}

function contentSecurityPolicy(formTargets: readonly string[] = [], mayConnect = false): string {
  return [
    "default-src 'none'",
    "style-src 'self'",
    "script-src 'self'",
    "font-src 'self'",
    "img-src 'self'",
    ...(mayConnect ? ["connect-src 'self'"] : []),
    `form-action ${["'self'", ...formTargets].join(' ')}`,
    "base-uri 'none'",
    "frame-ancestors 'none'", // protects: C17
  ].join('; ');
}

/**
 * Older browsers and plain http lack Sec-Fetch-Site. A caller without Origin, too, is no browser.
 */
function senderOf(request: FastifyRequest, appUrl: string): 'ours' | 'others' | 'no browser' {
  const site = request.headers['sec-fetch-site'];
  if (site === 'same-origin') return 'ours';
  if (site !== undefined && site !== 'none') return 'others';
  const { origin } = request.headers;
  if (origin === undefined) return 'no browser';
  return origin === (request.ownOrigin ?? appUrl) ? 'ours' : 'others';
}

async function sendCrossOriginFault(reply: FastifyReply): Promise<FastifyReply> {
  const { t } = reply.request.words;
  return sendPage(reply.code(403), 'error', {
    title: t('This form came from another site'),
    text: t('For your safety, nothing was changed. Open the page here and try again.'),
  });
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
  const isPublic = 'description' in data;
  // protects: C18
  if (formTargets.length > 0 || isPublic)
    reply.header('content-security-policy', contentSecurityPolicy(formTargets, isPublic));
  const { viewer, warning, outcome, onTheWay } = request;
  const path = request.url.replace(/\?.*$/s, '');
  const { tag: lang, locale, t, tHtml, known, direction } = request.words;
  const language = locale ?? readerLocaleOf(request.headers['accept-language']).language;
  const dates = dateWordsOf({ timeZone: viewer?.timeZone ?? 'UTC', language, hours: viewer?.timeFormat });
  const navigation = navigationOf(
    request.server.navigationLinks,
    path,
    viewer?.isAdmin === true,
    request.waiting,
  );
  const [faulty] = Object.keys(('faults' in data && data.faults) || {});
  // A page may name another path than its own address.
  const hasMail = request.server.mail.isConfigured;
  const { brand, config } = request.server;
  const site = { appUrl: config.appUrl, appName: config.brand.name, brand };
  const words = { lang, t, tHtml, known, direction, languageChoice: request.languageChoice };
  const context = { viewer, warning, outcome, onTheWay, navigation, faulty, hasMail, ...site, ...words };
  reply.header('content-language', lang);
  return reply.view(viewName, { path, ...data, ...dates, ...context });
}

/**
 * Anyone can write `?done=`, so only known words count. `nothing`: the words when nothing was done.
 */
export function outcomeOf(
  query: unknown,
  words: Readonly<Record<string, string>>,
  nothing: readonly string[] = [],
): Outcome | undefined {
  const done = typeof query === 'object' && query !== null && 'done' in query ? query.done : undefined;
  const said = typeof done === 'string' && Object.hasOwn(words, done) ? words[done] : undefined;
  return said === undefined ? undefined : { words: said, isGood: !nothing.includes(said) };
}

export function tellOutcomes(
  app: FastifyInstance,
  words: Readonly<Record<string, string>>,
  nothing?: readonly string[],
): void {
  app.addHook('preValidation', async (request) => {
    request.outcome = outcomeOf(request.query, words, nothing);
  });
}

export const homePage = { address: '/', words: 'Go to home' } as const;

/** Sends 405 where the path has other methods (RFC 9110 §15.5.6), and else 404. */
export async function sendUnknownPage(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const allowed = request.server.allowedMethods(request.url.replace(/\?.*$/s, ''), '');
  if (allowed === '') return sendNotFoundPage(reply);
  return sendPage(reply.code(405).header('allow', allowed), 'error', {
    title: 'This page can’t be used that way',
    text: 'Nothing was changed. Go back and try again.',
  });
}

export async function sendNotFoundPage(reply: FastifyReply): Promise<FastifyReply> {
  const { t } = reply.request.words;
  return sendPage(reply.code(404), 'error', {
    title: t('Page not found'),
    text: t('The link may be wrong, or the page was removed.'),
  });
}

export type PageRefusal = readonly [status: number, title: string, text: string];

export async function sendRefusalPage(
  reply: FastifyReply,
  [status, title, text]: PageRefusal,
  next: Views['error']['next'],
): Promise<FastifyReply> {
  return sendPage(reply.code(status), 'error', { title, text, next });
}

class NothingThere extends Error {
  readonly statusCode = 404;
}

/** Throws where the address names nothing; {@link sendNotFoundPage} then says so. */
export function orNotFound<Value>(found: Value | undefined): Value {
  if (found === undefined) throw new NothingThere();
  return found;
}

async function sendFaultPage(error: FastifyError, request: FastifyRequest, reply: FastifyReply) {
  // Parameters that nothing can have name nothing, either.
  if (error.statusCode === 404 || error.validationContext === 'params') return sendNotFoundPage(reply);
  const outage = explainOutage(error);
  const status = outage === undefined ? (error.statusCode ?? 500) : 503;
  // Intended refusals under load are no faults: a crowd must not fill the log with stacks.
  if (status === 503 && outage === undefined) request.log.warn({ reason: error.name }, 'a page was put off');
  else if (status >= 500) request.log.error({ err: error }, outage ?? 'a page failed');
  else request.log.info({ code: error.code, reason: error.name }, 'a page was refused');
  const spent: unknown = error;
  if (spent instanceof LimitReached) return sendLimitPage(reply, spent);
  if (status === 503 || status === 429) reply.header('retry-after', 5);
  const { title, text } = faultWords(status);
  const { known } = request.words;
  return sendPage(reply.code(status), 'error', { title: known(title), text: known(text) });
}

/** Sets 429 and the time to wait (RFC 9110 §10.2.3). */
export function tooMany(reply: FastifyReply, { retryAfterSeconds }: LimitReached): FastifyReply {
  return reply.code(429).header('retry-after', retryAfterSeconds);
}

async function sendLimitPage(reply: FastifyReply, reached: LimitReached): Promise<FastifyReply> {
  const { words } = reply.request;
  return sendPage(tooMany(reply, reached), 'error', {
    title: words.t('Too many requests'),
    text: `${words.t('Nothing was changed.')} ${reached.tell(words)}`,
    kept: reply.request.keepSent?.(),
  });
}

function faultWords(status: number): { title: Sentence; text: Sentence } {
  if (status === 503) return { title: 'We’ll be back in a moment', text: 'Try again in a few seconds.' };
  if (status === 429)
    return {
      title: 'Too many requests',
      text: 'They came from your network. Nothing was changed. Try again in a few seconds.',
    };
  if (status >= 500) return { title: 'Something went wrong', text: 'It’s our fault. Try again.' };
  return {
    title: 'This request couldn’t be read',
    text: 'Nothing was changed. Go back and try again.',
  };
}
