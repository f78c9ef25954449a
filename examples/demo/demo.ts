import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '../../src/config.ts';
import { createLog } from '../../src/io/log.ts';
import { openLatchkey } from '../../src/latchkey.ts';
import { startThirdPartyApp } from '../third-party-app/app.ts';
import { findFreePort } from './ports.ts';
import { createDemoWorld, type DemoWorld, demoPassword } from './world.ts';

interface Running {
  close(): Promise<void>;
}

/**
 * Starts Latchkey with a demo world and the example app beside it. Of the environment only PORT and LOG_LEVEL count: demo accounts
 * must never come into a database that is meant to stay, nor be reached from another machine.
 */
async function main(): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'latchkey-demo-'));
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }));
  const running: Running[] = [];
  stopOnSignal(running);
  const wanted = readConfig({ PORT: process.env['PORT'], LOG_LEVEL: process.env['LOG_LEVEL'] || 'warn' });
  const port = await findFreePort(wanted.port);
  const appPort = await findFreePort(port + 1);
  const config = readConfig({ PORT: String(port), DATA_DIR: directory, LOG_LEVEL: wanted.logLevel });
  const { appUrl, apiUrl } = config;
  const service = await openLatchkey(config, { log: createLog(config.logLevel) });
  running.push(service);
  const redirectUri = `http://localhost:${appPort}/callback`;
  const world = await createDemoWorld(service.database.db, { appUrl, redirectUri });
  await service.app.listen({ host: config.host, port });
  const { id: clientId, secret: clientSecret } = world.confidentialClient;
  const app = await startThirdPartyApp({ issuer: appUrl, apiUrl, clientId, clientSecret, port: appPort });
  running.push(app);
  process.stdout.write(describe(world, appUrl, app.url));
}

/** How long closing may take before the process ends all the same. */
const graceMs = 9000;

/** An impatient second signal changes nothing: the directory has to go either way. */
function stopOnSignal(running: readonly Running[]): void {
  let isStopping = false;
  const stop = (): void => {
    if (isStopping) return;
    isStopping = true;
    setTimeout(() => process.exit(1), graceMs).unref();
    Promise.all(running.toReversed().map((one) => one.close())).then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
}

function describe(world: DemoWorld, latchkeyUrl: string, appUrl: string): string {
  const { admin, teamOwner, developer, publicClient } = world;
  return `
Latchkey's demo is running. Everything in it goes when it stops (Ctrl-C).

  1. Open the example app   ${appUrl}
     and click "Connect your calendar".
  2. Sign in as             ${teamOwner.email}
     with the password      ${demoPassword}
  3. Allow.

Latchkey itself             ${latchkeyUrl}

Others who can sign in, with the same password:
  ${admin.email.padEnd(24)}  reviews apps: ${latchkeyUrl}/settings/admin/oauth
  ${developer.email.padEnd(24)}  owns the example app: ${latchkeyUrl}/settings/developer/oauth
${teamOwner.name} owns the team ${world.teamName}, and may let the app act for it.

A public client (PKCE, no secret) is there too: client_id ${publicClient.id},
redirect URI ${publicClient.redirectUri} with any port.

`;
}

main().catch((error: unknown) => {
  process.stderr.write(
    `The demo cannot start: ${error instanceof Error ? error.message : 'unknown fault'}\n`,
  );
  process.exit(1);
});
