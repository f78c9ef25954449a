import { defineConfig } from 'vitest/config';
import { configOf } from '../vitest.config.ts';
import { filesOf, type Ring } from './rings.ts';

export const ringConfig = (ring: Ring) => defineConfig(() => configOf(filesOf(ring)));
