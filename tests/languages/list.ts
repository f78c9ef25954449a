import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { IntlMessageFormat } from 'intl-messageformat';

const root = join(import.meta.dirname, '../..');
const folder = join(root, 'src/languages');

export const tags: readonly string[] = globSync('*.json', { cwd: folder })
  .map((name) => name.replace('.json', ''))
  .toSorted();

export const translationsIn = (tag: string): Readonly<Record<string, string>> =>
  JSON.parse(readFileSync(join(folder, `${tag}.json`), 'utf8'));

const sources: string = globSync(['src/**/*.ts', 'views/**/*.eta'], { cwd: root })
  .map((path) => readFileSync(join(root, path), 'utf8'))
  .join('\n');

/** Sentences that stand where they are said. Others, such as the faults of a form, are found among the translations. */
const literals: readonly string[] = [...sources.matchAll(/\bt(?:Html)?\(\s*'([^'\\]*)'/g)].map(
  ([, text = '']) => text,
);

const isSaid = (text: string): boolean => sources.includes(`'${text}'`);

const all: readonly string[] = [
  ...new Set([...literals, ...tags.flatMap((tag) => Object.keys(translationsIn(tag))).filter(isSaid)]),
];

/** How far a language is. */
export function measure(tag: string, said: readonly string[] = all) {
  const translations = translationsIn(tag);
  const missing = said.filter((text) => !(text in translations));
  return { share: 1 - missing.length / said.length, missing };
}

/** Translations that have other values or links than their English sentence. */
export const faultyIn = (tag: string) =>
  Object.entries(translationsIn(tag)).filter(
    ([text, translation]) => String(namesIn(text, 'en')) !== String(namesIn(translation, tag)),
  );

/** @throws SyntaxError for what is no ICU message */
function namesIn(text: string, tag: string): readonly string[] {
  type Elements = ReturnType<IntlMessageFormat['getAst']>;
  const list = (elements: Elements): readonly string[] =>
    elements.flatMap((element) => [
      ...('value' in element && element.type > 0 ? [element.value] : []),
      ...('children' in element ? list(element.children) : []),
      ...('options' in element ? Object.values(element.options).flatMap(({ value }) => list(value)) : []),
    ]);
  return [...new Set(list(new IntlMessageFormat(text, tag).getAst()))].toSorted();
}

if (import.meta.main) {
  const lines = tags.flatMap((tag) => {
    const { share, missing } = measure(tag);
    const stale = Object.keys(translationsIn(tag)).filter((text) => !isSaid(text));
    return [
      `${tag}: ${Math.floor(share * 100)} % of ${all.length} sentences`,
      ...missing.map((text) => `  is missing: ${text}`),
      ...stale.map((text) => `  is said nowhere: ${text}`),
    ];
  });
  process.stdout.write(`${lines.join('\n')}\n`);
}
