import { globSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import usual from '../vitest.config.ts';
import { innerRing, slow } from './rings.ts';

const isSlow = new Set(globSync(slow, { cwd: join(import.meta.dirname, '..') }));
const inner = globSync(innerRing, { cwd: join(import.meta.dirname, '..') });

/** Every file that the inner ring leaves out, so that none is in neither. */
export default defineConfig({
  ...usual,
  test: {
    ...usual.test,
    exclude: [...(usual.test?.exclude ?? []), ...inner.filter((file) => !isSlow.has(file))],
  },
});
