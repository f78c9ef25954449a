import { readFileSync } from 'node:fs';

/** `npm run -s test:measure <report of vitest in JSON> …`: tests and the time of their workers, by folder. */
interface Report {
  readonly testResults: readonly {
    readonly name: string;
    readonly startTime: number;
    readonly endTime: number;
    readonly assertionResults: readonly unknown[];
  }[];
}

interface Sum {
  files: number;
  tests: number;
  seconds: number;
}

const sums = new Map<string, Sum>();
for (const path of process.argv.slice(2)) {
  const { testResults }: Report = JSON.parse(readFileSync(path, 'utf8'));
  for (const { name, startTime, endTime, assertionResults } of testResults) {
    const [, folder = '(top)'] = /\/tests\/(\w[\w-]*)\//.exec(name) ?? [];
    for (const key of [folder, 'all']) {
      const { files, tests, seconds } = sums.get(key) ?? { files: 0, tests: 0, seconds: 0 };
      sums.set(key, {
        files: files + 1,
        tests: tests + assertionResults.length,
        seconds: seconds + (endTime - startTime) / 1000,
      });
    }
  }
}
const rows = [...sums].toSorted(([, one], [, other]) => one.seconds - other.seconds);
process.stdout.write('| Folder | Files | Tests | Seconds of workers |\n|---|---:|---:|---:|\n');
for (const [folder, { files, tests, seconds }] of rows)
  process.stdout.write(`| ${folder} | ${files} | ${tests} | ${seconds.toFixed(0)} |\n`);
