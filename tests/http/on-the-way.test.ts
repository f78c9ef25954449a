import { sql } from 'drizzle-orm';
import type { LightMyRequestResponse } from 'fastify';
import { describe, expect, test } from 'vitest';
import { users } from '../../src/accounts/tables.ts';
import { type AuthorizationFields, codeOf, decisionFormOf, requestOf } from '../support/authorization.ts';
import { allowForGood, consentTitle, exchangeCode } from '../support/consent.ts';
import { credentialsOf, startVisit } from '../support/on-the-way.ts';
import { textOf, titleOf } from '../support/page-content.ts';
import { openTestService } from '../support/service.ts';
import { mailSettings, pressVerify, verifyPathTo } from '../support/verification.ts';
import {
  addClient,
  addUser,
  authorizePath,
  postForm,
  startSession,
  type TestClient,
  type TestUser,
} from '../support/world.ts';

const service = await openTestService(mailSettings);
const state = 'a state & "more"';

const addressFor = (client: TestClient, changes: AuthorizationFields = {}): string =>
  `${authorizePath}?${new URLSearchParams(requestOf(client, { state, ...changes })).toString()}`;

/** The consent page of this person, for the whole request. */
function expectConsentOf(page: LightMyRequestResponse, { email }: { readonly email: string }): void {
  expect([page.statusCode, titleOf(page)]).toEqual([200, consentTitle()]);
  expect(textOf(page.body)).toContain(email);
  expect(decisionFormOf(page.body)).toMatchObject({ state });
}

async function visitAs(options: Parameters<typeof addUser>[1] = {}) {
  const user = await addUser(service, options);
  return { user, visit: startVisit(service, await startSession(service, user)) };
}

/** Where a person can get stuck with the wrong account. */
const stuck: Readonly<Record<string, () => Promise<Stuck>>> = {
  async consent() {
    const { visit } = await visitAs();
    return { visit, page: await visit.open(addressFor(await addClient(service))) };
  },
  async 'the confirmation that a new permission takes after ten minutes'() {
    const { visit } = await visitAs();
    service.clock.advance(601);
    return { visit, page: await visit.open(addressFor(await addClient(service))) };
  },
  async 'that confirmation after a wrong password'() {
    const { visit } = await visitAs();
    service.clock.advance(601);
    const page = await visit.open(addressFor(await addClient(service)));
    return { visit, page: await visit.press(page, 'Confirm', { password: 'wrong' }) };
  },
  async 'the confirmation at Allow'() {
    const { visit } = await visitAs();
    const page = await visit.open(addressFor(await addClient(service)));
    service.clock.advance(601);
    const form = { ...decisionFormOf(page.body), action: 'allow' };
    const sent = await postForm(service, authorizePath, form, visit.cookie());
    return { visit, page: await visit.open(String(sent.headers.location)) };
  },
  async 'Verify your email'() {
    const { visit } = await visitAs({ isVerified: false });
    return { visit, page: await visit.open(addressFor(await addClient(service))) };
  },
  async 'Check your email'() {
    const { visit } = await visitAs({ isVerified: false });
    const page = await visit.open(addressFor(await addClient(service)));
    return { visit, page: await visit.press(page, 'Send new link') };
  },
  async 'a forgotten password'() {
    const { visit } = await visitAs();
    service.clock.advance(601);
    const { body } = await visit.open(addressFor(await addClient(service)));
    const [, address = ''] = /href="(\/forgot[^"]*)"/.exec(body) ?? [];
    return { visit, page: await visit.open(textOf(address)) };
  },
  async 'an expired page'() {
    const { visit } = await visitAs();
    const page = await visit.open(addressFor(await addClient(service)));
    const form = { ...decisionFormOf(page.body), decision: 'none', action: 'allow' };
    return { visit, page: await postForm(service, authorizePath, form, visit.cookie()) };
  },
};

interface Stuck {
  readonly visit: ReturnType<typeof startVisit>;
  readonly page: LightMyRequestResponse;
}

describe('every page on the way of an app’s request has Use another account (contract §3)', () => {
  test.each(Object.entries(stuck))('%s', async (_name, open) => {
    const other = await addUser(service);
    const { visit, page } = await open();

    const signInPage = await visit.press(page, 'Use another account');
    const consent = await visit.press(signInPage, 'Sign in', credentialsOf(other));

    expect(titleOf(signInPage)).toBe('Sign in');
    expect(textOf(signInPage.body)).toContain('Sign in to continue to Test app');
    expectConsentOf(consent, other);
  });

  test.each(Object.entries(stuck).filter(([name]) => /^(?:the confirmation|Verify)/.test(name)))(
    '%s: signing out keeps the request, too',
    async (_name, open) => {
      const { visit, page } = await open();

      const signInPage = await visit.press(page, 'Sign out');

      expect(textOf(signInPage.body)).toContain('Sign in to continue to Test app');
    },
  );

  test('a request that is refused, of an app of somebody else: its developer signs in, and reads what to fix', async () => {
    const owner = await addUser(service);
    const client = await addClient(service);
    await service.database.db.execute(sql`update clients set owner_id = ${owner.id} where id = ${client.id}`);
    const { visit } = await visitAs();
    const wrong = addressFor(client, { redirect_uri: 'https://app.example/other' });

    const refused = await visit.open(wrong);
    const signedOut = await visit.press(refused, 'Use another account');
    const [, address = ''] = /href="(\/signin\?[^"]*)"/.exec(signedOut.body) ?? [];
    const again = await visit.press(await visit.open(textOf(address)), 'Sign in', credentialsOf(owner));

    expect(textOf(refused.body)).not.toContain('This is your app');
    expect([again.statusCode, textOf(again.body).includes('This is your app: Test app')]).toEqual([
      400,
      true,
    ]);
  });

  test('a suspended account isn’t the end of the way', async () => {
    const [suspended, other] = [await addUser(service), await addUser(service)];
    await service.database.db.execute(
      sql`update ${users} set suspended_at = now(), suspension_reason = 'Spam' where ${users.id} = ${suspended.id}`,
    );
    const visit = startVisit(service);
    const signInPage = await visit.open(addressFor(await addClient(service)));

    const refused = await visit.press(signInPage, 'Sign in', credentialsOf(suspended));
    const [, address = ''] = /href="([^"]*)">Use another account</.exec(refused.body) ?? [];
    const consent = await visit.press(await visit.open(textOf(address)), 'Sign in', credentialsOf(other));

    expect(titleOf(refused)).toBe('Your account is suspended');
    expectConsentOf(consent, other);
  });

  test('pages elsewhere don’t offer it', async () => {
    const { visit } = await visitAs();
    service.clock.advance(601);
    const confirm = await visit.open('/settings/profile/email');

    expect(titleOf(confirm)).toBe('Confirm it’s you');
    expect(confirm.body).not.toContain('Use another account');
  });
});

describe('who has just signed in goes on (contract §3)', () => {
  test('with another email address, which *Verify your email* led to change', async () => {
    const { user, visit } = await visitAs({ isVerified: false });
    const first = await visit.open(addressFor(await addClient(service)));
    const [, change = ''] = /<a href="([^"]*)">Change email address/.exec(first.body) ?? [];
    const form = await visit.open(textOf(change));
    const faulty = await visit.press(form, 'Send link', { email: user.email });
    const email = `new-${user.email}`;
    const sent = await visit.press(faulty, 'Send link', { email });
    const opened = await visit.open(await verifyPathTo(service, email));

    expect(textOf(sent.body)).toContain('you come back to where you were');
    expectConsentOf(await visit.press(opened, 'Change email address'), { email });
  });

  test('but not where the link is opened in another browser', async () => {
    const { user, visit } = await visitAs({ isVerified: false });
    const first = await visit.open(addressFor(await addClient(service)));
    const [, change = ''] = /<a href="([^"]*)">Change email address/.exec(first.body) ?? [];
    const email = `other-${user.email}`;
    await visit.press(await visit.open(textOf(change)), 'Send link', { email });
    const elsewhere = startVisit(service, await startSession(service, user));
    const opened = await elsewhere.open(await verifyPathTo(service, email));

    expect(titleOf(await elsewhere.press(opened, 'Change email address'))).toBe('Profile');
  });

  test('after ten minutes, as another person, without a second password', async () => {
    const other = await addUser(service);
    const { visit } = await visitAs();
    service.clock.advance(601);
    const client = await addClient(service);

    const confirm = await visit.open(addressFor(client));
    const signInPage = await visit.press(confirm, 'Use another account');
    const consent = await visit.press(signInPage, 'Sign in', credentialsOf(other));
    service.clock.advance(5);
    const form = { ...decisionFormOf(consent.body), action: 'allow' };
    const allowed = await postForm(service, authorizePath, form, visit.cookie());

    expect(allowed.headers.location).toMatch(/^https:\/\/app\.example\/callback\?code=/);
  });

  test('who verified the address in another tab, too', async () => {
    const { user, visit } = await visitAs({ isVerified: false });
    const first = await visit.open(addressFor(await addClient(service)));
    await visit.press(first, 'Send new link');
    await pressVerify(service, await verifyPathTo(service, user.email), visit.cookie());

    expectConsentOf(await visit.press(first, 'Send new link'), user);
  });
});

/** The app gets a code for this person without a page. */
async function remember(client: TestClient, user: TestUser): Promise<void> {
  const allowed = await allowForGood(service, client, await startSession(service, user), { state });
  await exchangeCode(service, client, codeOf(allowed));
}

describe('a second tab is no dead end, and gives nobody’s access without a click (contract §3, security C351)', () => {
  /** Two tabs ask for A's confirmation; in the first one B, whose consent is remembered, signs in. */
  async function openBoth(changes: AuthorizationFields = {}) {
    const client = await addClient(service);
    const [{ user, visit }, other] = [await visitAs(), await addUser(service)];
    await remember(client, other);
    service.clock.advance(601);
    const address = `${addressFor(client, changes)}${changes['prompt'] === '' ? '&prompt=' : ''}`;
    const [first, second] = [await visit.open(address), await visit.open(address)];
    expect(titleOf(second)).toBe('Confirm it’s you');
    return { user, other, visit, first, second, address };
  }

  test.each([
    ['', {}],
    [' with an empty prompt', { prompt: '' }],
    [' with prompt=none, which means nothing without openid', { prompt: 'none' }],
  ])(
    'signed in as somebody else meanwhile, its form leads to the consent of that person%s',
    async (_, changes) => {
      const { user, other, visit, first, second } = await openBoth(changes);
      const signInPage = await visit.press(first, 'Use another account');
      const done = await visit.press(signInPage, 'Sign in', credentialsOf(other));

      const page = await visit.press(second, 'Confirm', { password: user.password });

      expect(done.headers.location).toMatch(/^https:\/\/app\.example\/callback\?code=/);
      expectConsentOf(page, other);
    },
  );

  test.each(['Use another account', 'Sign out'])(
    'so does its %s, which signs nobody out that it doesn’t name',
    async (button) => {
      const { other, visit, first, second } = await openBoth();
      await visit.press(await visit.press(first, 'Use another account'), 'Sign in', credentialsOf(other));

      expectConsentOf(await visit.press(second, button), other);
    },
  );

  test.each([{}, { prompt: '' }, { prompt: 'none' }])(
    'reloaded, it goes on with the consent page, too: %j',
    async (changes) => {
      const { other, visit, first, address } = await openBoth(changes);
      const confirm = `/signin/confirm?return_to=${encodeURIComponent(address)}`;
      await visit.press(await visit.press(first, 'Use another account'), 'Sign in', credentialsOf(other));

      for (const page of [confirm, confirm.replace('/confirm', ''), confirm.replace('in/confirm', 'up')])
        expectConsentOf(await visit.open(page), other);
    },
  );

  test('confirmed meanwhile, the request goes on', async () => {
    const { user, visit, first, second } = await openBoth();
    await visit.press(first, 'Confirm', { password: user.password });

    expectConsentOf(await visit.press(second, 'Confirm', { password: user.password }), user);
  });

  test.each(['Confirm', 'Use another account', 'Sign out'])(
    'signed out meanwhile, its %s leads to the sign-in for the app',
    async (button) => {
      const { visit, first, second } = await openBoth();
      await visit.press(first, 'Sign out');

      const page = await visit.press(second, button, { password: 'whatever it was' });

      expect(textOf(page.body)).toContain('Sign in to continue to Test app');
    },
  );

  test('of Verify your email, signed out or in as somebody else meanwhile, leads on, too', async () => {
    const other = await addUser(service);
    const { visit } = await visitAs({ isVerified: false });
    const address = addressFor(await addClient(service));
    const [first, second] = [await visit.open(address), await visit.open(address)];

    const signInPage = await visit.press(first, 'Use another account');
    const signedOut = await visit.press(second, 'Send new link');
    await visit.press(signInPage, 'Sign in', credentialsOf(other));
    const signedIn = await visit.press(second, 'Send new link');

    expect(textOf(signedOut.body)).toContain('Sign in to continue to Test app');
    expectConsentOf(signedIn, other);
  });

  test('of consent, decides nothing, and leads to the page of who is signed in', async () => {
    const client = await addClient(service);
    const [{ visit }, other] = [await visitAs(), await addUser(service)];
    await remember(client, other);
    const [first, second] = [await visit.open(addressFor(client)), await visit.open(addressFor(client))];
    await visit.press(await visit.press(first, 'Use another account'), 'Sign in', credentialsOf(other));

    const form = { ...decisionFormOf(second.body), action: 'allow' };
    const expired = await postForm(service, authorizePath, form, visit.cookie());
    const [, address = ''] = /href="([^"]*)">View the request again</.exec(expired.body) ?? [];

    expect([expired.statusCode, titleOf(expired)]).toEqual([400, 'This page has expired']);
    expectConsentOf(await visit.open(textOf(address)), other);
    expectConsentOf(await visit.press(second, 'Use another account'), other);
  });

  test('elsewhere, a form that is out of date stays refused (security C30)', async () => {
    const { user, visit } = await visitAs();
    const stale = await startSession(service, user);
    const page = await startVisit(service, stale).open('/settings/sessions');

    const answer = await visit.press(page, 'Sign out');

    expect([answer.statusCode, titleOf(answer)]).toEqual([403, 'This page is out of date']);
  });
});
