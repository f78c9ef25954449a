import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { claimMessages, emailQueues, hurryMessage } from '../../src/platform/mail/store.ts';
import { outbox } from '../../src/platform/mail/tables.ts';
import { emptyOutbox } from '../support/empty-table.ts';
import { textOf } from '../support/page-content.ts';
import { postOwnForm } from '../support/registration.ts';
import { openTestService } from '../support/service.ts';
import { addUser, startSession } from '../support/world.ts';

const service = await openTestService();
const { db } = service.database;
const home = '/settings/admin/outbox';
const admin = await startSession(service, await addUser(service, { isAdmin: true }));
const user = await startSession(service, await addUser(service));

beforeEach(async () => {
  await emptyOutbox(db);
});

/** A message in the outbox that the service itself leaves alone: it was logged, because there is no mail server. */
async function put(changes: Partial<typeof outbox.$inferInsert> = {}): Promise<string> {
  const id = randomUUID();
  const now = service.clock.now();
  const message = {
    id,
    recipient: 'ann@example.com',
    subject: 'Your app was accepted',
    text: 'Hello Ann',
    html: '<p>Hello Ann</p>',
    createdAt: now,
    loggedAt: now,
  };
  await db.insert(outbox).values({ ...message, ...changes });
  return id;
}

async function open(path: string, cookie = admin) {
  return service.app.inject({ url: path, headers: { cookie } });
}

async function find(id: string) {
  const [row] = await db.select().from(outbox).where(eq(outbox.id, id));
  return row;
}

describe('the outbox', () => {
  test('shows admins what waits, with recipient, subject and state', async () => {
    await put();
    await put({ subject: 'Refused', lastFailure: 'smtp 550', attempts: 3 });
    await put({
      subject: 'Given up',
      lastFailure: 'smtp 551',
      attempts: 5,
      failedAt: service.clock.now(),
    });
    await put({ subject: 'Gone out', sentAt: service.clock.now() });

    const page = textOf((await open(home)).body).replaceAll(/\s+/g, ' ');

    expect(page).toContain('2 waiting, 2 failing.');
    expect(page).toMatch(/Your app was accepted ?to ann@example\.com/);
    expect(page).toContain('smtp 550 3 attempts, next');
    expect(page).not.toContain('Given up');
    expect(page).not.toContain('Gone out');
    const failing = textOf((await open(`${home}?show=failing`)).body).replaceAll(/\s+/g, ' ');
    expect(failing).toContain('smtp 551 stopped after 5 attempts');
  });

  test('drops all that waits after its own page has asked, and names no SQL (security C273)', async () => {
    const waiting = await put();
    await put({ subject: 'Refused', lastFailure: 'smtp 550', attempts: 3 });
    const sent = await put({ sentAt: service.clock.now() });

    const [list, asked] = [await open(home), await open(`${home}/discard`)];

    expect(list.body).not.toMatch(/DELETE FROM/);
    expect(list.body).toContain(`href="${home}/discard"`);
    expect(textOf(asked.body)).toContain('Discard 2 waiting emails?');
    expect((await open(`${home}/discard`, user)).statusCode).toBe(403);
    await postOwnForm(service, `${home}/discard`, {}, user);
    expect(await find(waiting)).toBeDefined();
    expect((await postOwnForm(service, `${home}/discard`, {}, admin)).headers['location']).toBe(home);
    expect(await db.select({ id: outbox.id }).from(outbox)).toEqual([{ id: sent }]);
    expect((await open(`${home}/discard`)).headers['location']).toBe(home);
  });

  test.each([
    ['waiting', ['kept', 'refused']],
    ['failing', ['refused']],
    ['sent', ['gone']],
    ['rubbish', ['kept', 'refused']],
  ])('shows %s messages: %j', async (show, expected) => {
    await put({ subject: 'kept' });
    await put({ subject: 'refused', lastFailure: 'smtp 451', attempts: 1 });
    await put({ subject: 'gone', sentAt: service.clock.now() });

    const { body } = await open(`${home}?show=${show}`);

    const shown = ['kept', 'refused', 'gone'].filter((subject) => body.includes(`<bdi>${subject}</bdi>`));
    expect(shown).toEqual(expected);
  });

  test('says so when there is nothing', async () => {
    expect(textOf((await open(home)).body)).toContain('No emails are waiting.');
    expect(textOf((await open(`${home}?show=failing`)).body)).toContain('No emails are failing.');
  });

  test('goes on page by page, each message once, while others are added', async () => {
    const started = service.clock.now().getTime();
    for (let index = 0; index < 120; index += 1) {
      // Several of one instant, so that the page's edge falls between them.
      await put({ subject: `no. ${index}.`, createdAt: new Date(started + Math.floor(index / 7)) });
    }
    const seen: string[] = [];
    let address: string | undefined = home;
    while (address !== undefined) {
      const { body }: { body: string } = await open(address);
      seen.push(...[...body.matchAll(/<bdi>(no\. \d+\.)<\/bdi>/g)].map(([, subject = '']) => subject));
      await put({ subject: 'newer', createdAt: new Date(started + 1000) });
      address = /href="([^"]*behind=[^"]*)">Older/.exec(body)?.[1]?.replaceAll('&amp;', '&');
    }

    expect(seen).toHaveLength(120);
    expect(new Set(seen).size).toBe(120);
  });

  test.each(['x', '2030-01-01T00:00:00.000Z', '%00~%00', '2030-01-01T00:00:00.000Z~nobody'])(
    'starts from the top behind a place that is none: %s',
    async (behind) => {
      await put();

      const answer = await open(`${home}?behind=${behind}`);

      expect(answer.statusCode).toBe(200);
      expect(answer.body).toContain('Your app was accepted');
    },
  );
});

describe('a message', () => {
  test('is shown with its text, without its private link', async () => {
    const encryptedLink = service.rootSecret.encrypt(
      'private-link',
      Buffer.from('https://cal.example/canary'),
    );
    const id = await put({ text: 'Open (a link that only the recipient sees) <now>', encryptedLink });

    const { body } = await open(`${home}/${id}`);

    expect(textOf(body)).toContain('Open (a link that only the recipient sees) <now>');
    expect(body).not.toContain('canary');
  });

  test.each([randomUUID(), 'nobody', '%20', 'a'.repeat(500)])(
    'that is not there is a 404: %s',
    async (id) => {
      expect((await open(`${home}/${id}`)).statusCode).toBe(404);
      expect((await postOwnForm(service, `${home}/${id}/try-now`, {}, admin)).statusCode).toBe(404);
    },
  );

  test('that has failed can be tried now', async () => {
    const id = await put({ lastFailure: 'ECONNECTION', attempts: 9, loggedAt: null });

    const answer = await postOwnForm(service, `${home}/${id}/try-now`, {}, admin);

    expect(answer.headers.location).toBe(`${home}/${id}`);
    // There is no mail server here: the delivery that was nudged puts it into the log.
    await expect.poll(async () => (await find(id))?.loggedAt).not.toBeNull();
  });

  test('that is being sent at this moment isn’t hurried, so that it never goes out twice', async () => {
    const now = service.clock.now();
    const id = await put({ lastFailure: 'smtp 451', attempts: 1, loggedAt: null });
    await hurryMessage(db, id, now);
    const claim = () =>
      claimMessages(db, emailQueues, { now, leaseUntil: new Date(now.getTime() + 120_000), count: 1 });
    const [claimed] = await claim();
    if (claimed === undefined) throw new Error('it was not claimed');

    await hurryMessage(db, id, now);

    expect(await claim()).toEqual([]);
  });
});
