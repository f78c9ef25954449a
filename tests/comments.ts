import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * `npm run check:comments` refuses comments that can't be sentences by their first words: those
 * that begin with a preposition, or with a pronoun before any noun (CONTRIBUTING.md).
 */
const root = join(import.meta.dirname, '..');
const checked = ['src', 'views', 'bench', 'examples', 'clients', 'patches', 'tests'];

const notAlone = 'Of|By|As|Nor|It|Its|They|Their|Them|He|She|His|Her|We|Our';
const notBeforeVerb = 'None|Each|Those|These|This|That|One|Others|Both|Some|Any|Neither|All|Another';
const verb = 'is|are|was|were|has|have|had|can|could|must|may|of|that|which|who|does|do|did|will|would';
const noSentence = new RegExp(`^(?:(?:${notAlone})\\b|(?:${notBeforeVerb}) (?:${verb})\\b)`);

/** The text of each comment that has lines of its own, with the number of its first line. */
export function commentsOf(source: string): readonly { readonly line: number; readonly text: string }[] {
  const comments = source.matchAll(/^[ \t]*(?:\/\*\*?\s*(?:\*\s*)?([\s\S]*?)\*\/|((?:\/\/.*\n[ \t]*)+))/gm);
  return [...comments].map((found) => ({
    line: source.slice(0, found.index).split('\n').length,
    text: (found[1] ?? found[2] ?? '').replaceAll(/^\s*(?:\*|\/\/)\s?/gm, '').trim(),
  }));
}

if (import.meta.main) {
  const files = checked.flatMap((folder) =>
    globSync(`${folder}/**/*.ts`, { cwd: root, exclude: (path) => path.endsWith('node_modules') }),
  );
  const faults = ['build.ts', 'drizzle.config.ts', ...files].flatMap((path) =>
    commentsOf(readFileSync(join(root, path), 'utf8'))
      .filter(({ text }) => noSentence.test(text))
      .map(({ line, text }) => `${path}:${line} ${text.split('\n')[0]}`),
  );
  for (const fault of faults) process.stderr.write(`${fault}\n`);
  if (faults.length > 0) process.stderr.write(`${faults.length} comments don’t begin as a sentence.\n`);
  process.exitCode = faults.length > 0 ? 1 : 0;
}
