import { build } from 'esbuild';

/** Bundles the Worker with the token core. An import of anything but plain JavaScript fails. */
export async function bundleWorker(outfile: string, entryPoint = 'worker.ts'): Promise<void> {
  await build({
    absWorkingDir: import.meta.dirname,
    entryPoints: [entryPoint],
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
