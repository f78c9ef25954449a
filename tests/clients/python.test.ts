import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { approveAt } from '../conformance/person.ts';
import { atTheEnd } from '../support/at-the-end.ts';
import { addSignInClient } from '../support/openid.ts';
import { createTestClock } from '../support/service.ts';
import { openTestSite } from '../support/site.ts';
import { makeTemporaryDirectory } from '../support/temporary-directory.ts';

const packages = [
  ...['Django==5.2.19', 'social-auth-core==7.0.0', 'social-auth-app-django==8.0.0'],
  'mozilla-django-oidc==5.0.2',
];

const run = promisify(execFile);
// The libraries' clocks are real.
const service = await openTestSite({}, createTestClock(new Date()));
const folder = await makeTemporaryDirectory(atTheEnd);
await run('python3', ['-m', 'venv', folder]);
const python = join(folder, 'bin/python');
await run(python, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', ...packages]);

test.each([
  ['social-auth', '/complete/oidc/'],
  ['mozilla-django-oidc', '/oidc/callback/'],
])('%s signs a person in with its settings alone', async (library, path) => {
  const client = await addSignInClient(service, { redirectUris: [`http://localhost${path}`] });
  const words = [library, service.appUrl, client.id, client.secret ?? ''];
  const program = spawn(python, [join(import.meta.dirname, 'python/sign-in.py'), ...words], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface(program.stdout)[Symbol.asyncIterator]();

  const { value: address } = await lines.next();
  program.stdin.end(`${await approveAt(service)(String(address))}\n`);
  const { value: said } = await lines.next();
  await once(program, 'close');

  expect(JSON.parse(String(said))).toEqual({ email: expect.stringContaining('@example.com') });
});
