import type { FastifyReply, FastifyRequest } from 'fastify';
import { english, type Words } from '../platform/words.ts';

/** What the part `languages` makes of a request or an email's reader. */
export interface Languages {
  readonly tags: readonly string[];
  wordsOf(request: FastifyRequest): Promise<Words>;
  /** Returns what the person or the browser likes, whatever an app asks for. */
  ownTagOf(request: FastifyRequest): string;
  wordsFor(reader: Reader): Promise<Words>;
  /** Keeps a choice for the person, or for this browser; null follows the browser. */
  choose(reply: FastifyReply, tag: string | null): Promise<void>;
  /** The choice in the footer leads back to the page. */
  choiceOf(request: FastifyRequest): LanguageChoice;
}

export interface Reader {
  readonly language: string | null;
  readonly lastLanguage: string | null;
}

/** The choice that takes an earlier one back. */
export const followsBrowser = 'browser';

export interface LanguageChoice {
  readonly action: string;
  readonly names: readonly (readonly [tag: string, name: string])[];
  /** A choice can be taken back. */
  readonly isChosen: boolean;
}

declare module '../platform/platform.ts' {
  interface OptionalCapabilities {
    readonly languages: Languages;
  }
}

/** Makes a scope's pages, and the error pages that they lead to, speak the reader's language. */
export async function translated(request: FastifyRequest): Promise<void> {
  const { languages } = request.server;
  if (languages === undefined) return;
  request.words = await languages.wordsOf(request);
  request.languageChoice = languages.choiceOf(request);
}

/** This is a scope's first hook, where its pages are English, or is called for a single page. */
export async function keepEnglish(request: FastifyRequest): Promise<void> {
  request.words = english;
  request.languageChoice = undefined;
}
