import { describe, expect, test } from 'vitest';
import { faultOf, textOf, titleOf } from '../support/page-content.ts';
import {
  findClientRow,
  mailTo,
  postOwnForm,
  reviewDecisions,
  reviewHome,
  submitClient,
} from '../support/registration.ts';
import { openTestService } from '../support/service.ts';
import { addUser, openAuthorizePage, signIn } from '../support/world.ts';

const service = await openTestService();
const admin = await addUser(service, { isAdmin: true });
const adminCookie = await signIn(service, admin);

const accept = (id: string) => reviewDecisions.accept(service, id, adminCookie);
const reject = (id: string, reason: string) => reviewDecisions.reject(service, id, adminCookie, reason);

describe('an admin accepts', () => {
  test('a pending client: it may be used, and its owner gets a mail (contract §2)', async () => {
    const { id, owner, cookie } = await submitClient(service, { name: 'Good Desk' });

    const answer = await accept(id);

    const request = { client_id: id, redirect_uri: 'https://desk.example/callback' };
    const [mail, ...more] = await mailTo(service, owner.email);
    expect(answer.statusCode).toBe(303);
    expect(answer.headers.location).toBe(reviewHome);
    expect(await findClientRow(service, id)).toMatchObject({
      status: 'accepted',
      rejectionReason: null,
      reviewerId: admin.id,
      reviewedAt: service.clock.now(),
    });
    expect((await openAuthorizePage(service, request, cookie)).statusCode).toBe(200);
    expect(more).toEqual([]);
    expect(mail).toMatchObject({ subject: 'Good Desk was accepted' });
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
    expect(mail).toMatchObject({ subject: 'Bad Desk was not accepted' });
    expect(mail?.text).toContain('Say more about\n<your> purpose.');
    expect(textOf(page.body)).toContain('Say more about\n<your> purpose.');
  });

  test.each([
    ['', 'Fill this in.'],
    [' \r\n\t ', 'Fill this in.'],
    ['x'.repeat(1001), 'Use 1000 characters at most.'],
    ['a\0b', 'Leave out control characters.'],
  ] as const)(
    'no client without a right reason: %j is refused, nothing changes (contract §2)',
    async (reason, fault) => {
      const { id, owner } = await submitClient(service);

      const answer = await reject(id, reason);

      const words = new RegExp(`id="fault-${id}">([^<]*)<`).exec(answer.body)?.[1];
      expect(answer.statusCode).toBe(400);
      expect(words).toBe(fault);
      expect(await findClientRow(service, id)).toMatchObject({ status: 'pending', reviewerId: null });
      expect(await mailTo(service, owner.email)).toEqual([]);
    },
  );

  test('and what was typed stays beside its client when it was too long', async () => {
    const { id } = await submitClient(service);

    const answer = await reject(id, 'y'.repeat(1001));

    expect(answer.body).toMatch(
      new RegExp(`<textarea id="reason-${id}"[^>]*>${'y'.repeat(1001)}</textarea>`),
    );
    expect(answer.body.match(/aria-invalid/g)).toHaveLength(1);
    expect(faultOf(answer, 'reason')).toBeUndefined();
  });
});

describe.each([
  ['accepted', accept],
  ['rejected', (id: string) => reject(id, 'No')],
] as const)('a client that was %s', (status, settle) => {
  test.each([
    ['accepted', accept],
    ['rejected', (id: string) => reject(id, 'Second thoughts')],
  ] as const)('is not %s afterwards: 409, and no second mail (contract §2)', async (_name, settleAgain) => {
    const { id, owner } = await submitClient(service);
    await settle(id);
    const before = await findClientRow(service, id);

    const answer = await settleAgain(id);

    expect(answer.statusCode).toBe(409);
    expect(titleOf(answer)).toBe('This app was reviewed already');
    expect(before).toMatchObject({ status });
    expect(await findClientRow(service, id)).toEqual(before);
    expect(await mailTo(service, owner.email)).toHaveLength(1);
  });
});

test('the page shows the reviewer what was submitted and by whom (contract §2)', async () => {
  const { id, owner } = await submitClient(service, {
    name: 'Open Desk',
    purpose: 'Opening desks.',
    website_url: 'https://desk.example',
    scopes: 'BOOKING_READ',
  });

  const page = await service.app.inject({ url: reviewHome, headers: { cookie: adminCookie } });

  const [, card = ''] =
    new RegExp(`<article class="card" id="app-${id}">(.*?)</article>`, 's').exec(page.body) ?? [];
  for (const words of [
    'Open Desk',
    'Opening desks.',
    owner.email,
    'https://desk.example/callback',
    'BOOKING_READ',
  ])
    expect(textOf(card)).toContain(words);
  expect(card).not.toContain('lks_');
});

test.each(['accept', 'reject'])('%s of a client that is not there is a 404', async (decision) => {
  const answer = await postOwnForm(
    service,
    `${reviewHome}/unknown/${decision}`,
    { reason: 'No' },
    adminCookie,
  );

  expect(answer.statusCode).toBe(404);
});
