import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { text } from 'node:stream/consumers';
import { transform } from 'esbuild';
import { harmless, type Mutant, nameOf, readMarks, readTests } from './marks.ts';

const root = join(import.meta.dirname, '../..');
/** `C58 C60`: these alone; `10`: one mark of ten. Without either, all. */
const wanted = process.argv.slice(2);
const step = Number(wanted.find((one) => /^\d+$/.test(one)) ?? 1);
const checks = wanted.filter((one) => one.startsWith('C'));

const waiting = readMarks()
  .filter(({ check }) => checks.length === 0 || checks.includes(check))
  .filter((_, index) => index % step === 0)
  .flatMap(({ line, mutants }) => mutants.map((mutant) => ({ line, ...mutant })));
const testsOf = readTests();
/** A name that nothing uses any more is no fault of a change. */
const types = ['-p', '.', '--noUnusedLocals', 'false', '--noUnusedParameters', 'false'];
const verdicts = new Map<string, string[]>();
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

/** What it prints; one that never ends is ended, and has failed. */
async function run(copy: string, program: string, words: readonly string[]): Promise<string> {
  const child = spawn(program, words, {
    cwd: copy,
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: 900_000,
  });
  const printed = text(child.stdout);
  const { pid } = child;
  if (pid === undefined) throw new Error(`${program} doesn’t start`);
  groups.add(pid);
  await once(child, 'exit');
  endLeftOvers(pid);
  groups.delete(pid);
  return child.signalCode === null ? printed : 'Tests 1 failed: it never ends';
}

const javaScriptOf = async (source: string): Promise<string> =>
  (await transform(source, { loader: 'ts', minifySyntax: true, minifyWhitespace: true })).code;

/** Whether the change is one at all: that it parses, and leaves another program. */
async function isChange({ file, mutated }: Mutant, path: string): Promise<boolean> {
  if (!file.endsWith('.ts')) return true;
  const [whole, changed] = await Promise.all(
    [await readFile(path, 'utf8'), mutated].map((source) => javaScriptOf(source).catch(() => undefined)),
  );
  return changed !== undefined && changed !== whole;
}

type Verdict = 'no change' | 'harmless' | 'noticed' | 'refused' | 'SURVIVES';

/** A test of the check must fail, which one that can't be run doesn't. The types may refuse a mutant, unless it is by hand. */
async function judge(copy: string, mutant: Mutant): Promise<Verdict> {
  const { check, file, mutated } = mutant;
  const path = join(copy, file);
  if (!(await isChange(mutant, path))) return 'no change';
  if (harmless.includes(nameOf(mutant))) return 'harmless';
  await writeFile(path, mutated);
  const tests = testsOf.get(check) ?? [];
  const printed = await run(copy, 'vitest', ['run', ...tests, '--bail=1', '--maxWorkers=1']);
  const isNoticed = /Tests\s+.*\d+ failed/.test(printed);
  const isRefused = !isNoticed && !mutant.isByHand && (await run(copy, 'tsc', types)).includes('error TS');
  await cp(join(root, file), path);
  if (isNoticed) return 'noticed';
  return isRefused ? 'refused' : 'SURVIVES';
}

async function work(): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const copy = await makeCopy(stack);
  for (let mutant = waiting.shift(); mutant !== undefined; mutant = waiting.shift()) {
    const verdict = await judge(copy, mutant);
    const name = `${mutant.check} ${mutant.file}:${mutant.line} ${mutant.what}`;
    verdicts.set(verdict, [...(verdicts.get(verdict) ?? []), name]);
    process.stdout.write(`${verdict} ${name}\n`);
  }
}

await Promise.all(Array.from({ length: availableParallelism() }, work));
const survivors = verdicts.get('SURVIVES') ?? [];
for (const [verdict, names] of verdicts) process.stdout.write(`${names.length} ${verdict}\n`);
process.stdout.write(`${survivors.join('\n')}\n`);
process.exitCode = survivors.length === 0 ? 0 : 1;
