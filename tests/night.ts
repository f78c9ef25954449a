import { spawnSync } from 'node:child_process';

/**
 * `tests/night.ts`: what neither of the other rings runs, one step after the other, all of them although one fails.
 * `tests/night.ts ring door` runs these alone.
 */
const steps: Readonly<Record<string, string>> = {
  ring: 'vitest run --config tests/night.config.ts',
  door: 'node tests/parts/door.ts',
  bench: 'node bench/run.ts --check --rounds 3',
  journeys: 'node build.ts --compile && node --import=./patches/register.ts examples/demo/journeys.ts',
  fuzz: 'node --import=./patches/register.ts tests/fuzz/run.ts',
  faults: 'node --import=./patches/register.ts tests/faults/run.ts',
  protections: 'node tests/mutation/mutate-protections.ts',
  mutants: 'stryker run tests/mutation/stryker.config.json',
};

const named = process.argv.slice(2);
const unknown = named.filter((name) => !Object.hasOwn(steps, name));
if (unknown.length > 0) throw new Error(`The steps are ${Object.keys(steps).join(', ')}.`);

const results = Object.entries(steps)
  .filter(([name]) => named.length === 0 || named.includes(name))
  .map(([name, command]) => {
    process.stdout.write(`\n== ${name}: ${command}\n`);
    return { name, isPassed: spawnSync('sh', ['-c', command], { stdio: 'inherit' }).status === 0 };
  });
const failed = results.filter(({ isPassed }) => !isPassed);
process.stdout.write(
  `${results.length - failed.length} steps passed, ${failed.length} failed ${failed.map(({ name }) => name).join(' ')}\n`,
);
process.exitCode = failed.length > 0 ? 1 : 0;
