import { defineConfig, mergeConfig } from 'vitest/config';
import usual from '../../vitest.config.ts';
import { mutations } from './protections.ts';

const mutation = mutations[Number(process.env['MUTATION'])];
if (mutation === undefined) throw new Error('MUTATION has to be the place of a mutation in protections.ts');
const { file, original, mutated } = mutation;

/** The tests see the mutated source; no file is touched. */
export default mergeConfig(
  usual,
  defineConfig({
    test: { experimental: { viteModuleRunner: true } },
    plugins: [
      {
        name: 'mutation',
        enforce: 'pre',
        transform: (code, path) =>
          path.endsWith(`/${file}`) ? code.replace(original, () => mutated) : undefined,
      },
    ],
  }),
);
