import { parseArgs } from 'node:util';
import { startVitest } from 'vitest/node';

/** `tests/faults/run.ts --rounds 5 'disk full' 'read-only'`, by default 3 of all; `tests/faults/run.ts --soak 30`. */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: 'string', default: '3' }, soak: { type: 'boolean', default: false } },
});
process.env['FAULTS'] = positionals.length > 0 ? positionals.join(',') : 'all';
process.env['FAULT_ROUNDS'] = values.rounds;
if (values.soak) process.env['SOAK_MINUTES'] = positionals[0] ?? '30';
const vitest = await startVitest(['tests/faults/faults.test.ts'], { watch: false, maxWorkers: 1, bail: 0 });
await vitest.close();
