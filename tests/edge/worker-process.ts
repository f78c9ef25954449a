import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { z } from 'zod';
import { bundleWorker } from '../../examples/edge-resource-server/bundle.ts';

export interface WorkerProcess {
  readonly url: string;
  stop(): Promise<void>;
}

export interface WorkerBindings {
  readonly ISSUER: string;
  readonly AUDIENCE: string;
  readonly JWKS_URL: string;
}

const example = join(import.meta.dirname, '../../examples/edge-resource-server');
const workerd: unknown = createRequire(import.meta.url)('workerd');
const { default: workerdBinary } = z.object({ default: z.string() }).parse(workerd);
const listening = z.object({ event: z.literal('listen'), socket: z.literal('http'), port: z.number() });

/** Bundles the example and runs it in workerd, as its own configuration says, on a free port. */
export async function startWorker(bindings: WorkerBindings): Promise<WorkerProcess> {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-edge-'));
  await bundleWorker(join(folder, 'dist/worker.js'));
  await cp(join(example, 'config.capnp'), join(folder, 'config.capnp'));
  const child = spawn(
    workerdBinary,
    ['serve', join(folder, 'config.capnp'), '--socket-addr=http=127.0.0.1:0', '--control-fd=3'],
    { env: { ...bindings }, stdio: ['ignore', 'ignore', 'inherit', 'pipe'] },
  );
  const exited = once(child, 'exit');
  const stop = async (): Promise<void> => {
    child.kill();
    await exited;
    await rm(folder, { recursive: true });
  };
  const control = child.stdio[3];
  if (!(control instanceof Readable)) throw new Error('workerd has no control channel');
  const line = new Promise<string>((resolve, reject) => {
    createInterface(control).once('line', resolve);
    child.once('exit', (code) => reject(new Error(`workerd ended with ${code}`)));
  });
  try {
    const { port } = listening.parse(JSON.parse(await line));
    return { url: `http://127.0.0.1:${port}`, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
