import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { openTestSite } from '../support/site.ts';
import { revoke } from '../support/tokens.ts';
import { addClient } from '../support/world.ts';
import { approveAt } from './person.ts';

const service = await openTestSite();
const approve = approveAt(service);
const script = join(import.meta.dirname, 'requests-oauthlib.py');

test('requests-oauthlib signs in, refreshes by itself, and keeps each new refresh token', async () => {
  const client = await addClient(service, { scopes: ['PROFILE_READ', 'BOOKING_READ'] });
  const values = [service.appUrl, client.id, String(client.secret), client.redirectUri];
  // The library wants https; the test's service is on loopback.
  const env = { ...process.env, OAUTHLIB_INSECURE_TRANSPORT: '1' };
  const python = spawn('/usr/bin/python3', [script, ...values], { env, stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface(python.stdout)[Symbol.asyncIterator]();

  const asked = await lines.next();
  python.stdin.end(`${await approve(String(asked.value))}\n`);
  const said = JSON.parse(String((await lines.next()).value));
  await once(python, 'close');
  const [first, second] = said.refreshTokens;
  const revoked = await revoke(service, client, second);

  expect(said.emails).toEqual([expect.stringContaining('@'), said.emails[0]]);
  expect(said.refreshTokens).toEqual([expect.any(String), expect.not.stringMatching(first)]);
  expect(revoked.statusCode).toBe(200);
});
