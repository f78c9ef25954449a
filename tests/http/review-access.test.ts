import { describe, expect, test } from 'vitest';
import { titleOf } from '../support/page-content.ts';
import {
  findClientRow,
  formTokenOf,
  mailTo,
  reviewDecisions,
  reviewHome,
  submitClient,
} from '../support/registration.ts';
import { openReviewPage } from '../support/review.ts';
import { sharedService } from '../support/service.ts';
import { addUser, postForm, startSession } from '../support/world.ts';

const service = await sharedService();
const admin = await addUser(service, { isAdmin: true });
const adminCookie = await startSession(service, admin);

async function openReview(cookie?: string) {
  return service.app.inject({ url: reviewHome, headers: cookie === undefined ? {} : { cookie } });
}

describe('who is no admin (contract §2)', () => {
  test('gets 403 and sees nothing', async () => {
    const { id } = await submitClient(service, { name: 'Secret Desk' });
    const cookie = await startSession(service, await addUser(service));

    const pages = [await openReview(cookie), await openReviewPage(service, id, cookie)];

    for (const page of pages) {
      expect(page.statusCode).toBe(403);
      expect(titleOf(page)).toBe('Admins only');
      expect(page.body).not.toContain('Secret Desk');
      expect(page.body).not.toContain(`href="${reviewHome}"`);
    }
  });

  test.each([
    ['accept', reviewDecisions.accept],
    ['reject', reviewDecisions.reject],
    ['suspend', reviewDecisions.suspend],
  ] as const)('cannot %s, not even the own client', async (_name, settle) => {
    const { id, cookie, owner } = await submitClient(service);

    const answer = await settle(service, id, cookie);

    expect(answer.statusCode).toBe(403);
    expect(await findClientRow(service, id)).toMatchObject({ status: 'pending' });
    expect(await mailTo(service, owner.email)).toEqual([]);
  });

  test('nor who is not signed in: the sign-in page', async () => {
    const { id } = await submitClient(service);

    const page = await openReview();
    const answer = await postForm(service, `${reviewHome}/${id}/accept`, {});

    expect([page.statusCode, answer.statusCode]).toEqual([303, 303]);
    expect([page, answer].map(({ headers }) => headers.location)).toEqual(
      [reviewHome, `${reviewHome}?unsaved`].map((to) => `/signin?return_to=${encodeURIComponent(to)}`),
    );
    expect(await findClientRow(service, id)).toMatchObject({ status: 'pending' });
  });
});

test.each(['accept', 'reject', 'suspend'])(
  "%s without the session's form token is refused",
  async (decision) => {
    const { id } = await submitClient(service);
    const foreignToken = await formTokenOf(service, await startSession(service, admin));

    const answers = await Promise.all(
      ['', 'AAAA', foreignToken].map((formToken) =>
        postForm(
          service,
          `${reviewHome}/${id}/${decision}`,
          { form_token: formToken, reason: 'No', revision: '1' },
          adminCookie,
        ),
      ),
    );

    expect(foreignToken).not.toBe('');
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([403, 403, 403]);
    expect(await findClientRow(service, id)).toMatchObject({ status: 'pending' });
  },
);
