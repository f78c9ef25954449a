import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundleFlags, startMeasured } from './measured-process.ts';
import { quantile, table } from './report.ts';
import { secret } from './world.ts';

/** Every start of a Node server costs as much on this machine. */
const bareServer = `
const server = require('node:http').createServer((_, answer) => answer.end('ok'));
server.listen(0, '127.0.0.1', () => console.log('listens on http://127.0.0.1:' + server.address().port));
process.on('SIGTERM', () => process.exit(0));`;

export async function measureStarts(
  clusterAddress: string,
  { bundleFolder, doorFolder }: { readonly bundleFolder: string; readonly doorFolder: string },
  runs: number,
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-bench-'));
  try {
    const bundle = [...bundleFlags, join(bundleFolder, 'server.js')];
    const door = [...bundleFlags, join(doorFolder, 'server.js')];
    const kinds = [
      { name: 'a bare node:http server', args: ['-e', bareServer], path: '/', environment: {} },
      { name: 'embedded', args: bundle, path: '/readyz', environment: { DATA_DIR: folder } },
      { name: 'embedded, a first start', args: bundle, path: '/readyz', environment: {}, isFirst: true },
      {
        ...{ name: 'PostgreSQL', args: bundle, path: '/readyz' },
        environment: { DATABASE_URL: `${clusterAddress}/postgres`, SECRET: secret },
      },
      {
        ...{ name: 'PostgreSQL, PARTS=door', args: bundle, path: '/readyz' },
        environment: { DATABASE_URL: `${clusterAddress}/postgres`, SECRET: secret, PARTS: 'door' },
      },
      {
        ...{ name: 'PostgreSQL, built with PARTS=door', args: door, path: '/readyz' },
        environment: { DATABASE_URL: `${clusterAddress}/postgres`, SECRET: secret },
      },
    ].map((kind) => ({ isFirst: false, ...kind, ms: [0], cpuMs: [0], megabytes: [0] }));
    // The first round makes the databases; the kinds take turns, so that a busy moment hits all.
    for (let run = 0; run <= runs; run += 1)
      for (const { args, path, environment, isFirst, ms, cpuMs, megabytes } of kinds) {
        const own = isFirst ? { DATA_DIR: join(folder, `first-${run}`) } : environment;
        const running = await startMeasured(args, path, own);
        ms[run] = running.firstAnswerMs;
        cpuMs[run] = running.cpuSeconds() * 1000;
        megabytes[run] = running.residentMegabytes();
        await running.stop();
      }
    const middle = (figures: readonly number[]): string => quantile(figures.slice(1)).toFixed(0);
    return table(
      ['start to first answer', 'ms', 'CPU, ms', 'MB'],
      kinds.map(({ name, ms, cpuMs, megabytes }) => [name, middle(ms), middle(cpuMs), middle(megabytes)]),
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
