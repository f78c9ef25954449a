import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['tests/**/*.test.ts'],
    globalSetup: 'tests/support/global-setup.ts',
    testTimeout: 15_000,
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
