import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { cp, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { text } from 'node:stream/consumers';
import { type Mark, readMarks, readTests } from './marks.ts';

const root = join(import.meta.dirname, '../..');
/** `C58`, say; without one, all. */
const [wanted] = process.argv.slice(2);

const waiting = readMarks().filter(({ check }) => wanted === undefined || wanted === check);
const testsOf = readTests();
const survivors: string[] = [];
const groups = new Set<number>();
const copies: string[] = [];

/** A group of its own hears no Ctrl-C. */
process.once('SIGINT', () => {
  for (const group of groups) endLeftOvers(group);
  for (const copy of copies) rmSync(copy, { recursive: true, force: true });
  process.exit(130);
});

/** Processes that tests start read the sources themselves, so each change is made in a copy of them. */
async function makeCopy(stack: AsyncDisposableStack): Promise<string> {
  const copy = await mkdtemp(join(tmpdir(), 'latchkey-protections-'));
  copies.push(copy);
  stack.defer(() => rm(copy, { recursive: true, force: true }));
  const isLeftOut = /^(?:node_modules|\.git|\.stryker-tmp|dist)(?:\/|$)/;
  await cp(root, copy, { recursive: true, filter: (path) => !isLeftOut.test(relative(root, path)) });
  await symlink(join(root, 'node_modules'), join(copy, 'node_modules'));
  return copy;
}

/** A run that ends with its first failure leaves the processes of its tests behind. */
function endLeftOvers(group: number): void {
  try {
    process.kill(-group, 'SIGKILL');
  } catch {
    // Nothing is left.
  }
}

/** Whether one of the check's tests fails without the protection; a test that can't be run doesn't count. */
async function isNoticed(copy: string, { check, file, mutated = '' }: Mark): Promise<boolean> {
  const path = join(copy, file);
  await cp(join(root, file), `${path}.whole`);
  await writeFile(path, mutated);
  const words = ['run', ...(testsOf.get(check) ?? []), '--bail=1', '--maxWorkers=1'];
  const vitest = spawn('vitest', words, { cwd: copy, detached: true, stdio: ['ignore', 'pipe', 'ignore'] });
  const printed = text(vitest.stdout);
  const { pid } = vitest;
  if (pid === undefined) throw new Error('Vitest doesn’t start');
  groups.add(pid);
  await once(vitest, 'exit');
  endLeftOvers(pid);
  groups.delete(pid);
  await cp(`${path}.whole`, path);
  return /Tests\s+.*\d+ failed/.test(await printed);
}

async function work(): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const copy = await makeCopy(stack);
  for (let mark = waiting.shift(); mark !== undefined; mark = waiting.shift()) {
    const name = `${mark.check} ${mark.file}:${mark.line}`;
    const isDone = mark.mutated !== undefined && (await isNoticed(copy, mark));
    if (!isDone) survivors.push(name);
    process.stdout.write(`${isDone ? 'noticed ' : 'SURVIVES'} ${name}\n`);
  }
}

await Promise.all(Array.from({ length: availableParallelism() }, work));
process.stdout.write(`${survivors.length} survivors\n${survivors.join('\n')}\n`);
process.exitCode = survivors.length === 0 ? 0 : 1;
