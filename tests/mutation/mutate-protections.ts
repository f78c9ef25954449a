import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { mutations } from './protections.ts';

const root = join(import.meta.dirname, '../..');
/** `C58`, say; without one, all. */
const [wanted] = process.argv.slice(2);

const survivors: string[] = [];
for (const [index, { check, file, original, mutated, test }] of mutations.entries()) {
  if (wanted !== undefined && wanted !== check) continue;
  const path = join(root, file);
  const source = readFileSync(path, 'utf8');
  const occurrences = source.split(original).length - 1;
  const name = `${check}: ${original.split('\n')[0]} (${file})`;
  if (occurrences !== 1) {
    survivors.push(`${name}: its text occurs ${occurrences} times`);
    continue;
  }
  const args = [
    'run',
    '--config',
    'tests/mutation/protections.config.ts',
    `tests/${test}.test.ts`,
    '--bail=1',
  ];
  // Processes of their own read the file itself.
  const isOnDisk = /^start\/|-race$|-rows$/.test(test);
  if (isOnDisk)
    writeFileSync(
      path,
      source.replace(original, () => mutated),
    );
  const { status, stdout } = spawnSync('vitest', args, {
    cwd: root,
    env: { ...process.env, MUTATION: String(index) },
    encoding: 'utf8',
  });
  if (isOnDisk) writeFileSync(path, source);
  // A test that failed; not one that could not be run.
  const isNoticed = status !== 0 && /Tests\s+.*\d+ failed/.test(stdout);
  if (!isNoticed) survivors.push(`${name}: survives ${test}`);
  process.stdout.write(`${isNoticed ? 'noticed ' : 'SURVIVES'} ${name}\n`);
}
process.stdout.write(`${survivors.length} survivors\n${survivors.join('\n')}\n`);
process.exitCode = survivors.length === 0 ? 0 : 1;
