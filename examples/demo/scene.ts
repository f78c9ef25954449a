import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { readConfig } from '../../src/config.ts';
import { openService } from '../../src/open-service.ts';
import { createLog } from '../../src/platform/log.ts';
import type { Message } from '../../src/platform/mail/smtp.ts';
import { createSecrets } from '../../src/platform/secrets.ts';
import { findChromium } from '../../tests/support/chromium.ts';
import { startFeed } from './feed.ts';
import { findFreePort } from './ports.ts';
import { createDemoWorld, type DemoPerson, type DemoWorld, demoPassword, person } from './world.ts';

export interface Scene extends AsyncDisposable {
  readonly browser: Browser;
  readonly appUrl: string;
  readonly world: DemoWorld;
  /** The HTML is what recipients get. */
  readonly emails: readonly string[];
}

/** Starts a service with the demo world, and a browser; both end with the scene. */
export async function openScene(browserArguments: readonly string[] = []): Promise<Scene> {
  await using opening = new AsyncDisposableStack();
  const directory = await mkdtemp(join(tmpdir(), 'latchkey-scene-'));
  opening.defer(() => rm(directory, { recursive: true, force: true }));
  const port = await findFreePort(3900);
  const secret = randomBytes(32).toString('hex');
  const config = readConfig({
    DATABASE: 'embedded',
    SECRET: secret,
    CALENDAR_ALLOW_PRIVATE: '127.0.0.0/8',
    PORT: String(port),
    DATA_DIR: directory,
    LOG_LEVEL: 'error',
    ORG_HOST: `cal.localhost:${port}`,
  });
  const { appUrl } = config;
  const emails: string[] = [];
  const send = async ({ html }: Message): Promise<void> => void emails.push(html);
  const service = await openService(config, { log: createLog(config.logLevel), send });
  opening.defer(() => service.close());
  const { db } = service.database;
  const secrets = createSecrets([secret]);
  const feed = await startFeed(person.timeZone);
  opening.defer(() => feed.close());
  const world = await createDemoWorld(
    { app: service.app, db, secrets },
    { appUrl, redirectUri: 'https://tidy-week.example/callback', feedUrl: feed.url },
  );
  await service.app.listen({ host: config.host, port });
  const args = ['--no-sandbox', ...browserArguments];
  const browser = await chromium.launch({ ...(await findChromium()), args });
  opening.defer(() => browser.close());
  const opened = opening.move();
  return { browser, appUrl, world, emails, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}

/** Opens a page in a browser of its own, signed in as a user. */
export async function enter(
  { browser, appUrl }: Scene,
  { email }: DemoPerson,
  context = browser.newContext(),
): Promise<Page> {
  const page = await (await context).newPage();
  await page.goto(`${appUrl}/signin`);
  await page.getByLabel('Email address').fill(email);
  await page.getByLabel('Password').fill(demoPassword);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(`${appUrl}/`);
  return page;
}

export function consentPath({ confidentialClient }: DemoWorld): string {
  const query = new URLSearchParams({
    client_id: confidentialClient.id,
    redirect_uri: 'https://tidy-week.example/callback',
    state: 'demo',
  });
  return `/auth/oauth2/authorize?${query}`;
}
