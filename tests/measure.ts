import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * `npm run -s node -- tests/measure.ts inner outer`, or night, or without words the first two: runs these rings with one worker, and says
 * how many seconds of CPU each folder takes, of all processes, databases and browsers included. What follows `--` names files.
 */
interface Line {
  readonly file: string;
  readonly test?: string;
  readonly seconds: number;
}

const words = process.argv.slice(2);
const end = words.includes('--') ? words.indexOf('--') : words.length;
const rings = end === 0 ? ['inner', 'outer'] : words.slice(0, end);
const folder = mkdtempSync(join(tmpdir(), 'latchkey-measure-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));

for (const ring of rings) {
  const path = join(folder, ring);
  const { status } = spawnSync(
    'vitest',
    ['run', '--config', `tests/${ring}.config.ts`, ...words.slice(end + 1)],
    { stdio: ['ignore', 'ignore', 'inherit'], env: { ...process.env, LATCHKEY_MEASURE: path } },
  );
  const lines: readonly Line[] = readFileSync(path, 'utf8')
    .split('\n')
    .flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
  process.stdout.write(`\n${ring}${status === 0 ? '' : ', which failed'}\n\n${tableOf(lines)}\n`);
}

function tableOf(lines: readonly Line[]): string {
  const sums = new Map<string, { files: number; tests: number; seconds: number }>();
  for (const { file, test, seconds } of lines)
    for (const key of [folderOf(file), 'all']) {
      const sum = sums.get(key) ?? { files: 0, tests: 0, seconds: 0 };
      if (test === undefined) {
        sum.files += 1;
        sum.seconds += seconds;
      } else sum.tests += 1;
      sums.set(key, sum);
    }
  const rows = [...sums]
    .toSorted(([, one], [, other]) => one.seconds - other.seconds)
    .map(([key, { files, tests, seconds }]) => `| ${key} | ${files} | ${tests} | ${seconds.toFixed(1)} |`);
  const dearest = lines
    .filter(({ test }) => test === undefined)
    .toSorted((one, other) => other.seconds - one.seconds)
    .slice(0, 10)
    .map(({ file, seconds }) => `- ${file} ${seconds.toFixed(1)}`);
  return [
    '| Folder | Files | Tests | Seconds of CPU |',
    '|---|---:|---:|---:|',
    ...rows,
    '',
    ...dearest,
  ].join('\n');
}

function folderOf(file: string): string {
  const [, name = '(top)'] = /^tests\/([\w-]+)\//.exec(file) ?? [];
  return name;
}
