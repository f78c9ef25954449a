import { describe, expect, test } from 'vitest';
import { faultOf, textOf, titleOf, typedIn } from '../support/page-content.ts';
import {
  findClientRow,
  mailTo,
  postOwnForm,
  reviewDecisions,
  reviewHome,
  submitClient,
} from '../support/registration.ts';
import { changePending, resubmit, stateOf, subjectsTo } from '../support/review.ts';
import { sharedService } from '../support/service.ts';
import { addUser, openAuthorizePage, startSession } from '../support/world.ts';

const service = await sharedService();
const admin = await addUser(service, { isAdmin: true });
const adminCookie = await startSession(service, admin);
const otherCookie = await startSession(service, await addUser(service, { isAdmin: true }));

const accept = (id: string) => reviewDecisions.accept(service, id, adminCookie);
const reject = (id: string, reason: string) => reviewDecisions.reject(service, id, adminCookie, reason);

describe('an admin accepts', () => {
  test('a pending client: it may be used, and its owner gets a mail (contract §2)', async () => {
    const { id, owner, cookie } = await submitClient(service, { name: 'Good Desk' });

    const answer = await accept(id);

    const request = { client_id: id, redirect_uri: 'https://desk.example/callback' };
    const [mail, ...more] = await mailTo(service, owner.email);
    expect(answer.statusCode).toBe(303);
    expect(answer.headers.location).toBe(`${reviewHome}?decided=${id}`);
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

describe.each([
  ['accepted', accept],
  ['rejected', (id: string) => reject(id, 'No')],
] as const)('a client that was %s', (status, settle) => {
  test.each([
    ['accepted', (id: string) => reviewDecisions.accept(service, id, otherCookie)],
    ['rejected', (id: string) => reviewDecisions.reject(service, id, otherCookie, 'Second thoughts')],
    ['rejected', (id: string) => reviewDecisions.reject(service, id, otherCookie, 'No')],
  ] as const)(
    'is not %s afterwards by another admin: 409, and no second mail (contract §2)',
    async (_name, settleAgain) => {
      const { id, owner } = await submitClient(service);
      await settle(id);
      const before = await stateOf(service, id);

      const answer = await settleAgain(id);

      expect(answer.statusCode).toBe(409);
      expect(titleOf(answer)).toBe('This app was already reviewed');
      expect(before.client).toMatchObject({ status });
      expect(await stateOf(service, id)).toEqual(before);
      expect(await mailTo(service, owner.email)).toHaveLength(1);
    },
  );
});

describe('the same admin who sends a form twice', () => {
  test.each([
    ['accept', (id: string) => accept(id)],
    ['reject', (id: string) => reject(id, 'Too\r\nvague')],
  ] as const)('%s: is led back to the list, and nothing happens twice', async (_name, settle) => {
    const { id, owner } = await submitClient(service);
    await settle(id);
    const before = await stateOf(service, id);

    const answer = await settle(id);

    expect(answer.statusCode).toBe(303);
    expect(answer.headers.location).toBe(`${reviewHome}?decided=${id}`);
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
    expect(await findClientRow(service, id)).toMatchObject({ status: 'pending', revision: 2 });
  });

  test('a client that was rejected, resubmitted and accepted goes through both revisions', async () => {
    const { id, owner } = await submitClient(service, { name: 'Second Desk' });
    await reject(id, 'No');
    service.clock.advance(60);
    await resubmit(service, id);

    const answer = await reviewDecisions.accept(service, id, adminCookie, undefined, 2);

    expect(answer.statusCode).toBe(303);
    expect(await findClientRow(service, id)).toMatchObject({ status: 'accepted', rejectionReason: null });
    expect(await subjectsTo(service, owner.email)).toEqual([
      'Second Desk was rejected',
      'Second Desk was approved',
    ]);
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

test('each decision is a line of the history: who, what, when, why (contract §2)', async () => {
  const { id, owner } = await submitClient(service);
  await reject(id, 'Not yet');

  const { events } = await stateOf(service, id);

  expect(events).toMatchObject([
    { kind: 'submitted', actorId: owner.id, reason: null },
    { kind: 'rejected', actorId: admin.id, reason: 'Not yet', at: service.clock.now() },
  ]);
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
