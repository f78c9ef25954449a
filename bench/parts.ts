import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

const root = join(import.meta.dirname, '..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

function describePart(line: string): string {
  const [, name = ''] = /name: '([\w-]+)'/.exec(line) ?? [];
  const [, needs = ''] = /needs: \[([^\]]*)\]/.exec(line) ?? [];
  const sources = globSync(`src/${name}/**/*.ts`, { cwd: root });
  const lines = sources.reduce((sum, path) => sum + read(path).split('\n').length - 1, 0);
  const tables = sources
    .filter((path) => basename(path) === 'tables.ts')
    .flatMap((path) => [...read(path).matchAll(/pgTable\(\s*'(\w+)'/g)].map(([, table = '']) => table));
  const routes = sources.flatMap((path) => [
    ...read(path).matchAll(/^\s*\w+\.(?:get|post|put|patch|delete|route)\(/gm),
  ]);
  const [, value = ''] = read(`src/${name}/part.ts`).split('export const ');
  const handsIn = [...value.matchAll(/^ {2}(?:async )?(\w+)(?=[,:(])/gm)].map(([, member = '']) => member);
  const standing = line.includes('isDoor') ? 'the door' : needs.replaceAll("'", '') || 'nothing more';
  return `| ${name} | ${standing} | ${sources.length} | ${Math.ceil(lines / 100) * 100} | ${routes.length} | ${tables.length} | ${handsIn.join(', ')} |`;
}

/** Returns Markdown; a test holds that the document has it. */
export function tableOfParts(): string {
  const lines = read('src/parts.ts').match(/^ {2}\{ name: .*$/gm) ?? [];
  return [
    '| Part | Belongs to, or needs | Files | Lines | Routes | Tables | Hands in |',
    '|---|---|---|---|---|---|---|',
    ...lines.map(describePart),
  ].join('\n');
}

if (import.meta.main) process.stdout.write(`${tableOfParts()}\n`);
