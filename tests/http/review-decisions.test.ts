import { randomBytes } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { users } from '../../src/accounts/tables.ts';
import { findReviewedClient, settleReview } from '../../src/oauth/review/store.ts';
import { clientEdits, clients, logos } from '../../src/oauth/tables.ts';
import { tokenStore } from '../../src/oauth/token/store.ts';
import { contextOf } from '../support/audit.ts';
import { codeOf, requestOf } from '../support/authorization.ts';
import { allowForGood, exchangeCode, visit } from '../support/consent.ts';
import { refusingInserts } from '../support/database-faults.ts';
import { faultOf, textOf, titleOf, typedIn } from '../support/page-content.ts';
import {
  findClientRow,
  mailTo,
  postOwnForm,
  reviewDecisions,
  reviewHome,
  submitClient,
} from '../support/registration.ts';
import {
  changePending,
  rememberConsent,
  replaceEdit,
  resubmit,
  stateOf,
  submitEdit,
  withdrawEdit,
} from '../support/review.ts';
import { sharedService, type TestService } from '../support/service.ts';
import { grantsOf, issueCode, issueTokens, refusalOf, usable, use } from '../support/tokens.ts';
import { subjectsTo } from '../support/verification.ts';
import type { TestClient } from '../support/world.ts';
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

const service = await sharedService();
const admin = await addUser(service, { isAdmin: true });
const adminCookie = await startSession(service, admin);
const otherCookie = await startSession(service, await addUser(service, { isAdmin: true }));

/** The grants of a client, as the token endpoint finds them. */
async function foundGrantsOf(client: TestClient) {
  const store = tokenStore(service.database.db);
  const rows = await grantsOf(service, client);
  return Promise.all(rows.map(async ({ id }) => (await store.find(client.id, id)).grant));
}

/** The email address of a client's owner. */
async function ownerEmailOf(clientId: string): Promise<string> {
  const [owner] = await service.database.db
    .select({ email: users.email })
    .from(clients)
    .innerJoin(users, eq(users.id, clients.ownerId))
    .where(eq(clients.id, clientId));
  if (owner === undefined) throw new Error('there is no such client');
  return owner.email;
}

const accept = (id: string, revision?: number) =>
  reviewDecisions.accept(service, id, adminCookie, undefined, revision);

const reject = (id: string, reason = 'Not like this', revision?: number) =>
  reviewDecisions.reject(service, id, adminCookie, reason, revision);

async function addLogo({ database, clock }: TestService, clientId: string): Promise<string> {
  const id = randomBytes(16).toString('hex');
  const logo = { id, clientId, mediaType: 'image/png', content: new Uint8Array([1]) } as const;
  await database.db.insert(logos).values({ ...logo, createdAt: clock.now() });
  return id;
}

describe('changes to an accepted client (contract §2)', () => {
  test('that are accepted become its live values, logo included, and its owner gets a mail', async () => {
    const { id } = await addClient(service, { name: 'Old Desk' });
    const logoId = await addLogo(service, id);
    const changes = {
      name: 'New Desk',
      purpose: 'New things.',
      redirectUris: ['https://new.example/callback', 'https://app.example/callback'],
      websiteUrl: 'https://new.example',
      scopes: ['BOOKING_READ'] as ['BOOKING_READ'],
      requiresPkce: true,
      logoId,
    };
    await submitEdit(service, id, changes);

    const answer = await accept(id);

    const { client, edit, events } = await stateOf(service, id);
    const [mail, ...more] = await mailTo(service, await ownerEmailOf(id));
    expect(answer.statusCode).toBe(303);
    expect(client).toMatchObject({ ...changes, status: 'accepted', revision: 2, reviewerId: admin.id });
    expect(client).toMatchObject({ rejectionReason: null, reviewedAt: service.clock.now() });
    expect(edit).toBeUndefined();
    expect(events.at(-1)).toMatchObject({ kind: 'edit_accepted', actorId: admin.id, reason: null });
    expect(more).toEqual([]);
    expect(mail).toMatchObject({ subject: 'The changes to New Desk were approved' });
    expect(mail?.text).toContain(`${service.appUrl}/settings/developer/oauth/${id}`);
  });

  test('that are rejected leave the accepted values live; the reason stands with them and in the mail', async () => {
    const { id } = await addClient(service, { name: 'Calm Desk' });
    await submitEdit(service, id, { name: 'Loud Desk', redirectUris: ['https://loud.example/'] });
    const before = await findClientRow(service, id);

    const answer = await reject(id, 'Too <loud>\r\nby far');

    const { client, edit, events } = await stateOf(service, id);
    const [mail, ...more] = await mailTo(service, await ownerEmailOf(id));
    const reviewed = { reviewerId: admin.id, reviewedAt: service.clock.now() };
    expect(answer.statusCode).toBe(303);
    expect(client).toEqual({ ...before, ...reviewed });
    expect(edit).toMatchObject({
      name: 'Loud Desk',
      status: 'rejected',
      rejectionReason: 'Too <loud>\nby far',
    });
    expect(events.at(-1)).toMatchObject({ kind: 'edit_rejected', reason: 'Too <loud>\nby far' });
    expect(more).toEqual([]);
    expect(mail).toMatchObject({ subject: 'The changes to Calm Desk were rejected' });
    expect(mail?.text).toContain('The reviewer’s reason:\n\nToo <loud>\nby far\n');
  });

  test('cut nobody off, whatever is decided: tokens go on to work', async () => {
    const client = await addClient(service);
    const cookie = await startSession(service, await addUser(service));
    const tokens = [await connect(service, client, cookie), await connect(service, client, cookie)] as const;
    await submitEdit(service, client.id, { redirectUris: ['https://new.example/callback'] });
    await reject(client.id);
    const afterRejection = await use(service, client, tokens[0]);
    await service.database.db.delete(clientEdits);
    await submitEdit(service, client.id, { redirectUris: ['https://new.example/callback'] });

    await accept(client.id);

    expect(afterRejection).toEqual(usable);
    expect(await use(service, client, tokens[1])).toEqual(usable);
  });

  test('move the redirect URI from the moment of their acceptance, and not before', async () => {
    const { id } = await addClient(service);
    const cookie = await startSession(service, await addUser(service));
    await submitEdit(service, id, { redirectUris: ['https://new.example/callback'] });
    const statusOf = async (uri: string): Promise<number> =>
      (await openAuthorizePage(service, { client_id: id, redirect_uri: uri }, cookie)).statusCode;
    const uris = ['https://app.example/callback', 'https://new.example/callback'];

    const before = await Promise.all(uris.map(statusOf));
    await accept(id);
    const after = await Promise.all(uris.map(statusOf));

    expect([before, after]).toEqual([
      [200, 400],
      [400, 200],
    ]);
  });

  test('end what people had remembered when they are accepted, of this client alone', async () => {
    const [changed, other] = [await addClient(service), await addClient(service)];
    const { id: userId } = await addUser(service);
    for (const { id } of [changed, other]) await rememberConsent(service, id, userId);
    await submitEdit(service, changed.id, { scopes: null });

    await accept(changed.id);

    expect((await stateOf(service, changed.id)).consents).toEqual([]);
    expect((await stateOf(service, other.id)).consents).toHaveLength(1);
  });

  test('leave what people had remembered when they are rejected', async () => {
    const { id } = await addClient(service);
    await rememberConsent(service, id, (await addUser(service)).id);
    await submitEdit(service, id);

    await reject(id);

    expect((await stateOf(service, id)).consents).toHaveLength(1);
  });
});

describe('a decision about changes that comes too late does nothing', () => {
  test.each([
    ['accept', 'the owner submitted others', 'The app changed while you reviewed it'],
    ['reject', 'the owner withdrew them', 'The app changed while you reviewed it'],
    ['accept', 'another admin rejected them', 'This app was already reviewed'],
    ['reject', 'another admin suspended the app', 'This app was already reviewed'],
  ] as const)('%s, when %s: 409, %s', async (decision, meanwhile, title) => {
    const { id } = await addClient(service);
    await submitEdit(service, id, { name: 'Seen Desk' });
    if (meanwhile === 'the owner submitted others') {
      await service.database.db.delete(clientEdits);
      await submitEdit(service, id, { name: 'Unseen Desk' });
    }
    if (meanwhile === 'the owner withdrew them') await withdrawEdit(service, id);
    if (meanwhile === 'another admin rejected them')
      await reviewDecisions.reject(service, id, otherCookie, 'No');
    if (meanwhile === 'another admin suspended the app')
      await reviewDecisions.suspend(service, id, otherCookie);
    const before = await stateOf(service, id);
    const mails = await subjectsTo(service, await ownerEmailOf(id));

    const answer = await reviewDecisions[decision](service, id, adminCookie, 'No', 2);

    expect(answer.statusCode).toBe(409);
    expect(titleOf(answer)).toBe(title);
    expect(answer.body).toContain(`href="${reviewHome}/${id}"`);
    expect(await stateOf(service, id)).toEqual(before);
    expect(await subjectsTo(service, await ownerEmailOf(id))).toEqual(mails);
  });
});

describe('a decision that is stored after another one', () => {
  const accepting = { outcome: 'edit_accepted', reason: null } as const;

  test.each([
    ['another admin’s rejection', (id: string) => reviewDecisions.reject(service, id, otherCookie, 'No')],
    ['other changes of the owner', (id: string) => replaceEdit(service, id, { name: 'Unseen Desk' })],
  ])('settles nothing, though its form was read before %s', async (_, act) => {
    const { id } = await addClient(service);
    await submitEdit(service, id, { name: 'Seen Desk' });
    const read = await findReviewedClient(service.database.db, id);
    if (read === undefined) throw new Error('the client is not there');
    await act(id);
    const before = await stateOf(service, id);

    const review = { ...accepting, reviewerId: admin.id, acceptedScopes: [] };
    const isSettled = await settleReview(service.database.db, read, review, [], contextOf(service));

    expect([isSettled, await stateOf(service, id)]).toEqual([false, before]);
  });
});

test.each(['accept', 'reject', 'suspend'] as const)(
  'when the mail cannot be kept, %s changes nothing of an accepted client (architecture §3)',
  async (decision) => {
    const { id } = await addClient(service);
    await rememberConsent(service, id, (await addUser(service)).id);
    await submitEdit(service, id, { name: 'Unlucky Desk' });
    const before = await stateOf(service, id);

    const answer = await refusingInserts(service.database, 'outbox', () =>
      reviewDecisions[decision](service, id, adminCookie, 'No'),
    );

    expect(answer.statusCode).toBe(500);
    expect(await stateOf(service, id)).toEqual(before);
  },
);

describe('an admin accepts', () => {
  test('a pending client: it may be used, and its owner gets a mail (contract §2)', async () => {
    const { id, owner, cookie } = await submitClient(service, { name: 'Good Desk' });

    const answer = await accept(id);

    const request = { client_id: id, redirect_uri: 'https://desk.example/callback' };
    const [mail, ...more] = await mailTo(service, owner.email);
    expect(answer.statusCode).toBe(303);
    expect(answer.headers.location).toBe(`${reviewHome}?done=accepted`);
    expect(await findClientRow(service, id)).toMatchObject({
      status: 'accepted',
      rejectionReason: null,
      reviewerId: admin.id,
      reviewedAt: service.clock.now(),
    });
    expect((await openAuthorizePage(service, request, cookie)).statusCode).toBe(200);
    expect(more).toEqual([]);
    expect(mail).toMatchObject({ subject: 'Good Desk was approved' });
    expect(mail?.text).toContain(`${service.appUrl}/settings/developer/oauth/${id}`);
  });
});

describe('an admin rejects', () => {
  test('a pending client with a reason, which the owner reads in the mail and on the page (contract §2)', async () => {
    const { id, owner, cookie } = await submitClient(service, { name: 'Bad Desk' });

    const answer = await reject(id, 'Say more about\r\n<your> purpose.');

    const [mail, ...more] = await mailTo(service, owner.email);
    const page = await service.app.inject({ url: `/settings/developer/oauth/${id}`, headers: { cookie } });
    expect(answer.statusCode).toBe(303);
    expect(await findClientRow(service, id)).toMatchObject({
      status: 'rejected',
      rejectionReason: 'Say more about\n<your> purpose.',
      reviewerId: admin.id,
    });
    expect(more).toEqual([]);
    expect(mail).toMatchObject({ subject: 'Bad Desk was rejected' });
    expect(mail?.text).toContain('Say more about\n<your> purpose.');
    expect(textOf(page.body)).toContain('Say more about\n<your> purpose.');
  });

  test.each([
    ['', 'Enter a reason.'],
    [' \r\n\t ', 'Enter a reason.'],
    ['x'.repeat(1001), 'Use at most 1000 characters.'],
    ['a\0b', 'Control characters aren’t allowed.'],
  ] as const)(
    'no client without a right reason: %j is refused, nothing changes (contract §2)',
    async (reason, fault) => {
      const { id, owner } = await submitClient(service);

      const answer = await reject(id, reason);

      expect(answer.statusCode).toBe(400);
      expect(faultOf(answer, 'reject-reason')).toBe(fault);
      expect(await findClientRow(service, id)).toMatchObject({ status: 'pending', reviewerId: null });
      expect(await mailTo(service, owner.email)).toEqual([]);
    },
  );

  test('and what was typed stays in its form, open, when it was too long', async () => {
    const { id } = await submitClient(service);

    const answer = await reject(id, 'y'.repeat(1001));

    expect(typedIn(answer, 'reject-reason')).toBe('y'.repeat(1001));
    expect(answer.body).toContain('<details open>');
    expect(answer.body.match(/aria-invalid/g)).toHaveLength(1);
  });
});

describe('the same admin who sends a form twice', () => {
  test.each([
    ['accepted', (id: string) => accept(id)],
    ['rejected', (id: string) => reject(id, 'Too\r\nvague')],
  ] as const)('%s: is led back to the list, and nothing happens twice', async (outcome, settle) => {
    const { id, owner } = await submitClient(service);
    await settle(id);
    const before = await stateOf(service, id);

    const answer = await settle(id);

    expect(answer.statusCode).toBe(303);
    expect(answer.headers.location).toBe(`${reviewHome}?done=${outcome}`);
    expect(await stateOf(service, id)).toEqual(before);
    expect(await mailTo(service, owner.email)).toHaveLength(1);
  });

  test.each([
    ['another decision', accept, (id: string) => reject(id, 'No')],
    ['another decision', (id: string) => reject(id, 'No'), accept],
    ['another reason', (id: string) => reject(id, 'No'), (id: string) => reject(id, 'Because')],
    ['no reason', (id: string) => reject(id, 'No'), (id: string) => reject(id, '')],
  ] as const)('but with %s: is told that it was reviewed already', async (_name, settle, settleAgain) => {
    const { id, owner } = await submitClient(service);
    await settle(id);
    const before = await stateOf(service, id);

    const answer = await settleAgain(id);

    expect(answer.statusCode).toBe(409);
    expect(await stateOf(service, id)).toEqual(before);
    expect(await mailTo(service, owner.email)).toHaveLength(1);
  });
});

describe('a decision holds for the values that the reviewer saw (contract §2)', () => {
  test.each(['accept', 'reject'] as const)(
    '%s after the owner changed the client: 409, nothing is done, and a way to look again',
    async (decision) => {
      const { id, owner } = await submitClient(service);
      await changePending(service, id, { redirectUris: ['https://evil.example/callback'] });
      const before = await stateOf(service, id);

      const answer = await reviewDecisions[decision](service, id, adminCookie, undefined, 1);

      expect(answer.statusCode).toBe(409);
      expect(titleOf(answer)).toBe('The app changed while you reviewed it');
      expect(answer.body).toContain(`href="${reviewHome}/${id}"`);
      expect(await stateOf(service, id)).toEqual(before);
      expect(await mailTo(service, owner.email)).toEqual([]);
    },
  );

  test('a rejection that another admin made does not hide that the owner came back with other values', async () => {
    const { id } = await submitClient(service);
    await reviewDecisions.reject(service, id, otherCookie, 'No');
    await resubmit(service, id);

    const answer = await reviewDecisions.reject(service, id, adminCookie, 'No', 1);

    expect(titleOf(answer)).toBe('The app changed while you reviewed it');
    expect(textOf(answer.body)).toContain('Your reason was: “No”');
    expect(await findClientRow(service, id)).toMatchObject({ status: 'pending', revision: 2 });
  });

  test.each(['', '0', '-1', '1.5', '1e0', '01', 'one', '\0', '1\0', '9'.repeat(30)])(
    'a form with the revision %j is a 400, and nothing is done (security C35)',
    async (revision) => {
      const { id } = await submitClient(service);
      const before = await stateOf(service, id);

      const fields = { revision, reason: 'No' };
      const answers = await Promise.all(
        ['accept', 'reject', 'suspend'].map((decision) =>
          postOwnForm(service, `${reviewHome}/${id}/${decision}`, fields, adminCookie),
        ),
      );

      expect(answers.map(({ statusCode }) => statusCode)).toEqual([400, 400, 400]);
      expect(await stateOf(service, id)).toEqual(before);
    },
  );
});

test.each(['accept', 'reject', 'suspend'])('%s of a client that is not there is a 404', async (decision) => {
  const answer = await postOwnForm(
    service,
    `${reviewHome}/unknown/${decision}`,
    { reason: 'No', revision: '1' },
    adminCookie,
  );

  expect(answer.statusCode).toBe(404);
});

const suspend = (id: string, reason = 'It sells addresses') =>
  reviewDecisions.suspend(service, id, adminCookie, reason);

async function mailsOfOwner(clientId: string) {
  return mailTo(service, await ownerEmailOf(clientId));
}

describe('an accepted client that an admin suspends (contract §2)', () => {
  test('is rejected with the reason, its edit and what people remembered are gone, its owner gets a mail', async () => {
    const { id } = await addClient(service, { name: 'Bad Desk' });
    await rememberConsent(service, id, (await addUser(service)).id);
    await submitEdit(service, id, { name: 'Worse Desk' });

    const answer = await suspend(id, 'It sells\r\n<addresses>');

    const { client, edit, events, consents } = await stateOf(service, id);
    expect(answer.statusCode).toBe(303);
    expect(answer.headers.location).toBe(`${reviewHome}?done=suspended`);
    expect(client).toMatchObject({
      name: 'Bad Desk',
      status: 'rejected',
      rejectionReason: 'It sells\n<addresses>',
      reviewerId: admin.id,
      reviewedAt: service.clock.now(),
    });
    expect([edit, consents]).toEqual([undefined, []]);
    expect(events.at(-1)).toMatchObject({ kind: 'suspended', reason: 'It sells\n<addresses>' });
    const [mail, ...more] = await mailsOfOwner(id);
    expect(more).toEqual([]);
    expect(mail).toMatchObject({ subject: 'Bad Desk was suspended' });
    expect(mail?.text).toContain('The reviewer’s reason:\n\nIt sells\n<addresses>\n');
  });

  test('cannot act any more: no access token, refresh token or code works, and nobody is asked', async () => {
    const client = await addClient(service);
    const tokens = await issueTokens(service, client);
    const code = await issueCode(service, client);

    await suspend(client.id);

    const person = await startSession(service, await addUser(service));
    const request = { client_id: client.id, redirect_uri: client.redirectUri };
    const notAccepted = [401, 'invalid_client', 'client_not_accepted'];
    expect((await callMe(service, tokens.access_token)).statusCode).toBe(401);
    expect(refusalOf(await refresh(service, client, tokens.refresh_token))).toEqual(notAccepted);
    expect(refusalOf(await requestToken(service, code))).toEqual(notAccepted);
    expect((await openAuthorizePage(service, request, person)).statusCode).toBe(400);
    for (const grant of await foundGrantsOf(client))
      expect(grant).toMatchObject({ revocationReason: 'admin', revokedAt: service.clock.now() });
  });

  test('and is accepted again gets none of its old permissions back', async () => {
    const client = await addClient(service);
    const tokens = await issueTokens(service, client);
    const code = await issueCode(service, client);
    await suspend(client.id);
    await resubmit(service, client.id);

    await reviewDecisions.accept(service, client.id, adminCookie);
    service.clock.advance(1);

    expect(await use(service, client, tokens)).toEqual({ me: 401, refresh: 400 });
    expect(refusalOf(await requestToken(service, code))[2]).toBe('code_invalid_or_expired');
    expect(await use(service, client, await issueTokens(service, client))).toEqual(usable);
  });

  test('leaves other clients alone, of the same people too', async () => {
    const [bad, good] = [await addClient(service), await addClient(service)];
    const tokens = await issueTokens(service, good);
    await rememberConsent(service, good.id, (await addUser(service)).id);
    const before = await stateOf(service, good.id);

    await suspend(bad.id);

    expect(await stateOf(service, good.id)).toEqual(before);
    expect(await use(service, good, tokens)).toEqual(usable);
  });

  test('keeps the reasons for which permissions ended before', async () => {
    const client = await addClient(service);
    const tokens = await issueTokens(service, client);
    await service.app.inject({
      method: 'POST',
      url: '/v2/auth/oauth2/revoke',
      payload: { client_id: client.id, client_secret: client.secret, token: tokens.refresh_token },
    });

    await suspend(client.id);

    expect(await foundGrantsOf(client)).toMatchObject([{ revocationReason: 'client' }]);
  });

  test('and is accepted again is new to the people who had connected it: not listed, asked, emailed', async () => {
    const client = await addClient(service, { name: 'Second Desk' });
    const user = await addUser(service);
    const cookie = await startSession(service, user);
    await exchangeCode(service, client, codeOf(await allowForGood(service, client, cookie)));
    const apps = async () =>
      textOf((await service.app.inject({ url: '/settings/apps', headers: { cookie } })).body);
    const before = [await apps(), (await visit(service, requestOf(client), cookie)).statusCode];

    await suspend(client.id);
    const meanwhile = await apps();
    await resubmit(service, client.id);
    await reviewDecisions.accept(service, client.id, adminCookie);
    service.clock.advance(1);
    const asked = await visit(service, requestOf(client), cookie);
    const after = await apps();
    await allowForGood(service, client, cookie);

    const emails = (await mailTo(service, user.email)).filter(({ subject }) =>
      subject.includes('Second Desk'),
    );
    expect(before).toEqual([expect.stringContaining('Second Desk'), 303]);
    expect([meanwhile, after].filter((text) => text.includes('Second Desk'))).toEqual([]);
    expect(asked.statusCode).toBe(200);
    expect(emails).toHaveLength(2);
  });

  test('ends its grants in statements that touch none of them, however many there are (architecture §2)', async () => {
    const client = await addClient(service);
    await issueTokens(service, client);
    service.takeStatements();

    await suspend(client.id);

    expect(service.takeStatements().filter((text) => /"(grants|remembered_consents)"/.test(text))).toEqual(
      [],
    );
  });
});

describe('nothing is suspended', () => {
  test('without a reason: 400, and its tokens work', async () => {
    const client = await addClient(service);
    const tokens = await issueTokens(service, client);

    const answer = await suspend(client.id, '');

    expect(answer.statusCode).toBe(400);
    expect(faultOf(answer, 'suspend-reason')).toBe('Enter a reason.');
    expect(faultOf(answer, 'reject-reason')).toBeUndefined();
    expect(await use(service, client, tokens)).toEqual(usable);
  });

  test('twice: the same admin is led back, another one is told', async () => {
    const { id } = await addClient(service);
    await suspend(id, 'No');
    const before = await stateOf(service, id);

    const again = await suspend(id, 'No');
    const other = await reviewDecisions.suspend(service, id, otherCookie, 'No');

    expect([again.statusCode, other.statusCode]).toEqual([303, 409]);
    expect(await stateOf(service, id)).toEqual(before);
    expect(await mailsOfOwner(id)).toHaveLength(1);
  });
});
