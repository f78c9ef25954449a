import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ts } from '@ts-morph/common';
import { isGone } from '../parts/gone.ts';
import { deriveChanges } from './derive.ts';

/** A place in the sources that holds up a protection of docs/security.md. */
export interface Mark {
  readonly check: string;
  readonly file: string;
  /** The number of the line that is marked, from 1. */
  readonly line: number;
  readonly mutants: readonly Mutant[];
}

/** A source without the protection, or with another in its place. */
export interface Mutant {
  readonly check: string;
  readonly file: string;
  readonly what: string;
  readonly isByHand: boolean;
  readonly mutated: string;
}

export const nameOf = ({ check, file, what }: Mutant): string => `${check} ${file} ${what}`;

interface HandWritten {
  readonly file: string;
  readonly check: string;
  readonly found: string;
  readonly other: string;
}

const root = join(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');

/** What the line of a mark can't say. */
export const handWritten: readonly HandWritten[] = read('tests/mutation/by-hand.tsv')
  .trimEnd()
  .split('\n')
  .map((row) => {
    const [check = '', file = '', ...texts] = row.split('\t');
    const [found = '', other = ''] = texts.map((text) => text.replaceAll(String.raw`\n`, '\n'));
    return { check, file, found, other };
  })
  .filter(({ file }) => !isGone(file));

/** Derived mutants that leave the protection as it is, as a run found: the check, the file, the change, and why. */
export const harmless: readonly string[] = read('tests/mutation/harmless.tsv')
  .trimEnd()
  .split('\n')
  .map((row) => row.split('\t').slice(0, 3).join(' '))
  .filter((row) => !isGone(row.split(' ')[1] ?? ''));

export const countFound = ({ file, found }: HandWritten): number => read(file).split(found).length - 1;

/** Every mark in the sources, with its mutants: those written by hand, or else those of its line. */
export function readMarks(): readonly Mark[] {
  const files = globSync('{src,patches,migrations,views}/**/*.{ts,sql,txt,eta}', { cwd: root }).toSorted();
  return files.flatMap((file) => marksOf(file, read(file)));
}

/** A mark stands at the end of its line, or above it. */
function marksOf(file: string, source: string): readonly Mark[] {
  const lines = [...source.matchAll(/^.*$/gm)].map(({ 0: text, index }) => ({ text, index }));
  const marks = lines.flatMap(({ text }, number) => {
    const check = /(?:\/\/|--) protects: (C\d+)/.exec(text)?.[1];
    const at = lines.findIndex((line, below) => below >= number && !/^\s*(?:\/\/|--)/.test(line.text));
    return check === undefined ? [] : [{ check, at, start: lines[at]?.index ?? 0 }];
  });
  const places = [...new Map(marks.map((one) => [`${one.check} ${one.at}`, one])).values()];
  if (places.length === 0) return [];
  const parsed = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true);
  const byHand = handWritten
    .filter((one) => one.file === file)
    .map(({ check, found, other: text }) => {
      const start = source.indexOf(found);
      const end = start + found.length;
      const ofCheck = places.filter((one) => one.check === check);
      const place = ofCheck.findLast((one) => one.start <= end) ?? ofCheck[0];
      return { place, change: { start, end, text } };
    });
  return places.map((place) => {
    const { check, at, start } = place;
    const own = byHand.filter((one) => one.place === place).map(({ change }) => change);
    const derived = (): ReturnType<typeof deriveChanges> =>
      file.endsWith('.ts') ? deriveChanges(parsed, start, start + (lines[at]?.text.length ?? 0)) : [];
    const mutants = (own.length > 0 ? own : derived()).map((change) => ({
      check,
      file,
      isByHand: own.length > 0,
      what: `${source.slice(change.start, change.end)} → ${change.text}`.replace(/\s+/g, ' '),
      mutated: source.slice(0, change.start) + change.text + source.slice(change.end),
    }));
    return { check, file, line: at + 1, mutants };
  });
}

/** The tests of each check in docs/security.md: files of the repository. A pattern stands for many, none of which is meant. */
export function readTests(): ReadonlyMap<string, readonly string[]> {
  const rows = read('docs/security.md').matchAll(/^\| (C\d+) \|.*\| ([^|]*) \|$/gm);
  return new Map(
    [...rows].map(([, check = '', cell = '']) => [
      check,
      [...cell.matchAll(/`([^`]+)`/g)]
        .filter(([name]) => !name.includes('*'))
        .map(([, test]) => `tests/${test}.test.ts`),
    ]),
  );
}
