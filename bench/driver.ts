import { registerHooks } from 'node:module';
import { correctPostgres } from '../patches/postgres.ts';

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    if (!url.endsWith('/postgres/src/queue.js')) return loaded;
    return { ...loaded, source: correctPostgres(String(loaded.source), url) };
  },
});

/** The driver's queues would slow down each statement of floor and peer (patches/README.md). */
export const { default: postgres } = await import('postgres');
