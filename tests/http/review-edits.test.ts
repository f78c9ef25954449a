import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { clientEdits, logos } from '../../src/oauth/tables.ts';
import { refusingInserts } from '../support/database-faults.ts';
import { faultOf, titleOf } from '../support/page-content.ts';
import { findClientRow, mailTo, reviewDecisions, reviewHome } from '../support/registration.ts';
import {
  ownerEmailOf,
  rememberConsent,
  stateOf,
  subjectsTo,
  submitEdit,
  withdrawEdit,
} from '../support/review.ts';
import { sharedService, type TestService } from '../support/service.ts';
import { usable, use } from '../support/tokens.ts';
import { addClient, addUser, connect, openAuthorizePage, startSession } from '../support/world.ts';

const service = await sharedService();
const admin = await addUser(service, { isAdmin: true });
const adminCookie = await startSession(service, admin);
const otherCookie = await startSession(service, await addUser(service, { isAdmin: true }));

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
    const [mail, ...more] = await mailTo(service, await ownerEmailOf(service, id));
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
    const [mail, ...more] = await mailTo(service, await ownerEmailOf(service, id));
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
    ['reject', 'the owner submitted others', 'The app changed while you reviewed it'],
    ['accept', 'the owner withdrew them', 'The app changed while you reviewed it'],
    ['reject', 'the owner withdrew them', 'The app changed while you reviewed it'],
    ['accept', 'another admin rejected them', 'This app was already reviewed'],
    ['reject', 'another admin rejected them', 'This app was already reviewed'],
    ['accept', 'another admin accepted them', 'This app was already reviewed'],
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
    if (meanwhile === 'another admin accepted them') await reviewDecisions.accept(service, id, otherCookie);
    if (meanwhile === 'another admin suspended the app')
      await reviewDecisions.suspend(service, id, otherCookie);
    const before = await stateOf(service, id);
    const mails = await subjectsTo(service, await ownerEmailOf(service, id));

    const answer = await reviewDecisions[decision](service, id, adminCookie, 'No', 2);

    expect(answer.statusCode).toBe(409);
    expect(titleOf(answer)).toBe(title);
    expect(answer.body).toContain(`href="${reviewHome}/${id}"`);
    expect(await stateOf(service, id)).toEqual(before);
    expect(await subjectsTo(service, await ownerEmailOf(service, id))).toEqual(mails);
  });

  test.each(['accept', 'reject'] as const)(
    '%s sent twice by one admin: done once, and no error',
    async (decision) => {
      const { id } = await addClient(service);
      await submitEdit(service, id, { name: 'Twice Desk' });
      await reviewDecisions[decision](service, id, adminCookie, 'No');
      const before = await stateOf(service, id);

      const answer = await reviewDecisions[decision](service, id, adminCookie, 'No');

      expect(answer.statusCode).toBe(303);
      expect(await stateOf(service, id)).toEqual(before);
      expect(await mailTo(service, await ownerEmailOf(service, id))).toHaveLength(1);
    },
  );
});

test('changes are not rejected without a reason: 400, nothing is done (contract §2)', async () => {
  const { id } = await addClient(service);
  await submitEdit(service, id);
  const before = await stateOf(service, id);

  const answer = await reject(id, ' ');

  expect(answer.statusCode).toBe(400);
  expect(faultOf(answer, 'reject-reason')).toBe('Enter a reason.');
  expect(await stateOf(service, id)).toEqual(before);
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
