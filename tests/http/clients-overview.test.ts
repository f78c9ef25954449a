import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { languages } from '../../src/oauth/clients/quickstart/snippets.ts';
import { clientEdits, clientEvents, clientSecrets, clients, logos } from '../../src/oauth/tables.ts';
import { setClientStatus } from '../support/client-status.ts';
import { textOf } from '../support/page-content.ts';
import {
  developerHome,
  reviewDecisions,
  secretsOf,
  submitClient,
  submitEdit,
} from '../support/registration.ts';
import { openAnotherInstance, sharedService } from '../support/service.ts';
import { addUser, connect, startSession } from '../support/world.ts';

const service = await sharedService();
const admin = await addUser(service, { isAdmin: true });
const adminCookie = await startSession(service, admin);
const { db } = service.database;

async function open(path: string, cookie: string, at = service): Promise<string> {
  return (await at.app.inject({ url: `${developerHome}${path}`, headers: { cookie } })).body;
}

test.each([
  ['pending', 'Your app is in review'],
  ['accepted', 'Your app is approved'],
  ['rejected', 'Your app was rejected'],
] as const)('a client that is %s says what that means and what comes next', async (status, words) => {
  const { id, cookie } = await submitClient(service);
  await setClientStatus(db, id, status);

  const page = textOf(await open(`/${id}`, cookie));

  expect(page).toContain(words);
  expect(page.includes('Fix and resubmit')).toBe(status === 'rejected');
  expect(page.includes('Open quickstart')).toBe(status !== 'rejected');
});

test('a client that was accepted and then suspended is told apart from one that was never accepted', async () => {
  const { id, cookie } = await submitClient(service);
  await reviewDecisions.accept(service, id, adminCookie);
  await setClientStatus(db, id, 'rejected');
  await db.update(clients).set({ grantsEndedAt: service.clock.now() }).where(eq(clients.id, id));
  const event = { clientId: id, kind: 'suspended', actorId: admin.id, reason: 'It sends spam.' } as const;
  await db.insert(clientEvents).values({ ...event, at: service.clock.now() });

  const page = textOf(await open(`/${id}`, cookie));

  expect(page).toContain('Your app was suspended');
  expect(page).toContain('It sends spam.');
  expect(await open(`/${id}`, cookie)).toContain('<span class="badge rejected">Suspended</span>');
  expect(await open('', cookie)).toContain('<span class="badge rejected">Suspended</span>');
  expect(page).not.toContain('Your app was rejected');
});

test('the hint of a secret that was deleted is not among those that open the client (contract §2)', async () => {
  const { id, cookie } = await submitClient(service);
  const [secret] = await secretsOf(service, id);
  const before = await open(`/${id}`, cookie);
  await db
    .update(clientSecrets)
    .set({ deletedAt: service.clock.now() })
    .where(eq(clientSecrets.clientId, id));

  const page = await open(`/${id}`, cookie);

  expect(before).toContain(`<code>…${secret?.hint}</code>`);
  expect(page).not.toContain(`…${secret?.hint}`);
  expect(textOf(page)).toContain('None, so the app can’t request tokens.');
});

test('the history tells who did what and when, latest first, and names no admin', async () => {
  const { id, owner } = await submitClient(service);
  service.clock.advance(3600);
  const cookie = await startSession(service, owner);
  const reviewer = await startSession(service, admin);
  await reviewDecisions.reject(service, id, reviewer, 'Say <more>.');
  await submitEdit(service, id, cookie, { purpose: 'More.' });
  await reviewDecisions.accept(service, id, reviewer);
  await submitEdit(service, id, cookie, { purpose: 'Even more.' });

  const body = await open(`/${id}`, cookie);

  const [history = ''] = /<ol class="history">.*?<\/ol>/s.exec(body) ?? [];
  const lines = [...history.matchAll(/<li>(.*?) <time/gs)].map(([, words]) => words);
  expect(lines).toEqual([
    'Changes submitted for review',
    'Approved',
    'Resubmitted',
    'Rejected',
    'Submitted for review',
  ]);
  expect(textOf(history)).toContain('Say <more>.');
  expect(history).toContain(`datetime="${service.clock.now().toISOString()}"`);
  expect(body).not.toContain(admin.email);
  expect(body).not.toContain(admin.username);
});

test('the facts are there to be copied, with how many people are connected', async () => {
  const { id, cookie, owner } = await submitClient(service, { client_type: 'public' });
  await setClientStatus(db, id, 'accepted');
  const client = {
    id,
    type: 'public',
    secret: undefined,
    redirectUri: 'https://desk.example/callback',
    ownerId: owner.id,
  } as const;
  const before = textOf(await open(`/${id}`, cookie));
  await connect(service, client, await startSession(service, await addUser(service)));

  const body = await open(`/${id}`, cookie);

  expect(body).toContain(`<code class="value" id="client_id">${id}</code>`);
  expect(body).toContain(`data-copy="${id}"`);
  expect(before).toMatch(/Connected users\s+0/);
  expect(textOf(body)).toMatch(/Connected users\s+1/);
});

describe.each(languages)('the page of the quickstart in %s', (language) => {
  const quickstart = (id: string): string => `/${id}/quickstart?language=${language}`;

  test('has the addresses of the configuration, the first redirect URI, and no secret', async () => {
    const split = await openAnotherInstance(service, {
      APP_URL: 'https://latchkey.example',
      API_URL: 'https://api.latchkey.example',
    });
    const { id, cookie } = await submitClient(service, {
      redirect_uris: 'https://one.example/its\nhttps://two.example/',
    });
    const secure = cookie.replace('latchkey_session', '__Host-latchkey_session');

    const body = await open(quickstart(id), secure, split);

    const all = snippetsOn(body).join('\n');
    expect(all).toContain('https://latchkey.example/auth/oauth2/authorize?');
    expect(all).toContain('https://api.latchkey.example/v2/auth/oauth2/token');
    expect(all).toContain('https://one.example/its');
    expect(all).not.toContain('two.example');
    expect(textOf(body)).toContain('The steps use your first redirect URI');
    expect(textOf(body)).toContain('The steps work once the app is approved.');
    expect(all).toContain('LATCHKEY_CLIENT_SECRET');
    expect(all).not.toContain('lks_');
  });

  test('has a snippet per step, copied as it stands, line breaks and all', async () => {
    const { id, cookie } = await submitClient(service);

    const body = await open(quickstart(id), cookie);

    const codes = [
      ...body.matchAll(/<pre[^>]*><code>(.*?)<\/code><\/pre>\s*<button[^>]* data-copy="([^"]*)"/gs),
    ];
    expect(codes).toHaveLength(language === 'shell' ? 5 : 6);
    for (const [, shown = '', copied = ''] of codes) expect(textOf(copied)).toBe(textOf(shown));
  });
});

test.each(['', '?language=cobol', '?language=shell&language=python'])(
  'the quickstart opens in the shell with %j',
  async (query) => {
    const { id, cookie } = await submitClient(service);

    expect(snippetsOn(await open(`/${id}/quickstart${query}`, cookie)).join('')).toContain('curl');
  },
);

test('nobody but the owner sees the quickstart', async () => {
  const { id } = await submitClient(service);

  const body = await open(`/${id}/quickstart`, await startSession(service, await addUser(service)));

  expect(body).toContain('Page not found');
});

function snippetsOn(body: string): string[] {
  return [...body.matchAll(/<pre[^>]*><code>(.*?)<\/code><\/pre>/gs)].map(([, code = '']) => textOf(code));
}

describe('the list', () => {
  test('says what there is to do when it is empty', async () => {
    const body = await open('', await startSession(service, await addUser(service)));

    expect(textOf(body)).toContain('No apps yet');
    expect(body).toContain(`href="${developerHome}/new"`);
  });

  test.each([
    ['pending', 'Changes in review'],
    ['rejected', 'Changes rejected'],
  ] as const)('marks an accepted client whose edit is %s: %s', async (status, words) => {
    const { id, cookie } = await submitClient(service);
    await setClientStatus(db, id, 'accepted');
    const before = await open('', cookie);
    await submitEdit(service, id, cookie, { purpose: 'Other' });
    await db.update(clientEdits).set({ status }).where(eq(clientEdits.clientId, id));

    const body = await open('', cookie);

    expect(before).not.toContain('Changes');
    expect(body).toContain(`>${words}</span>`);
    expect(body).toContain('class="badge accepted">Approved</span>');
  });

  test.each([
    ['tidy desk', 'T'],
    ['\u200bödes', 'Ö'],
    ['🗝 Key', '🗝'],
    ['<b>', '&lt;'],
    ['"Tidy"', 'T'],
    ['...', '•'],
  ])('shows %j without a logo by its first letter %s', async (name, letter) => {
    const { cookie } = await submitClient(service, { name });

    expect(await open('', cookie)).toContain(
      `<span class="app-mark small" aria-hidden="true">${letter}</span>`,
    );
  });

  test('shows a logo where there is one', async () => {
    const { id, cookie } = await submitClient(service);
    const logoId = 'f'.repeat(32);
    const logo = { id: logoId, clientId: id, mediaType: 'image/png', content: new Uint8Array([1]) } as const;
    await db.insert(logos).values({ ...logo, createdAt: service.clock.now() });
    await db.update(clients).set({ logoId }).where(eq(clients.id, id));

    expect(await open('', cookie)).toContain(`<img class="app-mark small" src="/logos/${logoId}" alt=""`);
  });
});

describe('what an address says was done', () => {
  test.each([
    ['unchanged', 'Nothing changed'],
    ['changed', 'Changes saved.'],
    ['nothing_to_withdraw', 'There were no changes to withdraw.'],
  ])('%s is told on the page', async (done, words) => {
    const { id, cookie } = await submitClient(service);

    expect(textOf(await open(`/${id}?done=${done}`, cookie))).toContain(words);
  });

  test.each(['', 'toString', '<b>x</b>', 'changed&done=changed'])(
    '%j, which is not so, is not',
    async (done) => {
      const { id, cookie } = await submitClient(service);

      expect(await open(`/${id}?done=${done}`, cookie)).not.toContain('role="status"');
    },
  );
});
