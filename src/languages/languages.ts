import type { FastifyRequest } from 'fastify';
import { clearCookie, readCookie, setCookie } from '../accounts/browsers.ts';
import { formPageOf, queryIn, refererOf, returnQueryOf } from '../accounts/sessions/addresses.ts';
import { languageAmong } from '../platform/locale.ts';
import { createWords, english, type Words } from '../platform/words.ts';
import { isRead } from '../web/pages.ts';
import type { Languages } from '../web/translated.ts';
import { setLanguage } from './store.ts';

/** People find a language by its own name. Its translations are loaded when it is first used. */
const known = {
  en: ['English', undefined],
  de: ['Deutsch', () => import('./de.json', { with: { type: 'json' } })],
  es: ['Español', () => import('./es.json', { with: { type: 'json' } })],
  fr: ['Français', () => import('./fr.json', { with: { type: 'json' } })],
  'pt-BR': ['Português (Brasil)', () => import('./pt-BR.json', { with: { type: 'json' } })],
  ja: ['日本語', () => import('./ja.json', { with: { type: 'json' } })],
  ar: ['العربية', () => import('./ar.json', { with: { type: 'json' } })],
} as const;

type Tag = keyof typeof known;

const tags: readonly Tag[] = ['en', 'de', 'es', 'fr', 'pt-BR', 'ja', 'ar'];
const names = tags.map((tag) => [tag, known[tag][0]] as const);

export const knownTag = (text: unknown): Tag | undefined => tags.find((tag) => tag === text);

const loaded = new Map<Tag, Promise<Words>>();

function wordsIn(tag: Tag = 'en'): Promise<Words> {
  const words = loaded.get(tag) ?? loadWords(tag);
  loaded.set(tag, words);
  return words;
}

/** What has no translation yet is said in English. */
async function loadWords(tag: Tag): Promise<Words> {
  const [, load] = known[tag];
  if (load === undefined) return english;
  const translations = new Map(Object.entries((await load()).default));
  return createWords(tag, (text) => translations.get(text) ?? text);
}

/** Portuguese has one file for all its readers. */
const offered: readonly string[] = [...tags, 'pt'];

function closestTag(acceptLanguage: string | undefined): Tag | undefined {
  const liked = languageAmong(offered, acceptLanguage);
  return knownTag(liked === 'pt' ? 'pt-BR' : liked);
}

/** Bounds what one request costs. */
const maxAsked = 20;

/**
 * An app can say what its users read, best first (OpenID Connect Core, section 3.1.2.1;
 * RP-Initiated Logout, section 2).
 */
function askedFor(request: FastifyRequest): Tag | undefined {
  const query = queryIn(request.onTheWay?.address ?? request.url);
  const asked = new URLSearchParams(query).get('ui_locales') ?? '';
  return asked
    .split(' ', maxAsked)
    .map(closestTag)
    .find((tag) => tag !== undefined);
}

const chosenBy = (request: FastifyRequest): Tag | undefined =>
  knownTag(request.viewer?.language) ?? knownTag(readCookie(request, 'language'));

const likedBy = ({ headers }: FastifyRequest): Tag | undefined => closestTag(headers['accept-language']);

export const choicePath = '/settings/language';

/** Browsers keep a cookie for 400 days at most (RFC 6265bis §5.5). */
const cookieSeconds = 400 * 24 * 3600;

export const visitorLanguages: Languages = {
  tags,
  wordsOf(request) {
    return wordsIn(chosenBy(request) ?? askedFor(request) ?? likedBy(request));
  },
  ownTagOf: (request) => chosenBy(request) ?? likedBy(request) ?? 'en',
  wordsFor: ({ language, lastLanguage }) => wordsIn(closestTag(language ?? lastLanguage ?? undefined)),
  async choose(reply, tag) {
    const { server, session } = reply.request;
    if (tag === null) clearCookie(reply, 'language');
    else setCookie(reply, 'language', tag, cookieSeconds);
    if (session !== undefined) await setLanguage(server.db, session.person.id, tag);
  },
  choiceOf(request) {
    const isChosen = chosenBy(request) !== undefined;
    return { action: `${choicePath}${returnQueryOf(pageOf(request))}`, names, isChosen };
  },
};

/** A form's own address lacks the query of its page, which says where the visitor is going. */
function pageOf(request: FastifyRequest): string {
  if (isRead(request)) return request.url;
  const [page = '/', referer = ''] = [formPageOf(request), refererOf(request)];
  return referer.startsWith(`${page}?`) ? referer : page;
}
