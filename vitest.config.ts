import { spawnSync } from 'node:child_process';
import { configDefaults, defineConfig } from 'vitest/config';
import { correctedFile, correctPostgres } from './patches/postgres.ts';

/** It takes a real CalDAV server, which npm does not have. */
const radicaleTests = 'tests/scheduling/caldav-radicale.test.ts';
const hasRadicale = spawnSync('radicale', ['--version']).status === 0;
if (!hasRadicale) process.stderr.write(`${radicaleTests} is left out: apt-get install radicale\n`);

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
    exclude: [...configDefaults.exclude, ...(hasRadicale ? [] : [radicaleTests])],
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
