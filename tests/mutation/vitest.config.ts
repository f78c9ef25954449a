import { defineConfig } from 'vitest/config';

/** The tests by value: no server, no database. What is mutated here is a copy in a folder of its own. */
export default defineConfig({
  test: {
    include: ['tests/core/**/*.test.ts', 'tests/scheduling/core/**/*.test.ts'],
    // It reads the sources, and would read the mutants.
    exclude: ['tests/core/purity.test.ts'],
    testTimeout: 60_000,
  },
});
