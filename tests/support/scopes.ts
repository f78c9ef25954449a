import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const contract = readFileSync(join(import.meta.dirname, '../../docs/contract.md'), 'utf8');

/** Contract §6 lists these in its table, those of parts that a tree lacks, too. */
export const scopeNames: readonly string[] = [
  ...contract.matchAll(/^\| ([A-Z]\w+_READ), (\w+_WRITE) \|/gm),
].flatMap(([, read = '', write = '']) => [read, write]);
