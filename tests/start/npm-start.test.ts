import { spawn } from 'node:child_process';
import { delimiter, sep } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openEmptyDatabase } from '../support/database.ts';
import { follow, onPostgres, repository } from './server-process.ts';

const database = await openEmptyDatabase();
afterAll(database.close);

/** A shell has this PATH, without what npm puts in front for its own scripts. */
const hostPath = (process.env['PATH'] ?? '')
  .split(delimiter)
  .filter((folder) => !folder.split(sep).includes('node_modules'))
  .join(delimiter);

test('npm start works whatever Node runs npm, and SIGTERM ends it', { timeout: 90_000 }, async () => {
  const child = spawn('npm', ['start'], {
    cwd: repository,
    env: { ...onPostgres(database.url), PATH: hostPath, PORT: '0', APP_URL: 'http://localhost:3000' },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const { pid } = child;
  if (pid === undefined) throw new Error('npm was not found');
  const server = follow(child, (name) => process.kill(-pid, name));
  const address = await server.listening();

  const ready = await fetch(`${address}/readyz`);
  server.signal('SIGTERM');
  await server.ended;

  expect(ready.status).toBe(200);
  expect(server.output()).toContain('"msg":"stopped"');
});
