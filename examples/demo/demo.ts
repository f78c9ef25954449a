import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '../../src/config.ts';
import { openService } from '../../src/open-service.ts';
import { createLog } from '../../src/platform/log.ts';
import { deliverDue } from '../../src/platform/mail/delivery.ts';
import { nodeRuntime } from '../../src/platform/runtime.ts';
import { createSecrets } from '../../src/platform/secrets.ts';
import { startThirdPartyApp } from '../third-party-app/app.ts';
import { createEmailPrinter } from './emails.ts';
import { startFeed } from './feed.ts';
import { findFreePort } from './ports.ts';
import { createDemoWorld, type DemoWorld, demoPassword, person } from './world.ts';

interface Running {
  close(): Promise<void>;
}

/** Only PORT and LOG_LEVEL count: demo accounts must not reach a lasting database or a network. */
async function main(): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'latchkey-demo-'));
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }));
  const running: Running[] = [];
  stopOnSignal(running);
  const wanted = readConfig({ PORT: process.env['PORT'], LOG_LEVEL: process.env['LOG_LEVEL'] || 'error' });
  const port = await findFreePort(wanted.port);
  const appPort = await findFreePort(port + 1);
  const secret = randomBytes(32).toString('hex');
  const config = readConfig({
    PORT: String(port),
    DATA_DIR: directory,
    DATABASE: 'embedded',
    SECRET: secret,
    CALENDAR_ALLOW_PRIVATE: '127.0.0.0/8',
    LOG_LEVEL: wanted.logLevel,
  });
  const { appUrl, apiUrl } = config;
  const log = createLog(config.logLevel);
  const feed = await startFeed(person.timeZone);
  running.push(feed);
  const emails = createEmailPrinter();
  const service = await openService(config, { log, send: emails.send });
  running.push(service);
  const { app: latchkey, database } = service;
  const redirectUri = `http://localhost:${appPort}/callback`;
  const secrets = createSecrets([secret]);
  const demoService = { app: latchkey, db: database.db, secrets };
  const world = await createDemoWorld(demoService, { appUrl, redirectUri, feedUrl: feed.url });
  // What the world itself has written is no news to anybody.
  await deliverDue({ db: database.db, runtime: nodeRuntime, secrets, log, send: emails.send });
  await latchkey.listen({ host: config.host, port });
  const { id: clientId, secret: clientSecret } = world.confidentialClient;
  const app = await startThirdPartyApp({ issuer: appUrl, apiUrl, clientId, clientSecret, port: appPort });
  running.push(app);
  process.stdout.write(describe(world, appUrl, app.url));
  emails.start();
}

/** The process ends after this time, even if something doesn't close. */
const graceMs = 9000;

/** A second signal changes nothing, because the directory has to be deleted either way. */
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
Latchkey's demo is running. Everything in it goes when it stops (Ctrl-C). Emails appear here.

  1. Open the example app   ${appUrl}
     and click "Connect your calendar".
  2. Sign in as             ${teamOwner.email}
     with the password      ${demoPassword}
  3. Allow. The app shows the bookings, and makes and cancels them.

Latchkey itself             ${latchkeyUrl}

More to try:
  Book ${teamOwner.name}, as anyone can: ${latchkeyUrl}/${teamOwner.username}
  Register an app as ${developer.email}, then accept it as ${admin.email}.

Others who can sign in, with the same password:
  ${admin.email.padEnd(24)}  reviews apps: ${latchkeyUrl}/settings/admin/oauth
  ${developer.email.padEnd(24)}  owns the example app: ${latchkeyUrl}/settings/developer/oauth
${teamOwner.name} owns the team ${world.team.name}, and may let the app act for it.

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
