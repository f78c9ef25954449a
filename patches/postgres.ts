import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';

/**
 * Corrections of postgres 3.4.9 (patches/README.md), applied wherever it is bundled: by `build.ts`
 * and, for tests that import the sources, by Vitest. Each text must occur exactly once.
 */
const corrections: readonly (readonly [original: string, corrected: string])[] = [
  [
    `    if (stream)
      return queryError(q, Errors.generic('COPY_IN_PROGRESS'`,
    `    if (socket === null) {
      queryError(q, Errors.connection('CONNECTION_CLOSED', options))
      return true
    }

    if (stream)
      return queryError(q, Errors.generic('COPY_IN_PROGRESS'`,
  ],
  [
    `    clearImmediate(nextWriteTimer)
    socket.removeListener('data', data)
    socket.removeListener('connect', connected)
    idleTimer.cancel()`,
    `    clearImmediate(nextWriteTimer)
    chunk = nextWriteTimer = null
    socket.removeListener('data', data)
    socket.removeListener('connect', connected)
    idleTimer.cancel()`,
  ],
  [
    `    !hadError && (query || sent.length) && error(Errors.connection('CONNECTION_CLOSED', options, socket))
`,
    `    if (query || sent.length) error(Errors.connection('CONNECTION_CLOSED', options, socket))
    query = errorResponse = null
`,
  ],
  [
    `    query = results = errorResponse = null
    result = new Result()
    connectTimer.cancel()`,
    `    query = results = errorResponse = null
    result = new Result()
    rows = 0
    connectTimer.cancel()`,
  ],
];

/** The driver's file that is corrected. */
export const correctedFile: RegExp = /[\\/]postgres[\\/]src[\\/]connection\.js$/;

/**
 * The corrected text of the driver's file.
 *
 * @throws when the driver is another one than the corrections are for
 */
export function correctPostgres(source: string): string {
  return corrections.reduce((text, [original, corrected]) => {
    const [before, after, ...more] = text.split(original);
    if (before === undefined || after === undefined || more.length > 0)
      throw new Error('patches/postgres.ts does not fit this version of postgres');
    return before + corrected + after;
  }, source);
}

/** For esbuild. */
export const postgresPlugin: Plugin = {
  name: 'postgres corrections',
  setup(build) {
    build.onLoad({ filter: correctedFile }, async ({ path }) => ({
      contents: correctPostgres(await readFile(path, 'utf8')),
    }));
  },
};
