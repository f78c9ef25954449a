import { rm } from 'node:fs/promises';
import { build } from 'esbuild';

/** CommonJS packages inside an ES module still want `require` for Node's own modules. */
const requireBanner =
  "import{createRequire as createBundleRequire}from'node:module';const require=createBundleRequire(import.meta.url);";

/**
 * Bundles the service into a folder below this one, to be started as `server.js`. PGlite stays a package of its own, because it finds its
 * WebAssembly beside itself; it is loaded only without DATABASE_URL, which is why the bundle is split. The thread that reads calendars is a
 * program of its own beside it.
 */
export async function bundleService(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await build({
    absWorkingDir: import.meta.dirname,
    entryPoints: { server: 'src/server.ts', 'ics-worker': 'src/scheduling/calendars/ics-worker.ts' },
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
  });
}

if (import.meta.main) await bundleService('dist');
