import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { users } from '../../src/accounts/tables.ts';
import { dateWordsOf } from '../../src/platform/locale.ts';
import { withPlainBreaks } from '../../src/platform/plain-text.ts';
import { codeOf, decide, openDecision, requestOf } from '../support/authorization.ts';
import { allowForGood, exchangeCode, pressOf, visit } from '../support/consent.ts';
import { refusingInserts } from '../support/database-faults.ts';
import { addPerson } from '../support/groups.ts';
import { hostileTexts } from '../support/hostile-texts.ts';
import { addressesOn } from '../support/page-content.ts';
import { mailTo } from '../support/registration.ts';
import { sharedService } from '../support/service.ts';
import { addTeam } from '../support/teams.ts';
import { grantsOf } from '../support/tokens.ts';
import { addClient, connect, obtainCode, refresh, signIn } from '../support/world.ts';

const service = await sharedService();

test('the email about a new app says which, for whom, when, what it may do, and how to remove it', {
  tags: 'parts',
}, async () => {
  const { user, cookie } = await addPerson(service);
  const team = await addTeam(service, user, 'owner', 'Garden Club');
  const client = await addClient(service, { name: 'Tidy Desk', scopes: ['PROFILE_READ', 'BOOKING_WRITE'] });
  const form = await openDecision(service, requestOf(client), cookie);

  await decide(service, { ...form, account: team.slug }, 'allow', cookie);

  const [email, ...others] = await mailTo(service, user.email);
  expect(others).toEqual([]);
  expect(email).toMatchObject({ subject: 'You gave Tidy Desk access to your account', encryptedLink: null });
  const day = new Intl.DateTimeFormat('en-US', { timeZone: 'Europe/Berlin', dateStyle: 'medium' });
  for (const words of [
    'Tidy Desk',
    'app.example',
    'the team Garden Club',
    day.format(service.clock.now()),
    'See your name, email address, username and time zone, and the members of the team',
    'See, create, change and cancel the bookings of the team, with the names, email addresses and answers of people who book it',
    `${service.appUrl}/settings/apps`,
  ]) {
    expect(email?.text).toContain(words);
    expect(email?.html).toContain(words);
  }
});

test('an app that was approved before, and gets more, is said to do more now', async () => {
  const { user, cookie } = await addPerson(service);
  const client = await addClient(service, { name: 'Tidy Desk' });
  for (const scope of ['PROFILE_READ', 'PROFILE_READ PROFILE_WRITE']) {
    const form = await openDecision(service, requestOf(client, { scope }), cookie);
    const allowed = await decide(service, form, 'allow', cookie);
    await exchangeCode(service, client, codeOf(allowed));
  }

  expect((await mailTo(service, user.email)).map(({ subject }) => subject).toSorted()).toEqual([
    'Tidy Desk can do more in your account now',
    'You gave Tidy Desk access to your account',
  ]);
});

test('the email about a new app has the date as its reader writes it', async () => {
  const { user, cookie } = await addPerson(service);
  await service.database.db.update(users).set({ dateLocale: 'en-GB' }).where(eq(users.id, user.id));

  await connect(service, await addClient(service), cookie);

  const [email] = await mailTo(service, user.email);
  const words = dateWordsOf({ timeZone: 'Europe/Berlin', language: 'en-GB', hours: 24 });
  expect(email?.text).toContain(`\nWhen: ${words.momentOf(service.clock.now())}\n`);
});

test("for one's own account the email names its email address", async () => {
  const { user, cookie } = await addPerson(service);

  await connect(
    service,
    await addClient(service, { type: 'public', redirectUris: ['com.example.app:/cb'] }),
    cookie,
  );

  const [email] = await mailTo(service, user.email);
  expect(email?.text).toContain(`Account: ${user.email}`);
  expect(email?.text).toContain('Website: none given');
});

describe('there is one email', () => {
  test('for two tabs that are allowed at the same time (security C28)', async () => {
    const { user, cookie } = await addPerson(service);
    const client = await addClient(service);
    const forms = await Promise.all(
      Array.from({ length: 4 }, () => openDecision(service, requestOf(client), cookie)),
    );

    await Promise.all(forms.map((form) => decide(service, form, 'allow', cookie)));

    expect(await grantsOf(service, client)).toHaveLength(4);
    expect(await mailTo(service, user.email)).toHaveLength(1);
  });

  test('for an app whose first code can still be exchanged', async () => {
    const { user, cookie } = await addPerson(service);
    const client = await addClient(service);
    await decide(service, await openDecision(service, requestOf(client), cookie), 'allow', cookie);
    service.clock.advance(59);

    await decide(service, await openDecision(service, requestOf(client), cookie), 'allow', cookie);

    expect(await mailTo(service, user.email)).toHaveLength(1);
  });

  test('for a yes that is remembered, however often it is used', async () => {
    const { user, cookie } = await addPerson(service);
    const client = await addClient(service);
    await exchangeCode(service, client, codeOf(await allowForGood(service, client, cookie)));

    for (let visits = 0; visits < 3; visits += 1)
      expect(codeOf(await visit(service, requestOf(client), cookie))).toBeDefined();

    expect(await mailTo(service, user.email)).toHaveLength(1);
  });
});

describe('there is another email', () => {
  test('for an app that comes back after it was disconnected', async () => {
    const { user, cookie } = await addPerson(service);
    const client = await addClient(service);
    await connect(service, client, cookie);
    await pressOf(service, client, 'disconnect', cookie);

    await connect(service, client, cookie);

    const sent = (await mailTo(service, user.email)).map(({ subject }) => subject);
    expect(sent).toEqual(Array(2).fill('You gave Test app access to your account'));
  });

  test('for an app whose code was never exchanged (security C214)', async () => {
    const { user, cookie } = await addPerson(service);
    const client = await addClient(service);
    await obtainCode(service, cookie, client);
    service.clock.advance(61);

    await connect(service, client, cookie);

    expect(await mailTo(service, user.email)).toHaveLength(2);
  });

  test('for an app that comes back after its permission ran out (contract §1, REFRESH_IDLE_DAYS)', async () => {
    const { user, cookie } = await addPerson(service);
    const client = await addClient(service);
    const tokens = await connect(service, client, cookie);
    service.clock.advance(30 * 24 * 3600);
    expect((await refresh(service, client, tokens.refresh_token)).statusCode).toBe(400);

    await connect(service, client, await signIn(service, user));

    expect(await mailTo(service, user.email)).toHaveLength(2);
  });

  test.each([
    ['more than it had', 'PROFILE_READ', 'PROFILE_READ BOOKING_WRITE', 2],
    ['WRITE after READ', 'BOOKING_READ', 'BOOKING_WRITE', 2],
    ['something else', 'BOOKING_WRITE', 'PROFILE_READ', 2],
    ['full access', 'PROFILE_READ', undefined, 2],
    ['none, for less', 'BOOKING_WRITE PROFILE_READ', 'BOOKING_READ', 1],
    ['none, for less than full access', undefined, 'BOOKING_WRITE', 1],
  ] as const)(
    'for a connected app that gets %s (security C124)',
    { tags: 'parts' },
    async (_words, before, after, emails) => {
      const { user, cookie } = await addPerson(service);
      const client = await addClient(service, { scopes: null });
      await connect(service, client, cookie, before === undefined ? {} : { scope: before });

      await connect(service, client, cookie, after === undefined ? {} : { scope: after });

      const sent = await mailTo(service, user.email);
      expect(sent).toHaveLength(emails);
    },
  );

  test('none for what it has by two approvals together (security C124)', { tags: 'parts' }, async () => {
    const { user, cookie } = await addPerson(service);
    const client = await addClient(service, { scopes: null });
    for (const scope of ['PROFILE_READ', 'BOOKING_READ', 'PROFILE_READ BOOKING_READ'])
      await connect(service, client, cookie, { scope });

    expect(await mailTo(service, user.email)).toHaveLength(2);
  });

  test('for each team that a connected app may act for, once (security C124)', async () => {
    const { user, cookie } = await addPerson(service);
    const client = await addClient(service);
    await connect(service, client, cookie);
    for (const name of ['Garden Club', 'Shed']) {
      const { slug: team_slug } = await addTeam(service, user, 'owner', name);
      for (let times = 0; times < 2; times += 1) await connect(service, client, cookie, { team_slug });
    }

    const accounts = (await mailTo(service, user.email)).map(
      ({ text }) => /\nAccount: (.*)\n/.exec(text)?.[1],
    );
    expect(accounts.toSorted()).toEqual(['the team Garden Club', 'the team Shed', user.email].toSorted());
  });
});

test('Deny, and a decision that is out of date, write no email', async () => {
  const { user, cookie } = await addPerson(service);
  const form = await openDecision(service, requestOf(await addClient(service)), cookie);

  await decide(service, form, 'deny', cookie);
  await decide(service, { ...form, decision: '' }, 'allow', cookie);

  expect(await mailTo(service, user.email)).toEqual([]);
});

test('when the email cannot be kept nothing is allowed or remembered, and the same decision works later (architecture §3)', async () => {
  const { user, cookie } = await addPerson(service);
  const client = await addClient(service);
  const form = { ...(await openDecision(service, requestOf(client), cookie)), remember: 'yes' };

  const answer = await refusingInserts(service.database, 'outbox', () =>
    decide(service, form, 'allow', cookie),
  );
  const stored = await grantsOf(service, client);
  const asked = await visit(service, requestOf(client), cookie);
  const again = await decide(service, form, 'allow', cookie);

  expect(answer.headers.location).toContain('server_error');
  expect(stored).toEqual([]);
  expect(asked.statusCode).toBe(200);
  expect(codeOf(again)).toBeDefined();
  expect(await mailTo(service, user.email)).toHaveLength(1);
});

test.each(Object.entries(hostileTexts))(
  '%s as an app or a team stays text in the email (security C33)',
  async (_name, text) => {
    const { user, cookie } = await addPerson(service);
    const team = await addTeam(service, user, 'owner', text);
    const client = await addClient(service, { name: text });
    const form = await openDecision(service, requestOf(client), cookie);

    await decide(service, { ...form, account: team.slug }, 'allow', cookie);

    const [email] = await mailTo(service, user.email);
    // An email knows one kind of line break, what goes on below is set in, and its subject has none,
    // nor anything that turns it around (security C222).
    const turns = /[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
    const line = withPlainBreaks(text).replaceAll('\n', ' ').replaceAll(turns, '');
    expect(email?.subject).toContain(line);
    expect(email?.subject).not.toMatch(turns);
    expect(email?.text).toContain(`the team ${withPlainBreaks(text).replaceAll('\n', '\n    ')}`);
    expect(new Set(addressesOn(email?.html ?? ''))).toEqual(new Set([`${service.appUrl}/settings/apps`]));
    expect(email?.html).not.toMatch(/<(script|img|form)\b/);
  },
);
