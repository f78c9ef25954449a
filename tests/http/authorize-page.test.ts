import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { clients, logos } from '../../src/oauth/tables.ts';
import { decide, openDecision, requestOf } from '../support/authorization.ts';
import { pressOf } from '../support/consent.ts';
import { textOf } from '../support/page-content.ts';
import { sharedService } from '../support/service.ts';
import {
  addClient,
  addUser,
  connect,
  openAuthorizePage,
  startSession,
  type TestClient,
} from '../support/world.ts';

const service = await sharedService();
const { db } = service.database;
const user = await addUser(service);
const cookie = await startSession(service, user);

async function readPage(client: TestClient, changes: Readonly<Record<string, string>> = {}): Promise<string> {
  const page = await openAuthorizePage(service, requestOf(client, changes), cookie);
  expect(page.statusCode).toBe(200);
  return page.body;
}

const onDevice = 'You’ll be redirected to an app on this device: ';

test.each([
  ['https', 'https://desk.example:8443/cb', 'You’ll be redirected to desk.example:8443', false],
  ['loopback http', 'http://localhost:49152/cb', `${onDevice}localhost:49152. Allow it only if`, true],
  ['a private-use scheme', 'com.example.app:/cb', `${onDevice}com.example.app`, false],
])(
  'the page says where %s leads, warns of localhost, and says that no website was given (contract §3)',
  async (_kind, redirectUri, destination, isWarning) => {
    for (const type of ['public', 'confidential'] as const) {
      const page = await readPage(await addClient(service, { type, redirectUris: [redirectUri] }));

      expect(textOf(page)).toContain(destination);
      expect(textOf(page)).toContain('No website given · Reviewed by Latchkey');
      expect(page.includes('notice warn')).toBe(isWarning);
    }
  },
);

test("the app's website that its reviewers saw comes before the address (contract §3)", async () => {
  const client = await addClient(service);
  await db
    .update(clients)
    .set({ websiteUrl: 'https://www.desk.example/about' })
    .where(eq(clients.id, client.id));

  const text = textOf(await readPage(client));

  expect(text).toContain('www.desk.example · Reviewed by Latchkey');
  expect(text).not.toContain('No website given');
});

test('the page shows the logo, or else the first letter (contract §2, §3)', async () => {
  const client = await addClient(service, { name: '𝕋idy' });
  const letter = await readPage(client);
  const logo = { id: 'a'.repeat(32), clientId: client.id, mediaType: 'image/png' } as const;
  await db.insert(logos).values({ ...logo, content: new Uint8Array([1]), createdAt: service.clock.now() });
  await db.update(clients).set({ logoId: logo.id }).where(eq(clients.id, client.id));

  const picture = await readPage(client);

  expect(letter).toContain('<span class="app-mark" aria-hidden="true">𝕋</span>');
  expect(letter).not.toContain('<img');
  expect(picture).toMatch(new RegExp(`<img class="app-mark" src="/logos/${logo.id}" alt=""`));
  expect(picture).not.toContain('aria-hidden="true">𝕋');
});

test('the page says what the app will not be able to do (contract §6)', { tags: 'parts' }, async () => {
  const text = textOf(await readPage(await addClient(service, { scopes: ['BOOKING_READ'] })));

  for (const words of [
    'See your password, or sign in as you',
    'Create, change or cancel bookings',
    'See or change your profile, or see your teams',
  ])
    expect(text.slice(text.indexOf('won’t be able to:'))).toContain(words);
});

test('the page tells the first time from the next, and says when the last was', async () => {
  const client = await addClient(service, { scopes: ['PROFILE_READ', 'PROFILE_WRITE'] });
  const first = textOf(await readPage(client));
  await connect(service, client, cookie, { scope: 'PROFILE_READ' });
  const day = new Intl.DateTimeFormat('en-US', { timeZone: 'Europe/Berlin', dateStyle: 'medium' });
  const allowed = `You approved this app on ${day.format(service.clock.now())}.`;

  const [same, wider] = [
    textOf(await readPage(client, { scope: 'PROFILE_READ' })),
    textOf(await readPage(client)),
  ];
  await pressOf(service, client, 'disconnect', cookie);
  const afterwards = textOf(await readPage(client));

  expect(first).not.toContain('You approved this app');
  for (const text of [same, wider, afterwards]) expect(text).toContain(allowed);
  expect(same).not.toContain('different permissions');
  expect(wider).toContain('It’s asking for different permissions this time.');
});

test('an Allow that came to nothing is not told as one', async () => {
  const client = await addClient(service);
  await decide(service, await openDecision(service, requestOf(client), cookie), 'allow', cookie);

  expect(textOf(await readPage(client))).not.toContain('You approved this app');
});

test('a client without scopes asks for full access, unless its request names scopes (contract §6)', {
  tags: 'parts',
}, async () => {
  const client = await addClient(service, { scopes: null });

  const full = textOf(await readPage(client, { scope: 'openid' }));
  const narrow = textOf(await readPage(client, { scope: 'PROFILE_READ nonsense' }));

  expect(full).toContain('See, create, change and cancel bookings on your behalf');
  expect(narrow).not.toContain('See, create, change and cancel bookings on your behalf');
});

test('Deny comes before Allow, so that Enter in a field is never a yes (contract §3)', async () => {
  const page = await readPage(await addClient(service));

  const buttons = [...page.matchAll(/<button[^>]* name="action" value="([a-z]+)"/g)].map(
    ([, value]) => value,
  );
  expect(buttons).toEqual(['deny', 'allow']);
  expect(page).toContain('consent.js');
});
