import { registerHooks } from 'node:module';
import { correctedFile, correctPostgres } from './postgres.ts';

/** Corrects the driver where the service runs from its sources: `node --import ./patches/register.ts`. */
registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    return correctedFile.test(url)
      ? { ...loaded, source: correctPostgres(String(loaded.source), url) }
      : loaded;
  },
});
