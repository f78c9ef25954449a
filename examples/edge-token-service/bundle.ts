import { build } from 'esbuild';

/**
 * Bundles the Worker with the token core into one ES module; an import of anything but plain
 * JavaScript fails.
 */
export async function bundleWorker(outfile: string): Promise<void> {
  await build({
    absWorkingDir: import.meta.dirname,
    entryPoints: ['worker.ts'],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    target: 'es2024',
    external: ['cloudflare:workers'],
  });
}

if (import.meta.main) await bundleWorker('dist/worker.js');
