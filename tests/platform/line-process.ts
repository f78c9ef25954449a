import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';

/** A process of its own that answers each line with a line. */
export interface LineProcess {
  readonly pid: number;
  ask(line: string): Promise<string>;
  /** Ends its input and waits until it has ended. */
  close(): Promise<void>;
  /** The process ends as if the machine had lost it. */
  kill(): Promise<void>;
}

/** The start registers the same corrections as `npm run dev`. */
const driverCorrections = join(import.meta.dirname, '../../patches/register.ts');

/** Runs one of the scripts in this folder, or a program by its path; resolves when it has written `started`. */
export async function startLineProcess(script: string): Promise<LineProcess> {
  const path = resolve(import.meta.dirname, script);
  const child = spawn(process.execPath, [`--import=${driverCorrections}`, path], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const readAnswer = async (): Promise<string> => {
    const { value, done } = await answers.next();
    if (done) throw new Error('the process has ended');
    return value;
  };
  const end = async (act: () => unknown): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    act();
    await exited;
  };
  const { pid } = child;
  if (pid === undefined || (await readAnswer()) !== 'started') throw new Error('the process did not start');
  return {
    pid,
    async ask(line) {
      child.stdin.write(`${line}\n`);
      return readAnswer();
    },
    close: () => end(() => child.stdin.end()),
    kill: () => end(() => child.kill('SIGKILL')),
  };
}
