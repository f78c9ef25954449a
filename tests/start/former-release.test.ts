import { execFileSync, spawn } from 'node:child_process';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
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

/** Builds the release as it builds itself, with the packages that are installed here. */
async function buildRelease(): Promise<string> {
  const folder = await makeFolder();
  execFileSync('tar', ['-x', '-C', folder], { input: git('archive', formerRelease) });
  await symlink(join(repository, 'node_modules'), join(folder, 'node_modules'));
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
