import { createInterface } from 'node:readline';
import { loadGeneratedSecret } from '../../src/platform/data-directory.ts';

/** Loads the generated secret of each directory that comes in as a line, and answers it. */
process.stdout.write('started\n');
for await (const directory of createInterface({ input: process.stdin }))
  process.stdout.write(`${await loadGeneratedSecret(directory)}\n`);
