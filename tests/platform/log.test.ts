import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { DrizzleQueryError } from 'drizzle-orm';
import { fastify, LogController } from 'fastify';
import { expect, test } from 'vitest';
import { createLog } from '../../src/platform/log.ts';

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
  ['is killed a while later', "setTimeout(() => process.kill(process.pid, 'SIGKILL'), 300);", []],
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

test.each([
  ['its log, and nobody reads standard error', 'createLog'],
  ['the log of a command, on standard error', 'createCommandLog'],
])('a process goes on and ends as it would where there is no room for %s (operations)', async (_, create) => {
  const source = `import { ${create} } from ${JSON.stringify(module)};
    const log = ${create}('info');
    for (const level of ['info', 'warn', 'fatal']) log[level]('x'.repeat(5000));
    setTimeout(() => process.exit(7), 200);`;
  await using full = await open('/dev/full', 'w');
  const running = spawn(process.execPath, ['--input-type=module', '-e', source], {
    stdio: ['ignore', full.fd, create === 'createLog' ? 'pipe' : full.fd],
    timeout: 20_000,
  });
  running.stderr?.destroy();

  expect(await once(running, 'exit')).toEqual([7, null]);
});

test('a full disk of the log ends nothing: it is told once on standard error, and lost lines are counted (operations)', async () => {
  const counters = new URL('../../src/platform/metrics/counters.ts', import.meta.url).href;
  const source = `import { createLog } from ${JSON.stringify(module)};
    import { countsOf } from ${JSON.stringify(counters)};
    const log = createLog('info');
    for (let turn = 0; turn < 20; turn += 1) {
      for (let line = 0; line < 400; line += 1) log.info('x'.repeat(300));
      await new Promise(setImmediate);
    }
    const lost = [...countsOf('log_lines_lost').values()];
    process.stderr.write('lost ' + (lost[0] > 2000 && lost[0] < 8000));`;
  await using full = await open('/dev/full', 'w');
  const running = spawn(process.execPath, ['--input-type=module', '-e', source], {
    stdio: ['ignore', full.fd, 'pipe'],
  });

  const errors = await text(running.stderr ?? Readable.from([]));

  expect(errors).toBe(
    "The log can't be written: ENOSPC: no space left on device, write. The service goes on.\nlost true",
  );
  expect(running.exitCode ?? (await once(running, 'exit'))[0]).toBe(0);
});

test('a person at a terminal reads the time, the level and the sentence, with the facts behind it', () => {
  const written: string[] = [];
  const log = createLog('info', { write: (text) => void written.push(text) });

  log.info('Latchkey starts');
  log.warn({ hosts: 'db:5432' }, 'PostgreSQL is away');

  expect(written.map((line) => line.replace(/^\d\d:\d\d:\d\d /, ''))).toEqual([
    'info  Latchkey starts\n',
    'warn  PostgreSQL is away {"hosts":"db:5432"}\n',
  ]);
});

test('a statement that failed is logged without its text and values, whether its cause is known or not (security C25)', () => {
  const lines: string[] = [];
  const log = createLog('info', { write: (line) => lines.push(line) });
  for (const cause of [undefined, new Error('the connection ended')])
    log.error(
      { err: new DrizzleQueryError('select canary_column', ['canary value'], cause) },
      'a page failed',
    );

  expect(lines).toHaveLength(2);
  expect(lines[0]).toContain('a statement failed');
  expect(lines[1]).toContain('the connection ended');
  expect(lines.join('')).not.toContain('canary');
});

test('an address that an error quotes is logged without its query, in the words of the line, too (security C25)', async () => {
  const written: string[] = [];
  const app = fastify({
    loggerInstance: createLog('warn', { write: (text) => void written.push(text) }),
    logController: new LogController({ disableRequestLogging: true }),
  });
  app.get('/twice', async (_request, reply) => {
    reply.send('once');
    reply.send('twice');
  });

  await app.inject('/twice?code=secret-of-a-person&state=s');
  app.log.warn(new Error('GET https://app.example/?token=secret-of-a-person failed'));
  await app.close();

  expect(written.join('')).toMatch(
    /Reply was already sent.*"\/twice\?…".*GET https:\/\/app\.example\/\?… failed/s,
  );
  expect(written.join('')).not.toContain('secret-of-a-person');
});
