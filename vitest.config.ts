import { spawnSync } from 'node:child_process';
import { configDefaults, defineConfig } from 'vitest/config';
import { correctedFile, correctPostgres } from './patches/postgres.ts';

/** They take real servers, which npm does not have. */
const leftOut = Object.entries({
  radicale: 'tests/scheduling/caldav-radicale.test.ts',
  pgbouncer: 'tests/platform/database-pooler.test.ts',
}).flatMap(([program, file]) => {
  if (spawnSync(program, ['--version']).status === 0) return [];
  process.stderr.write(`${file} is left out: apt-get install ${program}\n`);
  return [file];
});

export default defineConfig({
  plugins: [
    {
      // The sources are tested with the driver as it is bundled.
      name: 'postgres corrections',
      transform: (code, path) => (correctedFile.test(path) ? correctPostgres(code) : undefined),
    },
  ],
  test: {
    server: { deps: { inline: [/\/node_modules\/postgres\//] } },
    include: ['tests/**/*.test.ts'],
    exclude: [...configDefaults.exclude, ...leftOut],
    globalSetup: 'tests/support/global-setup.ts',
    maxWorkers: '100%',
    // Tests take a second or two; on a crowded machine ten times as long is no fault.
    testTimeout: 30_000,
    hookTimeout: 30_000,
    expect: { poll: { timeout: 10_000 } },
    // Files share what they import: loading it anew for each took more time than the tests. Each has a database of its own all the same.
    isolate: false,
    // Two runs in one checkout would clear each other's cache.
    fsModuleCache: false,
    // Concurrent tests of one file mostly wait.
    maxConcurrency: 16,
  },
});
