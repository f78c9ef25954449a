import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';

const module = new URL('../../src/platform/log.ts', import.meta.url).href;

/** A process of its own that logs; its standard output. */
function startLogging(program: string) {
  const source = `import { createLog } from ${JSON.stringify(module)};\nconst log = createLog('info');\n${program}`;
  return spawn(process.execPath, ['--input-type=module', '-e', source], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
}

async function messagesOf(program: string): Promise<unknown[]> {
  const output = await text(startLogging(program).stdout);
  return output
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line).msg);
}

test.each([
  ['exits', 'process.exit(1);', []],
  ['ends with an exception that nobody catches', 'throw new Error();', []],
  ['ends by itself', "setImmediate(() => log.info('third'));", ['third']],
  ['is killed in a later turn', "setImmediate(() => process.kill(process.pid, 'SIGKILL'));", []],
  ['is killed after a fatal line', "log.fatal('third'); process.kill(process.pid, 'SIGKILL');", ['third']],
])('no line is lost when the process %s', async (_, end, more) => {
  expect(await messagesOf(`log.info('first');\nlog.warn('second');\n${end}`)).toEqual([
    'first',
    'second',
    ...more,
  ]);
});

test('a process whose log nobody reads any more goes on', async () => {
  const running = startLogging(
    "setInterval(() => log.info('x'), 5); setTimeout(() => process.exit(7), 300);",
  );
  running.stdout.destroy();

  expect(await once(running, 'exit')).toEqual([7, null]);
});
