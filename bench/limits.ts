import { loadParts } from '../src/parts.ts';
import { databaseLimits, type Limit, memoryLimits } from '../src/platform/limits/limits.ts';

/** The tables of docs/limits.md come from the code, so the numbers are those that hold. */
const parts = await loadParts();
const number = (value: number): string => value.toLocaleString('en');

const windows: Readonly<Record<number, string>> = {
  60: 'minute',
  900: '15 minutes',
  1800: '30 minutes',
  3600: 'hour',
  86400: 'day',
};

function describe({ name, max, seconds, of, what }: Limit): string {
  return `| \`${name}\` | ${what} | ${of} | ${number(max)} per ${windows[seconds] ?? `${seconds} seconds`} |`;
}

/** Returns Markdown; a test holds that the document has it. */
export function tableOfLimits(): string {
  const head = ['| Limit | What | Of | Largest number |', '|---|---|---|---|'];
  return [
    ...head,
    ...[memoryLimits, databaseLimits].flatMap((table) => Object.values(table)).map(describe),
  ].join('\n');
}

export function tableOfOwned(): string {
  const rows = Map.groupBy(
    parts.flatMap(({ limits }) => Object.entries(limits ?? {})),
    ([of]) => of,
  );
  const written = [...rows].map(([of, listed]) => {
    const words = listed.flatMap(([, limits]) => limits.map(([max, what]) => `${number(max)} ${what}`));
    return `| ${of} | ${words.join('; ')} |`;
  });
  return ['| Of | Largest number |', '|---|---|', ...written].join('\n');
}

if (import.meta.main) process.stdout.write(`${tableOfLimits()}\n\n${tableOfOwned()}\n`);
