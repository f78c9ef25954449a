import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';

const corrections: Readonly<Record<string, readonly (readonly [original: string, corrected: string])[]>> = {
  'node.js': [
    ['if (prefix.length >= LONG_PREFIX_MIN_LENGTH) {', 'if (prefix.length > 1) {'],
    ['return path.indexOf(prefix, i) === i', 'return path.startsWith(prefix, i)'],
  ],
  'handler-storage.js': [
    [
      '  _compileCreateParamsObject (params) {',
      `  _compileCreateParamsObject (params) {
    const names = JSON.stringify(params)
    if (!compiled.has(names)) compiled.set(names, this._compileNew(params))
    return compiled.get(names)
  }

  _compileNew (params) {`,
    ],
    ['class HandlerStorage {', 'const compiled = new Map()\n\nclass HandlerStorage {'],
  ],
};

/** Keeps find-my-way 9 from compiling two functions for each route at the start (patches/README.md). */
export const routerPlugin: Plugin = {
  name: 'router',
  setup({ onLoad }) {
    onLoad({ filter: /\/find-my-way\/lib\/(node|handler-storage)\.js$/ }, async ({ path }) => {
      let contents = await readFile(path, 'utf8');
      for (const [original, corrected] of corrections[path.split('/').at(-1) ?? ''] ?? []) {
        if (contents.split(original).length !== 2)
          throw new Error(`${path} has changed: see patches/README.md`);
        contents = contents.replace(original, () => corrected);
      }
      return { contents };
    });
  },
};
