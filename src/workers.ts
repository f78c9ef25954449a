import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Config } from './config.ts';

const replaceAfterMs = 1000;
/** A worker has less time itself, so only one that hangs is killed. */
const killAfterMs = 10_000;

/**
 * Shares one port until a signal (contract §1, WORKERS). Returns whether all started and ended
 * well.
 */
export async function runWorkers({ workers, metrics, shutdownDelaySeconds }: Config, log: Logger) {
  let isStopping = false;
  let hasFailed = false;
  const stop = (): void => {
    if (isStopping) return;
    isStopping = true;
    for (const worker of running()) worker.process.kill('SIGTERM');
    const kill = (): void => running().forEach((worker) => void worker.process.kill('SIGKILL'));
    setTimeout(kill, shutdownDelaySeconds * 1000 + killAfterMs).unref();
  };
  process.on('SIGTERM', stop).on('SIGINT', stop);
  cluster.on('message', (from, told) => {
    for (const worker of running()) if (worker.id !== from.id && worker.isConnected()) worker.send(told);
  });

  async function keepRunning(index: number): Promise<void> {
    while (!isStopping) {
      const worker = cluster.fork(metrics?.port ? { METRICS_PORT: String(metrics.port + index) } : {});
      let hasListened = false;
      worker.once('listening', () => {
        hasListened = true;
      });
      const [code, signal]: unknown[] = await once(worker, 'exit');
      if (code !== 0) hasFailed ||= isStopping || !hasListened;
      if (!hasListened) stop();
      if (isStopping) return;
      log.error({ code, signal }, 'a worker has ended, and is replaced');
      await sleep(replaceAfterMs);
    }
  }
  await Promise.all(Array.from({ length: workers }, (_, index) => keepRunning(index)));
  return !hasFailed;
}

function running(): Worker[] {
  return Object.values(cluster.workers ?? {}).flatMap((worker) =>
    worker?.isDead() === false ? [worker] : [],
  );
}
