import { visitorLanguages } from '../../src/languages/languages.ts';
import { createWords, type Words } from '../../src/platform/words.ts';
import { atTheEnd } from '../support/at-the-end.ts';
import { textOf } from '../support/page-content.ts';

const [plain, accented] = ['aceinosuyACEINOSUY', 'àçéîñöšûýÀÇÉÎÑÖŠÛÝ'];

const accent = (text: string): string =>
  text.replaceAll(/[a-zA-Z]/g, (letter) => accented[plain.indexOf(letter)] ?? letter);

/** Everything that was said in the pseudo-language. */
export const said: Set<string> = new Set();

/** `Sign in` becomes `⟦Šîgñ îñ~~⟧`: what stands outside of the marks was never translated. */
function pseudoOf(text: string): string {
  said.add(text);
  const words = text.replaceAll(/<\/?link>|\{(?:[^{}]|\{[^{}]*\})*\}|[^{<]+/g, (part) =>
    /^[{<]/.test(part) ? part : accent(part),
  );
  // Of a choice, a page shows one form.
  const { length } = text.replaceAll(/\{\w+, (?:[^{}]|\{[^{}]*\})*\}/g, 'one form');
  return `⟦${words}${'~'.repeat(Math.ceil(length * 0.4))}⟧`;
}

/** Dates are Greek, so that they have no Latin letters. Sentences are two fifths longer than English ones. */
export const pseudo: Words = createWords('el', pseudoOf);

/** The words of a language that people can choose. */
export const wordsIn = (language: string): Promise<Words> =>
  visitorLanguages.wordsFor({ language, lastLanguage: null });

/** All translated pages and emails of this file speak the pseudo-language from now on. */
export function speakPseudo(): void {
  speak(pseudo);
}

const real = { ...visitorLanguages };

/** The same for any language. */
export function speak(words: Words): void {
  Object.assign(visitorLanguages, { wordsOf: async () => words, wordsFor: async () => words });
  atTheEnd(async () => void Object.assign(visitorLanguages, real));
}

/** Values within the marks are what people typed, addresses, or translated on their own. */
function outsideMarks(text: string): string {
  let depth = 0;
  return [...text]
    .filter((character) => {
      if (character === '⟦') depth += 1;
      if (character === '⟧') depth -= 1;
      return depth === 0 && character !== '⟧';
    })
    .join('');
}

/** Brands, addresses, zones, and languages by their own names aren't translated. */
const names =
  /\S+@\S+|https?:\/\/\S+|\b(?:Latchkey|Google|Outlook|UTC|GMT|English|Deutsch|Espa\S+|Fran\S+|Portugu\S+|Brasil|Europe\/Berlin|Berlin)\b/g;

/** Returns the words with Latin letters that a page or an email shows, or says to screen readers, in English alone. */
export function untranslatedIn(html: string): readonly string[] {
  const [, body = html] = /<body[^>]*>(.*)<\/body>/s.exec(html) ?? [];
  const [, title = ''] = /<title>(.*?)<\/title>/s.exec(html) ?? [];
  const said = [...body.matchAll(/ (?:aria-label|placeholder|title|alt)="([^"]*)"/g)].map(
    ([, words]) => words,
  );
  const shown = body.replaceAll(/<(datalist|style|script)\b.*?<\/\1>/gs, '').replaceAll(/<[^>]*>/g, '$&\n');
  const text = outsideMarks(textOf([title, ...said, shown].join('\n'))).replaceAll(names, '');
  return text.match(/[A-Za-z]{2,}/g) ?? [];
}
