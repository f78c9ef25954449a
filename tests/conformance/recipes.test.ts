import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { atTheEnd } from '../support/at-the-end.ts';
import { fetchDocument } from '../support/document.ts';
import { openTestSite } from '../support/site.ts';
import { makeTemporaryDirectory } from '../support/temporary-directory.ts';
import { addClient } from '../support/world.ts';
import { approveAt } from './person.ts';

const service = await openTestSite();
const { description } = (await fetchDocument(service.app)).info;
const folder = await makeTemporaryDirectory(atTheEnd);
await symlink(join(import.meta.dirname, '../../node_modules'), join(folder, 'node_modules'));
const program = z.object({
  default: z.object({
    address: z.instanceof(URL),
    finish: z.custom<(cameBackTo: URL) => Promise<Response>>((value) => typeof value === 'function'),
  }),
});

test('the guide’s program for openid-client runs as it is written, from the authorization page to /v2/me (contract §7)', async () => {
  const [, written = ''] = /```js\n([\s\S]*?)```/.exec(description) ?? [];
  const client = await addClient(service);
  const filled = written
    .replace('YOUR_CLIENT_ID', client.id)
    .replace('YOUR_CLIENT_SECRET', client.secret ?? '')
    .replace('https://app.example/callback', client.redirectUri);
  const file = join(folder, 'program.mjs');
  await writeFile(file, filled);

  const { address, finish } = program.parse(await import(file)).default;
  const me = await finish(await approveAt(service)(address));

  expect(me.status).toBe(200);
  expect(await me.json()).toMatchObject({ status: 'success' });
});
