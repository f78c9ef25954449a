import { rm } from 'node:fs/promises';
import { build } from 'esbuild';
import { postgresPlugin } from './patches/postgres.ts';

/** CommonJS packages inside an ES module still want `require` for Node's own modules. */
const requireBanner =
  "import{createRequire as createBundleRequire}from'node:module';const require=createBundleRequire(import.meta.url);";

/** The service, and beside it the programs of its threads. */
const programs = {
  server: 'src/server.ts',
  'ics-worker': 'src/scheduling/calendars/ics-worker.ts',
  'reader-worker': 'src/api/docs/reader-worker.ts',
};

/**
 * Bundles the service, or other programs, into a folder. PGlite stays a package of its own, because
 * it finds its WebAssembly beside itself; only a start without DATABASE_URL loads it, which is why
 * the bundle is split.
 */
export async function bundle(
  folder: string,
  entryPoints: Readonly<Record<string, string>> = programs,
): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await build({
    absWorkingDir: import.meta.dirname,
    entryPoints,
    outdir: folder,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    minifySyntax: true,
    sourcemap: true,
    sourcesContent: false,
    external: ['@electric-sql/pglite'],
    banner: { js: requireBanner },
    plugins: [postgresPlugin],
  });
}

if (import.meta.main) await bundle('dist');
