import { defineConfig } from 'vitest/config';
import usual from '../vitest.config.ts';
import { innerRing, slow } from './rings.ts';

export default defineConfig({
  ...usual,
  test: { ...usual.test, include: innerRing, exclude: [...(usual.test?.exclude ?? []), ...slow] },
});
