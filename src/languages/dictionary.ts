import type { Translation } from '../platform/words.ts';
import type { german } from './de.ts';

type German = typeof german;

/** A language that lacks a sentence of the German one, or has others, doesn't compile. */
export type Dictionary = {
  readonly [Text in keyof German]: Text extends `${string}|${string}` ? Translation : string;
};

declare module '../platform/words.ts' {
  interface Sentences extends Record<keyof German, unknown> {}
}
