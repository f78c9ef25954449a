import { spawn } from 'node:child_process';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { openEmptyDatabase } from '../support/database.ts';
import { hostPath } from '../support/host-path.ts';
import {
  bundleFolder,
  follow,
  makeFolder,
  onPostgres,
  repository,
  type ServerProcess,
  startServer,
} from './server-process.ts';

const patient = { timeout: 90_000 } as const;

const database = await openEmptyDatabase();
afterAll(database.close);

/** Operators start it by a program that has a shell between itself and the service. */
function startBy(
  program: string,
  args: readonly string[],
  cwd: string,
  more: Readonly<Record<string, string>> = {},
): ServerProcess {
  const child = spawn(program, args, {
    cwd,
    env: {
      ...onPostgres(database.url),
      PATH: hostPath,
      PORT: '0',
      APP_URL: 'http://localhost:3000',
      ...more,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const { pid } = child;
  if (pid === undefined) throw new Error(`${program} was not found`);
  onTestFinished(() => {
    // Nothing of the group is left where the test has passed.
    try {
      process.kill(-pid, 'SIGKILL');
    } catch {}
  });
  return follow(child, (name) => child.kill(name));
}

async function isGone(address: string): Promise<boolean> {
  return fetch(`${address}/readyz`).then(
    () => false,
    () => true,
  );
}

test('npm start works whatever Node runs npm, and SIGTERM to npm ends it', patient, async () => {
  const server = startBy('npm', ['start'], repository);
  const address = await server.listening();

  const ready = await fetch(`${address}/readyz`);
  server.signal('SIGTERM');
  await server.ended;

  expect(ready.status).toBe(200);
  await expect.poll(() => isGone(address)).toBe(true);
  expect(server.output()).toContain('"msg":"stopped"');
});

test('SIGTERM to npx latchkey-server ends all of it, whose shell passes no signal on', patient, async () => {
  const folder = await makeFolder();
  await mkdir(join(folder, 'node_modules/.bin'), { recursive: true });
  await writeFile(join(folder, 'package.json'), '{}');
  // The package's dependency brings the Node.js that it needs.
  await symlink(process.execPath, join(folder, 'node_modules/.bin/node'));
  await symlink(join(bundleFolder, 'server.js'), join(folder, 'node_modules/.bin/latchkey-server'));
  const server = startBy('npx', ['latchkey-server'], folder);
  const address = await server.listening();

  server.signal('SIGTERM');

  await expect.poll(() => isGone(address)).toBe(true);
  await expect.poll(server.output).toContain('"msg":"stopped"');
});

test('a Ctrl+C that comes twice, once by npm, ends politely', patient, async () => {
  const server = startServer({ folder: await makeFolder(), environment: onPostgres(database.url) });
  await server.listening();

  server.signal('SIGINT');
  await expect.poll(server.output, { interval: 5 }).toContain('"msg":"stopping"');
  server.signal('SIGINT');

  expect(await server.ended).toBe(0);
  expect(server.output()).toContain('"msg":"stopped"');
});
