import { parseArgs } from 'node:util';
import { startVitest } from 'vitest/node';

/** `npm run fuzz -- --requests 100000 --seed 1`. */
const { values } = parseArgs({
  options: { requests: { type: 'string', default: '100000' }, seed: { type: 'string' } },
});
process.env['FUZZ_REQUESTS'] = values.requests;
process.env['FUZZ_SEED'] = values.seed ?? String(Date.now() % 1_000_000);
const vitest = await startVitest(['tests/fuzz/fuzz.test.ts'], { watch: false, maxWorkers: 1 });
await vitest.close();
