import { describe, expect, test } from 'vitest';
import { codeOf, requestOf } from '../support/authorization.ts';
import { allowForGood, exchangeCode, visit } from '../support/consent.ts';
import { faultOf, textOf, titleOf } from '../support/page-content.ts';
import { mailTo, reviewDecisions, reviewHome } from '../support/registration.ts';
import { ownerEmailOf, rememberConsent, resubmit, stateOf, submitEdit } from '../support/review.ts';
import { sharedService } from '../support/service.ts';
import { foundGrantsOf, issueCode, issueTokens, refusalOf, usable, use } from '../support/tokens.ts';
import {
  addClient,
  addUser,
  callMe,
  openAuthorizePage,
  refresh,
  requestToken,
  startSession,
} from '../support/world.ts';

const service = await sharedService();
const admin = await addUser(service, { isAdmin: true });
const adminCookie = await startSession(service, admin);
const otherCookie = await startSession(service, await addUser(service, { isAdmin: true }));

const suspend = (id: string, reason = 'It sells addresses') =>
  reviewDecisions.suspend(service, id, adminCookie, reason);

async function mailsOfOwner(clientId: string) {
  return mailTo(service, await ownerEmailOf(service, clientId));
}

describe('an accepted client that an admin suspends (contract §2)', () => {
  test('is rejected with the reason, its edit and what people remembered are gone, its owner gets a mail', async () => {
    const { id } = await addClient(service, { name: 'Bad Desk' });
    await rememberConsent(service, id, (await addUser(service)).id);
    await submitEdit(service, id, { name: 'Worse Desk' });

    const answer = await suspend(id, 'It sells\r\n<addresses>');

    const { client, edit, events, consents } = await stateOf(service, id);
    expect(answer.statusCode).toBe(303);
    expect(answer.headers.location).toBe(`${reviewHome}?decided=${id}`);
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
    for (const grant of await foundGrantsOf(service, client))
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

    expect(await foundGrantsOf(service, client)).toMatchObject([{ revocationReason: 'client' }]);
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
  test.each(['pending', 'rejected'] as const)('that is %s: 409', async (status) => {
    const { id } = await addClient(service, { status });
    const before = await stateOf(service, id);

    const answer = await suspend(id);

    expect(answer.statusCode).toBe(409);
    expect(titleOf(answer)).toBe('This app was already reviewed');
    expect(await stateOf(service, id)).toEqual(before);
  });

  test('without a reason: 400, and its tokens work', async () => {
    const client = await addClient(service);
    const tokens = await issueTokens(service, client);

    const answer = await suspend(client.id, '');

    expect(answer.statusCode).toBe(400);
    expect(faultOf(answer, 'suspend-reason')).toBe('Enter a reason.');
    expect(faultOf(answer, 'reject-reason')).toBeUndefined();
    expect(await use(service, client, tokens)).toEqual(usable);
  });

  test('whose owner submitted changes meanwhile: 409, and its tokens work', async () => {
    const client = await addClient(service);
    const tokens = await issueTokens(service, client);
    await submitEdit(service, client.id);

    const answer = await reviewDecisions.suspend(service, client.id, adminCookie, 'No', 1);

    expect(titleOf(answer)).toBe('The app changed while you reviewed it');
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
