import { defineConfig } from 'vitest/config';

/** The tests by value: no server, no database. What is mutated here is a copy in a folder of its own. */
export default defineConfig({
  test: {
    include: ['tests/core/**/*.test.ts', 'tests/scheduling/core/**/*.test.ts'],
    // The first reads the sources, and would read the mutants; the second takes seconds for each.
    exclude: ['tests/core/purity.test.ts', 'tests/core/grant-model.test.ts'],
    testTimeout: 60_000,
  },
});
