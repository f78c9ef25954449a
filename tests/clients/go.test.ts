import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { approveAt } from '../conformance/person.ts';
import { represent } from '../support/api.ts';
import { atTheEnd } from '../support/at-the-end.ts';
import { codeOf, decide, openDecision, requestOf } from '../support/authorization.ts';
import { addEventType } from '../support/booking.ts';
import { nextDate } from '../support/dates.ts';
import { addPerson } from '../support/groups.ts';
import { addSignInClient } from '../support/openid.ts';
import { createTestClock } from '../support/service.ts';
import { openTestSite } from '../support/site.ts';
import { makeTemporaryDirectory } from '../support/temporary-directory.ts';
import { addUser } from '../support/world.ts';

const run = promisify(execFile);
const service = await openTestSite();
const folder = await makeTemporaryDirectory(atTheEnd);
await cp(join(import.meta.dirname, 'go'), folder, { recursive: true });
await mkdir(join(folder, 'oapi/api'));
await writeFile(join(folder, 'openapi.json'), (await service.app.inject('/openapi.json')).body);

const made = ['--package', 'api'];
const commands = {
  oapi: ['oapi-codegen', '-generate', 'types,client', ...made, '-o', 'oapi/api/api.go', 'openapi.json'],
  ogen: ['ogen', '--config', 'ogen.yml', '--target', 'ogen/api', ...made, 'openapi.json'],
};

test.each(['oapi', 'ogen'] as const)(
  'the client in Go that %s makes of the document finds a time, books, lists and cancels (contract §7)',
  { timeout: 600_000 },
  async (name) => {
    const user = await addUser(service);
    const { token } = await represent(service, { user });
    const { id } = await addEventType(service, user);
    const go = (...words: readonly string[]) => run('go', words, { cwd: folder, maxBuffer: 2 ** 25 });

    await go('tool', ...commands[name]);
    const { stdout } = await go('run', `./${name}`, service.appUrl, token, String(id), nextDate());

    expect(JSON.parse(stdout)).toEqual({
      email: user.email,
      accepted: true,
      listed: true,
      cancelled: 'cancelled',
      refused: { start: 'Must be in the future.' },
    });
  },
);

test('go-oidc: the issuer alone; it verifies the ID token with its access token, and reads userinfo', {
  timeout: 600_000,
  tags: 'parts',
}, async () => {
  const site = await openTestSite({}, createTestClock(new Date()));
  const client = await addSignInClient(site);
  const { user, cookie } = await addPerson(site);
  const request = requestOf(client, { scope: 'openid email', nonce: 'n' });
  const form = await openDecision(site, request, cookie);
  const code = codeOf(await decide(site, form, 'allow', cookie)) ?? '';

  const words = [site.appUrl, client.id, client.secret ?? '', client.redirectUri, code];
  const { stdout } = await run('go', ['run', './signin', ...words], { cwd: folder });

  expect(JSON.parse(stdout)).toEqual({ nonce: 'n', same: true, email: user.email, verified: true });
});

test('cap, with which Vault and Boundary sign people in: the issuer alone, RS256, PKCE and userinfo', {
  timeout: 600_000,
  tags: 'parts',
}, async () => {
  const site = await openTestSite({}, createTestClock(new Date()));
  const client = await addSignInClient(site);
  const words = [site.appUrl, client.id, client.secret ?? '', client.redirectUri];
  const program = spawn('go', ['run', './vault', ...words], {
    cwd: folder,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface(program.stdout)[Symbol.asyncIterator]();

  const { value: address } = await lines.next();
  program.stdin.end(`${await approveAt(site)(String(address))}\n`);
  const { value: said } = await lines.next();
  await once(program, 'close');

  const email = expect.stringContaining('@example.com');
  expect(JSON.parse(String(said))).toEqual({ email, seen: email });
});
