import { defineConfig } from 'vitest/config';
import usual from '../vitest.config.ts';
import { innerRing } from './rings.ts';

export default defineConfig({ ...usual, test: { ...usual.test, include: innerRing } });
