import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundle } from '../build.ts';
import { startCluster } from '../tests/support/cluster.ts';
import { median, printTable } from './figures.ts';
import { bundleFlags, type MeasuredProcess, repository, secret, startMeasured } from './measured-process.ts';

const runs = Number(process.argv[2] ?? 11);

/** What every start of a Node server costs on this machine. */
const bareServer = `
const server = require('node:http').createServer((_, answer) => answer.end('ok'));
server.listen(0, '127.0.0.1', () => console.log('listens on http://127.0.0.1:' + server.address().port));
process.on('SIGTERM', () => process.exit(0));`;

interface Measurement {
  readonly name: string;
  readonly start: () => Promise<MeasuredProcess>;
  readonly firstAnswersMs: number[];
  readonly residentMegabytes: number[];
}

const folder = await mkdtemp(join(tmpdir(), 'latchkey-bench-'));
const bundleFolder = join(repository, 'node_modules/.cache/latchkey-bench');
const cluster = await startCluster();
try {
  await bundle(bundleFolder);
  const programs = {
    'native .ts': ['src/server.ts'],
    bundle: [...bundleFlags, join(bundleFolder, 'server.js')],
  };
  const databases = {
    'embedded, existing': { DATA_DIR: folder },
    PostgreSQL: { DATABASE_URL: `${cluster.address}/postgres`, SECRET: secret },
  };
  const measurements = [
    measurement('a bare node:http server', () => startMeasured(['-e', bareServer], '/')),
    ...Object.entries(databases).flatMap(([database, environment]) =>
      Object.entries(programs).map(([program, args]) =>
        measurement(`${database}, ${program}`, () => startMeasured(args, '/readyz', environment)),
      ),
    ),
  ];
  // A first round makes the databases and fills the file system's cache; then the kinds take turns,
  // so that a busy moment hits all.
  for (const { start } of measurements) await (await start()).stop();
  for (let run = 0; run < runs; run += 1) for (const one of measurements) await measure(one);
  printTable([
    ['start to first answer', 'median ms', 'least', 'most', 'times a bare server', 'resident MB'],
    ...measurements.map((one) => describe(one, measurements[0])),
  ]);
} finally {
  await cluster.stop();
  await rm(folder, { recursive: true, force: true });
  await rm(bundleFolder, { recursive: true, force: true });
}

function measurement(name: string, start: () => Promise<MeasuredProcess>): Measurement {
  return { name, start, firstAnswersMs: [], residentMegabytes: [] };
}

async function measure({ start, firstAnswersMs, residentMegabytes }: Measurement): Promise<void> {
  const running = await start();
  firstAnswersMs.push(running.firstAnswerMs);
  residentMegabytes.push(running.residentMegabytes());
  await running.stop();
}

function describe({ name, firstAnswersMs, residentMegabytes }: Measurement, bare?: Measurement): string[] {
  const middle = median(firstAnswersMs);
  return [
    name,
    middle.toFixed(0),
    Math.min(...firstAnswersMs).toFixed(0),
    Math.max(...firstAnswersMs).toFixed(0),
    (middle / median(bare?.firstAnswersMs ?? [])).toFixed(1),
    median(residentMegabytes).toFixed(0),
  ];
}
