import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { clients, logos } from '../../src/oauth/tables.ts';
import { codeOf, decide, openDecision, requestOf } from '../support/authorization.ts';
import { setClientStatus } from '../support/client-status.ts';
import { asksForMore, consentTitle, leadsTo, pressOf } from '../support/consent.ts';
import { hostileTexts } from '../support/hostile-texts.ts';
import {
  addressesOn,
  expectErrorPage,
  isOwnAddress,
  skeletonOf,
  textOf,
  titleOf,
  wordsAround,
} from '../support/page-content.ts';
import { sharedService } from '../support/service.ts';
import { addTeam } from '../support/teams.ts';
import { grantsOf } from '../support/tokens.ts';
import {
  addClient,
  addUser,
  authorizePath,
  clientFields,
  connect,
  openAuthorizePage,
  postForm,
  requestToken,
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

const onDevice = `${leadsTo} an app on this device: `;

test.each([
  ['https', 'https://desk.example:8443/cb', `${leadsTo} desk.example:8443`, false],
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
    'See your password, or change how you sign in',
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
  expect(wider).toContain(asksForMore);
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

  expect(full).toContain('See, create, change and delete your event types');
  expect(narrow).not.toContain('See, create, change and delete your event types');
});

test('Deny comes before Allow, so that Enter in a field is never a yes (contract §3)', async () => {
  const page = await readPage(await addClient(service));

  const buttons = [...page.matchAll(/<button[^>]* name="action" value="([a-z]+)"/g)].map(
    ([, value]) => value,
  );
  expect(buttons).toEqual(['deny', 'allow']);
  expect(page).toContain('consent.js');
});

const redirectUri = 'https://app.example/callback';
const accepted = await addClient(service);
const pending = await addClient(service, { status: 'pending' });
const rejected = await addClient(service, { status: 'rejected' });

const situations = [
  ['an unknown client', 'Unknown app', { client_id: 'unknown', redirect_uri: redirectUri }],
  ['no client', 'Unknown app', { redirect_uri: redirectUri }],
  ['no parameter at all', 'Unknown app', {}],
  ['a pending client', 'This app isn’t available', requestOf(pending)],
  ['a rejected client', 'This app isn’t available', requestOf(rejected)],
  ['no redirect_uri', 'Incomplete request', { client_id: accepted.id }],
  ['an empty redirect_uri', 'Incomplete request', { client_id: accepted.id, redirect_uri: '' }],
  [
    'another redirect_uri',
    'The redirect URI doesn’t match',
    { client_id: accepted.id, redirect_uri: 'https://evil.example/callback' },
  ],
] as const;

test.each([
  ['an app that is known', { client_id: accepted.id }, 'Sign in with the account that registered it'],
  ['no known app', { client_id: 'unknown' }, 'Check that client_id'],
  ['a repeated parameter', { client_id: accepted.id, state: 's'.repeat(8193) }, 'Send each parameter once'],
])('a refusal for %s tells a developer what to do (contract §3)', async (_name, request, words) => {
  const page = await openAuthorizePage(service, request);

  expect(textOf(page.body)).toContain(words);
});

test.each([
  ['pending', pending],
  ['rejected, or suspended after it was accepted', rejected],
])(
  'a client that is %s: what the page says is true, and sends nobody back to try again',
  async (_, client) => {
    const said = textOf((await openAuthorizePage(service, requestOf(client), cookie)).body);

    expect(said).toContain('It isn’t approved at the moment. Nothing was shared. Contact the developer.');
    expect(said).not.toMatch(/try again|waiting|was not accepted/);
  },
);

describe.each([
  ['signed in', cookie],
  ['signed out', undefined],
] as const)('%s', (_name, session) => {
  test.each(situations)(
    'a request with %s stays on the page: %s (contract §3, security C2)',
    async (_situation, title, request) => {
      const page = await openAuthorizePage(service, { ...request, state: 'kept' }, session);

      expectErrorPage(page, 'example/callback');
      expect(titleOf(page)).toBe(title);
    },
  );

  test.each(situations)(
    'a decision with %s stays on the page: %s (contract §3, security C2)',
    async (_situation, title, request) => {
      const answer = await postForm(service, authorizePath, { ...request, action: 'allow' }, session);

      expectErrorPage(answer, 'example/callback');
      expect(titleOf(answer)).toBe(title);
    },
  );
});

async function openPageOf(name: string, parameters: Readonly<Record<string, string>> = {}) {
  const client = await addClient(service, { name });
  return openAuthorizePage(service, requestOf(client, parameters), cookie);
}

/** The page of a user who manages a team of this name: with the choice, and with the team fixed. */
async function openTeamPages(name: string): Promise<readonly [offered: string, fixed: string]> {
  const client = await addClient(service);
  const manager = await addUser(service);
  const managerCookie = await startSession(service, manager);
  const team = await addTeam(service, manager, 'owner', name);
  const offered = await openAuthorizePage(service, requestOf(client), managerCookie);
  const fixed = await openAuthorizePage(service, requestOf(client, { team_slug: team.slug }), managerCookie);
  return [offered.body, fixed.body];
}

const plain = {
  page: skeletonOf((await openPageOf('Plain')).body),
  state: skeletonOf((await openPageOf('Plain', { state: 'plain' })).body),
  scope: skeletonOf((await openPageOf('Plain', { scope: 'PROFILE_READ' })).body),
  teamPages: (await openTeamPages('Plain')).map(skeletonOf),
};

describe.each(Object.entries(hostileTexts))('%s', (_name, text) => {
  test("as a client's name stays text, apart from the words around it (security C33)", async () => {
    const page = await openPageOf(text);

    expect(page.statusCode).toBe(200);
    expect(skeletonOf(page.body)).toEqual(plain.page);
    expect(textOf(page.body)).toContain(consentTitle(text));
    expect(wordsAround(page.body)).not.toContain(text);
    expect(addressesOn(page.body).filter((address) => !isOwnAddress(address))).toEqual([]);
  });

  test.each([
    ['state', text],
    ['scope', `PROFILE_READ ${text}`],
  ] as const)('as %s stays text (security C33)', async (parameter, value) => {
    const page = await openPageOf('Plain', { [parameter]: value });

    expect(page.statusCode).toBe(200);
    expect(skeletonOf(page.body)).toEqual(plain[parameter]);
  });

  test("as a team's name stays text, in the choice and alone (security C33)", async () => {
    const [offered, fixed] = await openTeamPages(text);

    expect(textOf(offered)).toContain(`${text} (team)`);
    expect(textOf(fixed)).toContain(`to the team ${text}`);
    expect([offered, fixed].map(skeletonOf)).toEqual(plain.teamPages);
  });
});

describe.each(['rejected', 'pending'] as const)('a client that becomes %s', (status) => {
  test.each(['allow', 'deny'] as const)(
    'between page and %s gets no answer, and nothing is stored (contract §2, security C44)',
    async (action) => {
      const client = await addClient(service);
      const form = await openDecision(service, requestOf(client), cookie);
      await setClientStatus(db, client.id, status);

      const answer = await decide(service, form, action, cookie);

      expectErrorPage(answer, client.redirectUri);
      expect(await grantsOf(service, client)).toEqual([]);
    },
  );

  test('between Allow and exchange gets no tokens (contract §2, security C44)', async () => {
    const client = await addClient(service);
    const form = await openDecision(service, requestOf(client), cookie);
    const code = codeOf(await decide(service, form, 'allow', cookie));
    await setClientStatus(db, client.id, status);

    const fields = { grant_type: 'authorization_code', code, redirect_uri: client.redirectUri };
    const answer = await requestToken(service, { ...clientFields(client), ...fields });

    expect(answer.statusCode).toBe(401);
    expect(answer.json()).toEqual({
      error: 'invalid_client',
      error_description: 'client_not_accepted',
      error_uri: `${service.appUrl}/docs/errors#client_not_accepted`,
    });
    expect(await grantsOf(service, client)).toMatchObject([{ generation: 0 }]);
  });
});

test('an address that leaves the registration between page and Allow gets no answer (contract §3)', async () => {
  const client = await addClient(service);
  const form = await openDecision(service, requestOf(client), cookie);
  await db
    .update(clients)
    .set({ redirectUris: ['https://app.example/moved'] })
    .where(eq(clients.id, client.id));

  const answer = await decide(service, form, 'allow', cookie);

  expectErrorPage(answer, client.redirectUri);
  expect(await grantsOf(service, client)).toEqual([]);
});

test('a client that is deleted between page and Allow gets no answer (contract §2)', async () => {
  const client = await addClient(service);
  const form = await openDecision(service, requestOf(client), cookie);
  await db.delete(clients).where(eq(clients.id, client.id));

  const answer = await decide(service, form, 'allow', cookie);

  expectErrorPage(answer, client.redirectUri);
  expect(titleOf(answer)).toBe('Unknown app');
});
