import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { IntlMessageFormat } from 'intl-messageformat';
import {
  isCallExpression,
  isConditionalExpression,
  isPropertyAssignment,
  isStringLiteral,
  type Node,
} from 'typescript/unstable/ast';
import { API } from 'typescript/unstable/sync';

const root = join(import.meta.dirname, '../..');
const folder = join(root, 'src/languages');

export const tags: readonly string[] = globSync('*.json', { cwd: folder })
  .map((name) => name.replace('.json', ''))
  .toSorted();

export const translationsIn = (tag: string): Readonly<Record<string, string>> =>
  JSON.parse(readFileSync(join(folder, `${tag}.json`), 'utf8'));

let all: readonly string[] | undefined;

/** Everything that translated pages and emails can say; asks the compiler once. */
export function listSentences(): readonly string[] {
  all ??= [...new Set([...inViews(), ...inSource()])].filter((text) => text !== '');
  return all;
}

function inViews(): readonly string[] {
  const views = globSync('views/**/*.eta', { cwd: root }).map((path) =>
    readFileSync(join(root, path), 'utf8'),
  );
  return [
    ...views.join('\n').matchAll(/\bt(?:Html)?\((?:'([^']*)'|[^()]*?\? '([^']*)' : '([^']*)')/g),
  ].flatMap(([, ...texts]) => texts.filter((text) => text !== undefined));
}

/** What the compiler expects to be a `Sentence`, such as the words of a scope, and what is said there and then. */
function inSource(): readonly string[] {
  const api = new API();
  try {
    const [project] = api.updateSnapshot({ openProjects: [join(root, 'tsconfig.json')] }).getProjects();
    if (project === undefined) throw new Error('tsconfig.json opens no project');
    const { checker, program } = project;
    const sentences: string[] = [];
    const look = (node: Node, isSaid: boolean): void => {
      if (isStringLiteral(node)) {
        const type = isSaid ? undefined : checker.getContextualType(node);
        if (isSaid || (type && isSentence.test(checker.typeToString(type)))) sentences.push(node.text);
        return;
      }
      // A name isn't said.
      if (isPropertyAssignment(node)) {
        look(node.initializer, isSaid);
        return;
      }
      const isSaying = isCallExpression(node) && says.test(node.expression.getText());
      node.forEachChild((child) => look(child, isSaying || (isSaid && isConditionalExpression(node))));
    };
    for (const name of program.getSourceFileNames()) {
      const file = name.startsWith(join(root, 'src/')) ? program.getSourceFile(name) : undefined;
      if (file !== undefined) look(file, false);
    }
    return sentences;
  } finally {
    api.close();
  }
}

const isSentence = /Sentence\b|\bsentence\?/;
const says = /(?:^|\.)(?:t|tHtml|say)$/;

/** How far a language is, with what no page says any more. */
export function measure(tag: string, said: readonly string[] = listSentences()) {
  const translations = translationsIn(tag);
  const missing = said.filter((text) => !(text in translations));
  const stale = Object.keys(translations).filter((text) => !said.includes(text));
  return { share: 1 - missing.length / said.length, missing, stale };
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
    const { share, missing, stale } = measure(tag);
    return [
      `${tag}: ${Math.floor(share * 100)} % of ${listSentences().length} sentences`,
      ...missing.map((text) => `  is missing: ${text}`),
      ...stale.map((text) => `  is said nowhere: ${text}`),
    ];
  });
  process.stdout.write(`${lines.join('\n')}\n`);
}
