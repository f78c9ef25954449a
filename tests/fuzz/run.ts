import { parseArgs } from 'node:util';
import { startVitest } from 'vitest/node';

/** `tests/fuzz/run.ts --requests 100000 --seed 1`; of each operation's own schemas, a fixed number. */
const { values } = parseArgs({
  options: { requests: { type: 'string', default: '100000' }, seed: { type: 'string' } },
});
process.env['FUZZ_REQUESTS'] = values.requests;
process.env['FUZZ_PER_OPERATION'] = '200';
process.env['FUZZ_SEED'] = values.seed ?? String(Date.now() % 1_000_000);
const vitest = await startVitest(['tests/fuzz'], { watch: false, maxWorkers: 1 });
await vitest.close();
