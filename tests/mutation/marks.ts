import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A place in the sources that holds up a protection of docs/security.md, and what is there without it. */
export interface Mark {
  readonly check: string;
  readonly file: string;
  readonly line: number;
  /** The whole source without the protection; undefined where the mark names text that isn't there. */
  readonly mutated: string | undefined;
}

const root = join(import.meta.dirname, '../..');
const comment = /\s*(?:\/\/|--) protects: (C\d+)(?: \((?:without (.+)|(.+?) → (.*))\))?$/;
/** A mark stands above a statement that is longer than this nowhere. */
const reachLines = 60;

/**
 * Every mark in the sources. A mark stands at the end of a line, or above it:
 *
 *     // protects: C1                  the statement never runs; an element, operand or call that has the line alone is gone
 *     // protects: C1 (without text)   the first such text from there on is gone
 *     // protects: C1 (text → other)   it is another
 */
export function readMarks(): readonly Mark[] {
  const files = globSync('{src,patches,migrations}/**/*.{ts,sql}', { cwd: root }).toSorted();
  return files.flatMap((file) => marksOf(file, readFileSync(join(root, file), 'utf8')));
}

function marksOf(file: string, source: string): readonly Mark[] {
  const lines = source.split('\n');
  const code = lines.map((line) => line.replace(comment, ''));
  return lines.flatMap((text, index) => {
    const [, check, gone, original = gone, other = ''] = comment.exec(text) ?? [];
    if (check === undefined) return [];
    const first = code.findIndex((line, place) => place >= index && line !== '');
    return [{ check, file, line: index + 1, mutated: takeOut(code, first, original, other) }];
  });
}

function takeOut(
  code: readonly string[],
  first: number,
  original: string | undefined,
  other: string,
): string | undefined {
  const [before, line = '', after] = [code.slice(0, first), code[first], code.slice(first + 1)];
  if (original === undefined) {
    const standsAlone = /^\s*\.|(?:,|&&|\|\|)$/.test(line);
    return [...before, standsAlone ? '' : `if (false) ${line.trim()}`, ...after].join('\n');
  }
  const reached = [line, ...after.slice(0, reachLines)].join('\n');
  if (!reached.includes(original)) return undefined;
  return [...before, reached.replace(original, () => other), ...after.slice(reachLines)].join('\n');
}

/** The tests of each check in docs/security.md: files of the repository. A pattern stands for many, none of which is meant. */
export function readTests(): ReadonlyMap<string, readonly string[]> {
  const rows = readFileSync(join(root, 'docs/security.md'), 'utf8').matchAll(
    /^\| (C\d+) \|.*\| ([^|]*) \|$/gm,
  );
  return new Map(
    [...rows].map(([, check = '', cell = '']) => [
      check,
      [...cell.matchAll(/`([^`]+)`/g)]
        .filter(([name]) => !name.includes('*'))
        .map(([, test]) => `tests/${test}.test.ts`),
    ]),
  );
}
