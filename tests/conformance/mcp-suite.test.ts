import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, request as forward } from 'node:http';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { represent } from '../support/api.ts';
import { atTheEnd } from '../support/at-the-end.ts';
import { findFreePort } from '../support/free-port.ts';
import { openTestSite } from '../support/site.ts';
import { makeTemporaryDirectory } from '../support/temporary-directory.ts';
import { addClient, authorizePath } from '../support/world.ts';
import { approveAt } from './person.ts';

const service = await openTestSite();
const { token } = await represent(service);
const suite = join(
  dirname(createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/package.json')),
  'dist/index.js',
);
const approve = approveAt(service);

/** The MCP project's own suite, as its command runs; `onLine` hears what it says. */
async function runSuite(args: readonly string[], onLine?: (line: string) => Promise<void>) {
  const folder = await makeTemporaryDirectory(atTheEnd);
  const child = spawn(process.execPath, [suite, ...args, '--output-dir', folder], { cwd: folder });
  const said: string[] = [];
  for (const stream of [child.stdout, child.stderr])
    createInterface(stream).on('line', (line) => {
      said.push(line);
      void onLine?.(line);
    });
  const [code] = await once(child, 'close');
  return { code, said: said.join('\n') };
}

/** The suite sends no access token: before the service stands a proxy that adds one. */
async function startProxy(): Promise<string> {
  const own = new URL(service.appUrl);
  const port = await findFreePort();
  const ownName = (value: string | undefined) => value?.replace(`localhost:${port}`, own.host);
  const proxy = createServer((asked, answered) => {
    const { method, url: path, headers: sent } = asked;
    const origin = sent.origin === undefined ? {} : { origin: ownName(sent.origin) };
    const headers = { ...sent, ...origin, host: ownName(sent.host), authorization: `Bearer ${token}` };
    const passed = forward({ host: '127.0.0.1', port: own.port, method, path, headers }, (answer) => {
      answered.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(answered);
    });
    asked.pipe(passed);
  });
  proxy.listen(port, '127.0.0.1');
  await once(proxy, 'listening');
  atTheEnd(async () => void proxy.close().closeAllConnections());
  return `http://localhost:${port}/mcp`;
}

test.each(['2025-11-25', '2026-07-28'])(
  'the MCP project’s suite of %s finds in our server what it announces, and no more missing than is known',
  async (revision) => {
    const url = await startProxy();
    const known = join(import.meta.dirname, `mcp-${revision}-not-here.yml`);

    const run = await runSuite([
      'server',
      '--url',
      url,
      '--requirements',
      revision,
      '--expected-failures',
      known,
    ]);

    expect(run).toEqual({ code: 0, said: expect.stringContaining('all failures are expected') });
  },
  120_000,
);

test('its scenarios for authorization servers pass, with a person who approves in between', async () => {
  const port = await findFreePort();
  const redirectUris = [`http://127.0.0.1:${port}/callback`] as const;
  const { id } = await addClient(service, { type: 'public', redirectUris });
  const place = ['--url', service.appUrl, '--resource', `${service.appUrl}/mcp`, '--port', String(port)];

  const run = await runSuite(['authorization', ...place, '--client-id', id], async (line) => {
    if (line.includes(authorizePath)) await fetch(await approve(line.trim()));
  });

  expect(run).toEqual({ code: 0, said: expect.stringContaining('3 passed, 0 failed') });
}, 120_000);
