import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { createCleanup } from '../../src/cleanup.ts';
import { languages } from '../../src/oauth/clients/quickstart/snippets.ts';
import { clientEvents, clientSecrets, clients, logos } from '../../src/oauth/tables.ts';
import { setClientStatus } from '../support/client-status.ts';
import { digestTables, readTables } from '../support/database-content.ts';
import { refusingInserts } from '../support/database-faults.ts';
import { addOwnedClient, exchange } from '../support/failed-requests.ts';
import { faultOf, policyOf, textOf, typedIn } from '../support/page-content.ts';
import {
  developerHome,
  findClientRow,
  mailTo,
  postOwnForm,
  reviewDecisions,
  secretsOf,
  submitClient,
  submitEdit,
} from '../support/registration.ts';
import { rememberConsent } from '../support/review.ts';
import { openAnotherInstance, openTestService } from '../support/service.ts';
import { issueCode, issueTokens, refusalOf } from '../support/tokens.ts';
import {
  addClient,
  addUser,
  callMe,
  connect,
  openAuthorizePage,
  refresh,
  requestToken,
  startSession,
} from '../support/world.ts';

const service = await openTestService();
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

test('a client in review says where its developer learns the result', async () => {
  const { id, cookie } = await submitClient(service);
  const mailing = await openAnotherInstance(service, {
    SMTP_URL: 'smtp://127.0.0.1:9',
    MAIL_FROM: 'a@b.example',
  });

  expect(textOf(await open(`/${id}`, cookie))).toContain('You’ll see the result here.');
  expect(textOf(await open(`/${id}`, cookie, mailing))).toContain('We’ll email you the result.');
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
    expect(textOf(body)).toContain('The steps work once the app is approved.');
    expect(all).toContain('LATCHKEY_CLIENT_SECRET');
    expect(all).not.toContain('lks_');
  });

  test('has a snippet per step, copied as it stands, line breaks and all', async () => {
    const { id, cookie } = await submitClient(service);

    const body = await open(quickstart(id), cookie);

    const codes = snippetsOn(body);
    const copied = [...body.matchAll(/ data-copy="([^"]*)"/g)].map(([, code = '']) => textOf(code));
    expect(codes).toHaveLength(language === 'shell' ? 5 : 4);
    expect(copied).toEqual(expect.arrayContaining(codes));
  });
});

test.each(['', '?language=cobol', '?language=shell&language=python'])(
  'the quickstart opens with a server in JavaScript with %j',
  async (query) => {
    const { id, cookie } = await submitClient(service);

    const body = await open(`/${id}/quickstart${query}`, cookie);
    expect(snippetsOn(body).join('')).toContain('createServer');
    expect(textOf(body)).toContain('None of your redirect URIs leads to your own computer.');
  },
);

test('the quickstart may ask us again, and other pages nobody (security C371)', async () => {
  const { id, cookie } = await submitClient(service);

  const [asking, other] = await Promise.all(
    [`/${id}/quickstart`, `/${id}`].map((path) =>
      service.app.inject({ url: `${developerHome}${path}`, headers: { cookie } }),
    ),
  );

  expect([asking, other].map((page) => page && policyOf(page)['connect-src'])).toEqual([
    ["'self'"],
    undefined,
  ]);
});

test('the quickstart says when the last token request came, and why it failed', async () => {
  const owned = await addOwnedClient(service, { type: 'public' });
  const { client, cookie } = owned;
  const said = async () => {
    const [, html = ''] =
      /data-live[^>]*>(.*?)<nav/s.exec(await open(`/${client.id}/quickstart`, cookie)) ?? [];
    service.clock.advance(3);
    return textOf(html).trim();
  };
  const visitor = await startSession(service, await addUser(service));
  const none = await said();
  await exchange({ code: 'nonsense' })(service, client);
  const failed = await said();
  await connect(service, client, visitor);
  service.clock.advance(3);
  const first = await said();
  await connect(service, client, visitor);
  const second = await said();
  await exchange({ code: 'nonsense' })(service, client);

  expect(none).toBe('No token request yet. It appears here as soon as we see it.');
  expect(failed).toMatch(/^Your last token request failed a moment ago\. This isn’t a valid code; /);
  expect(first).toBe('We saw your first token request 3 seconds ago.');
  expect(second).toBe('We saw your latest token request a moment ago.');
  expect(await said()).toContain('failed a moment ago');
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
    ['tidy desk', 'T'],
    ['<b>', '&lt;'],
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

/** An accepted client with an owner who is signed in. */
async function addOwned(name = 'Tidy Desk') {
  const client = await addClient(service, { name });
  const owner = await addUser(service);
  await db.update(clients).set({ ownerId: owner.id }).where(eq(clients.id, client.id));
  const cookie = await startSession(service, owner);
  const path = `${developerHome}/${client.id}/delete`;
  const open = () => service.app.inject({ url: path, headers: { cookie } });
  const remove = (typed: string) => postOwnForm(service, path, { name: typed }, cookie);
  return { client, owner, cookie, path, open, remove };
}

test('the page says whom it concerns, and asks for the name', async () => {
  const { client, open } = await addOwned();
  const people = [
    await startSession(service, await addUser(service)),
    await startSession(service, await addUser(service)),
  ] as const;
  const before = await open();
  await connect(service, client, people[0]);
  const one = await open();
  await connect(service, client, people[0]);
  await connect(service, client, people[1]);
  await issueCode(service, client);

  const page = await open();

  expect(textOf(before.body)).toContain('Nobody is connected to it.');
  expect(textOf(one.body)).toContain('1 user loses the connection to it.');
  expect(page.statusCode).toBe(200);
  expect(textOf(page.body)).toContain('2 users lose the connection to it.');
  expect(textOf(page.body)).toContain('To confirm, enter Tidy Desk');
  expect(textOf(page.body)).toContain('never used again');
});

test('a deleted client is gone with everything of it, and its tokens die immediately (contract §2)', async () => {
  const { client, owner, cookie, remove } = await addOwned('Doomed Desk');
  const tokens = await issueTokens(service, client);
  const code = await issueCode(service, client);

  const answer = await remove('Doomed Desk');

  const page = await service.app.inject({ url: `${developerHome}/${client.id}`, headers: { cookie } });
  const list = await service.app.inject({ url: String(answer.headers.location), headers: { cookie } });
  const request = { client_id: client.id, redirect_uri: client.redirectUri };
  const { outbox, audit_events: _recorded, ...tables } = await readAfterCleanup();
  expect([answer.statusCode, answer.headers.location]).toEqual([303, `${developerHome}?done=deleted`]);
  expect(textOf(list.body)).toContain('App deleted.');
  expect(page.statusCode).toBe(404);
  expect((await callMe(service, tokens.access_token)).statusCode).toBe(401);
  expect(refusalOf(await refresh(service, client, tokens.refresh_token))).toEqual([
    401,
    'invalid_client',
    'client_not_found',
  ]);
  expect(refusalOf(await requestToken(service, code))).toEqual([401, 'invalid_client', 'client_not_found']);
  expect((await openAuthorizePage(service, request, cookie)).statusCode).toBe(400);
  expect(JSON.stringify(tables)).not.toContain(client.id);
  expect(outbox).toBeDefined();
  expect(await mailTo(service, owner.email)).toMatchObject([{ subject: 'Doomed Desk was deleted' }]);
});

test('its grants and consents are deleted afterwards, in statements of their own (architecture §2, security C77)', async () => {
  const { client, remove } = await addOwned();
  await issueTokens(service, client);
  await rememberConsent(service, client.id, (await addUser(service)).id);
  const another = await addClient(service);
  await issueTokens(service, another);
  service.takeStatements();

  await remove('Tidy Desk');
  const statements = service.takeStatements().filter((text) => /"(grants|remembered_consents)"/.test(text));
  const left = await readAfterCleanup();

  expect(statements.filter((text) => !text.startsWith('select'))).toEqual([]);
  expect(JSON.stringify([left['grants'], left['remembered_consents']])).not.toContain(client.id);
  expect(JSON.stringify(left['grants'])).toContain(another.id);
});

/** Twice: a walk begins anywhere. */
async function readAfterCleanup() {
  const cleanup = createCleanup(service.app);
  await cleanup.run();
  await cleanup.run();
  return readTables(service.database);
}

test('two submits at the same time delete once, and send one letter', async () => {
  const { owner, remove } = await addOwned();

  const answers = await Promise.all([remove('Tidy Desk'), remove('Tidy Desk'), remove('Tidy Desk')]);

  expect(answers.map(({ headers }) => headers.location).toSorted()).toEqual([
    `${developerHome}?done=deleted`,
    `${developerHome}?done=nothing_to_delete`,
    `${developerHome}?done=nothing_to_delete`,
  ]);
  expect(await mailTo(service, owner.email)).toHaveLength(1);
});

describe('the name that is typed', () => {
  test.each([
    ['nothing', ''],
    ['another name', 'Tidy'],
    ['NUL', 'Tidy Desk\0'],
    ['its markup', '<b>Tidy Desk</b>'],
    ['too much', 'x'.repeat(5000)],
  ])('is not the name: %s is a 400, and nothing is deleted', async (_name, typed) => {
    const { client, remove } = await addOwned();
    const before = await digestTables(service.database);

    const answer = await remove(typed);

    expect(answer.statusCode).toBe(400);
    expect(faultOf(answer, 'name')).toContain('This isn’t the app’s name.');
    expect(typedIn(answer, 'name')).toBe(typed);
    expect(await findClientRow(service, client.id)).toBeDefined();
    expect(await digestTables(service.database)).toEqual(before);
  });
});

test('a pending client may be deleted, and no longer waits for anybody', async () => {
  const { id, cookie } = await submitClient(service);

  const answer = await postOwnForm(service, `${developerHome}/${id}/delete`, { name: 'Tidy Desk' }, cookie);

  expect(answer.headers.location).toBe(`${developerHome}?done=deleted`);
  expect(await findClientRow(service, id)).toBeUndefined();
});

test('when the email cannot be kept, nothing is deleted (architecture §3)', async () => {
  const { client, remove } = await addOwned();
  const before = await digestTables(service.database);

  const answer = await refusingInserts(service.database, 'outbox', () => remove('Tidy Desk'));

  expect(answer.statusCode).toBe(500);
  expect(await findClientRow(service, client.id)).toBeDefined();
  expect(await digestTables(service.database)).toEqual(before);
});
