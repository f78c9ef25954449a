import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { vi } from 'vitest';
import { runCommand } from '../../src/cli/run.ts';
import { bundleFolder } from '../start/server-process.ts';

export interface CommandRun {
  readonly code: number | null;
  readonly output: string;
  readonly errors: string;
}

/** Runs the bundle as `latchkey-server …words`, with nothing in its environment but what is given. */
export async function runLatchkey(
  words: readonly string[],
  environment: Readonly<Record<string, string>>,
  { input = '', folder = bundleFolder }: { readonly input?: string; readonly folder?: string } = {},
): Promise<CommandRun> {
  const child = spawn(process.execPath, [join(bundleFolder, 'server.js'), ...words], {
    cwd: folder,
    env: environment,
  });
  child.stdin.end(input);
  const ended = once(child, 'close');
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
  await ended;
  return { code: child.exitCode, output, errors };
}

/** The same in this process, which costs a tenth: for what is not about a process of its own. */
export async function runHere(
  words: readonly string[],
  environment: Readonly<Record<string, string>>,
  { input = '' }: { readonly input?: string } = {},
): Promise<CommandRun> {
  const said = { output: '', errors: '' };
  const capture = (stream: NodeJS.WriteStream, name: keyof typeof said) =>
    vi.spyOn(stream, 'write').mockImplementation((text) => {
      said[name] += String(text);
      return true;
    });
  const stdin = vi.spyOn(process, 'stdin', 'get');
  stdin.mockReturnValue(Object.assign(Readable.from([input]), { fd: 0 as const }) as typeof process.stdin);
  const mocks = [capture(process.stdout, 'output'), capture(process.stderr, 'errors'), stdin];
  const code = await runCommand(words, environment).finally(() => {
    for (const mock of mocks) mock.mockRestore();
  });
  return { code, ...said };
}
