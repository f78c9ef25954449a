import { execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { bodyOf, callApi } from '../support/api.ts';
import { attendee, openBookingsApi } from '../support/bookings-api.ts';
import { startMailServer } from '../support/mail-server.ts';
import { createTestClock, openTestService } from '../support/service.ts';
import { startSubscriber } from '../support/subscriber.ts';
import { mailSettings } from '../support/verification.ts';
import { follow, makeFolder, onPostgres, repository } from './server-process.ts';

/** 0.1.0: whoever upgrades from it can go back to it. */
const formerRelease = 'a3e1e74999019622ac576cfa81c40219ecf17951';

const git = (...words: readonly string[]) =>
  execFileSync('git', words, { cwd: repository, stdio: ['ignore', 'pipe', 'ignore'], maxBuffer: 2 ** 28 });

/** A clone without its history lacks the release. */
function hasRelease(): boolean {
  try {
    git('cat-file', '-e', `${formerRelease}^{commit}`);
    return true;
  } catch {
    return false;
  }
}

/** The packages that are installed here, and from npm's registry those that the release alone needs. */
async function linkPackages(folder: string): Promise<void> {
  const packages = z.record(z.string(), z.string());
  const { dependencies, devDependencies } = z
    .object({ dependencies: packages, devDependencies: packages })
    .parse(JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')));
  const own = await makeFolder();
  const missing = Object.entries({ ...devDependencies, ...dependencies })
    .filter(([name]) => !existsSync(join(repository, 'node_modules', name)))
    .map(([name, version]) => `${name}@${version}`);
  if (missing.length > 0)
    execFileSync('npm', ['install', '--no-audit', '--no-fund', '--prefix', own, ...missing], { cwd: own });
  await mkdir(join(folder, 'node_modules'));
  for (const home of [repository, own].map((one) => join(one, 'node_modules')).filter(existsSync))
    for (const name of await readdir(home))
      await symlink(join(home, name), join(folder, 'node_modules', name)).catch(() => {});
}

/** Builds the release as it builds itself. */
async function buildRelease(): Promise<string> {
  const folder = await makeFolder();
  execFileSync('tar', ['-x', '-C', folder], { input: git('archive', formerRelease) });
  await linkPackages(folder);
  execFileSync(process.execPath, ['build.ts'], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  return folder;
}

test.skipIf(!hasRelease())(
  'the former release goes on where this version was: it sends what waits, and serves its tokens and bookings',
  { timeout: 180_000 },
  async () => {
    const [folder, mail, subscriber] = [
      await buildRelease(),
      await startMailServer(),
      await startSubscriber(),
    ];
    onTestFinished(mail.close);
    subscriber.answer('/hook', (response) => void response.writeHead(503).end());
    // The mail server is away, and so is the webhook's.
    const service = await openTestService(mailSettings, createTestClock(new Date()));
    const { ann, addEventType, booked, nextSlot } = await openBookingsApi(Promise.resolve(service));
    const fields = { subscriberUrl: subscriber.address('/hook'), triggers: ['BOOKING_CREATED'] };
    bodyOf(await callApi(service, 'POST', '/webhooks', { token: ann.token, body: fields }), 201);
    const booking = await booked((await addEventType()).id);
    await expect.poll(() => subscriber.events.length).toBe(1);
    await service.close();

    subscriber.answer('/hook', (response) => void response.writeHead(200).end());
    const child = spawn(process.execPath, [join(folder, 'dist/server.js')], {
      cwd: folder,
      env: {
        ...{ PORT: '0', APP_URL: service.appUrl, ...onPostgres(service.database.url) },
        ...{ ...mailSettings, SMTP_URL: mail.smtpUrl },
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const former = follow(child, (name) => child.kill(name));
    const address = await former.listening();

    await expect
      .poll(() => mail.received.map(({ recipients }) => recipients[0]), { timeout: 30_000 })
      .toContain('Dana@example.com');
    await expect.poll(() => subscriber.events.length, { timeout: 30_000 }).toBe(2);
    expect(subscriber.events[1]?.payload.uid).toBe(booking.uid);
    const headers = { authorization: `Bearer ${ann.token}` };
    const read = ['/me', `/bookings/${booking.uid}`, '/event-types', '/schedules', '/webhooks', '/calendars'];
    const statuses = read.map(async (path) => (await fetch(`${address}/v2${path}`, { headers })).status);
    expect(await Promise.all(statuses)).toEqual(read.map(() => 200));
    const next = await fetch(`${address}/v2/bookings`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ attendee, eventTypeId: booking.eventTypeId, start: nextSlot() }),
    });
    expect(next.status).toBe(201);
    former.signal('SIGTERM');
    expect(await former.ended).toBe(0);
    expect(former.errors()).toBe('');
    expect(former.output()).not.toContain('"level":50');
  },
);
