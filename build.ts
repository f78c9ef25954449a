import { execFile } from 'node:child_process';
import { chmod, glob, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { postgresPlugin } from './patches/postgres.ts';

/** CommonJS packages inside an ES module still want `require` for Node's own modules. */
const requireBanner =
  "import{createRequire as createBundleRequire}from'node:module';const require=createBundleRequire(import.meta.url);";

/** The service, and beside it the programs of its threads. */
const programs = {
  service: 'src/server.ts',
  'ics-worker': 'src/scheduling/calendars/ics-worker.ts',
  'reader-worker': 'src/api/docs/reader-worker.ts',
};

/** V8's compiled code is kept beside the bundle, so that no start has to make it. */
const launcher = `#!/usr/bin/env node
import { enableCompileCache } from 'node:module';
enableCompileCache({ directory: import.meta.dirname + '/compiled', portable: true });
await import('./service.js');
`;

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
  if (entryPoints !== programs) return;
  const server = join(folder, 'server.js');
  await writeFile(server, launcher, { mode: 0o755 });
  await promisify(execFile)(process.execPath, [server, 'help']);
  // The image runs as another user than the one who builds it.
  for await (const file of glob(join(folder, 'compiled/*/*'))) await chmod(file, 0o644);
}

if (import.meta.main) await bundle('dist');
