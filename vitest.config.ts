import { globSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { configDefaults, defineConfig, type ViteUserConfig } from 'vitest/config';
import { goneParts } from './tests/parts/gone.ts';
import { leftOutOf } from './tests/support/programs.ts';

const all = globSync('tests/**/*.test.ts', { cwd: import.meta.dirname });

/** `tests/measure.ts` asks for it. */
const isMeasured = process.env['LATCHKEY_MEASURE'] !== undefined;

/** For these files of tests. */
export const configOf = (files: readonly string[]): ViteUserConfig => ({
  test: {
    // Node.js loads sources and tests as it loads the service: transforming them took a tenth of a run.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    // The sources are tested with the driver as it is bundled.
    execArgv: ['--import', join(import.meta.dirname, 'patches/register.ts')],
    include: [...files],
    exclude: [...configDefaults.exclude, ...leftOutOf(files)],
    globalSetup: join(import.meta.dirname, 'tests/support/global-setup.ts'),
    // Tests of processes and browsers wait a part of their time: with two workers two cores were idle for a seventh.
    maxWorkers: isMeasured ? 1 : availableParallelism() + 1,
    ...(isMeasured ? { runner: join(import.meta.dirname, 'tests/support/measured-run.ts') } : {}),
    tags: [
      { name: 'parts', description: 'It needs optional parts: a tree without one of them leaves it out.' },
    ],
    ...(goneParts.length > 0 ? { tagsFilter: ['!parts'] } : {}),
    // Tests take a second or two; on a crowded machine ten times as long is no fault.
    testTimeout: 30_000,
    hookTimeout: 30_000,
    expect: { poll: { timeout: 10_000 } },
    // Files share what they import: loading it anew for each took more time than the tests. Each has a database of its own all the same.
    isolate: false,
    // Concurrent tests of one file mostly wait.
    maxConcurrency: 16,
  },
});

export default defineConfig(() => configOf(all));
