import { registerHooks } from 'node:module';
import settings from '../tsconfig.json' with { type: 'json' };
import { correctedFile, correctPostgres } from './postgres.ts';

const library = new Map(
  Object.entries(settings.compilerOptions.paths).map(([name, [path]]) => [
    name,
    new URL(`../${path}`, import.meta.url).href,
  ]),
);

/**
 * Corrects the driver where the service runs from its sources, and finds the library's for examples:
 * `node --import ./patches/register.ts`.
 */
registerHooks({
  resolve: (specifier, context, nextResolve) => nextResolve(library.get(specifier) ?? specifier, context),
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    return correctedFile.test(url)
      ? { ...loaded, source: correctPostgres(String(loaded.source), url) }
      : loaded;
  },
});
