import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { getTableName, is } from 'drizzle-orm';
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core';

const folder = join(import.meta.dirname, '../src');
const sources = globSync('**/*.ts', { cwd: folder })
  .toSorted()
  .map((path) => ({ path, text: readFileSync(join(folder, path), 'utf8') }));

interface TableOfPage {
  readonly name: string;
  readonly file: string;
  /** Is what the source says above the table. */
  readonly words: string;
  readonly refersTo: readonly string[];
  readonly writers: readonly string[];
}

const tables: readonly TableOfPage[] = (
  await Promise.all(
    sources
      .filter(({ path }) => path.endsWith('tables.ts'))
      .map(async ({ path, text }) => tablesOf(path, text)),
  )
).flat();

async function tablesOf(path: string, text: string): Promise<readonly TableOfPage[]> {
  const exported: Readonly<Record<string, unknown>> = await import(join(folder, path));
  return Object.entries(exported).flatMap(([name, table]) => {
    if (!is(table, PgTable)) return [];
    const before = text.slice(0, text.indexOf(`export const ${name} = `));
    const [, words = ''] = /\/\*\*((?:(?!\*\/).)*)\*\/\n$/s.exec(before) ?? [];
    const writing = new RegExp(`\\.(?:insert|update|delete)\\((?:\\w+\\.)?${name}\\)`);
    const writers = sources.filter(({ text: source }) => writing.test(source)).map(({ path: file }) => file);
    const { foreignKeys } = getTableConfig(table);
    return {
      name: getTableName(table),
      file: path,
      words: words.replaceAll(/\s*\n\s*\*\s*/g, ' ').trim(),
      refersTo: [...new Set(foreignKeys.map((key) => getTableName(key.reference().foreignTable)))].toSorted(),
      writers: [...new Set(writers.map((file) => file.replace(/\/?[^/]+$/, '')))].toSorted(),
    };
  });
}

/** Tables without a sentence of their own. */
export const wordless: readonly string[] = tables.filter(({ words }) => words === '').map(({ name }) => name);

/** What `docs/tables.md` has below its first paragraph: a picture, and a table for each file. */
export function pageOfTables(): string {
  const files = Map.groupBy(tables, ({ file }) => file);
  const drawn = tables.flatMap(({ name, refersTo }) =>
    refersTo.map((other) => `  ${name} }o--|| ${other} : ""`),
  );
  const sections = [...files].map(([file, ofFile]) => {
    const rows = ofFile.map(
      ({ name, words, writers }) => `| \`${name}\` | ${words} | ${writers.join(', ') || '–'} |`,
    );
    return `## src/${file}\n\n| Table | What | Written by |\n|---|---|---|\n${rows.join('\n')}`;
  });
  return ['```mermaid\nerDiagram', ...drawn, '```', '', sections.join('\n\n'), ''].join('\n');
}

if (import.meta.main) process.stdout.write(pageOfTables());
