import { createInterface } from 'node:readline';
import { openDataDirectory } from '../../src/platform/data-directory.ts';

/** Opens and holds each directory that comes in as a line, and answers `held` or the name of the error; the end of input releases all. */
const held: ReturnType<typeof openDataDirectory>[] = [];
process.stdout.write('started\n');
for await (const directory of createInterface({ input: process.stdin })) {
  try {
    held.push(openDataDirectory(directory));
    process.stdout.write('held\n');
  } catch (error) {
    process.stdout.write(`${error instanceof Error ? error.name : 'unknown'}\n`);
  }
}
for (const directory of held) directory.release();
