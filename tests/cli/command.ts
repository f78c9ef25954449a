import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { bundleFolder } from '../start/server-process.ts';

export interface CommandRun {
  readonly code: number | null;
  readonly output: string;
  readonly errors: string;
}

/** Runs the bundle as `latchkey …words`, with nothing in its environment but what is given. */
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
