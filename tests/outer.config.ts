import { defineConfig } from 'vitest/config';
import usual from '../vitest.config.ts';
import { innerRing } from './rings.ts';

/** Every other file, so that none is in neither ring. */
export default defineConfig({
  ...usual,
  test: { ...usual.test, exclude: [...(usual.test?.exclude ?? []), ...innerRing] },
});
