import { expect, test } from 'vitest';
import { decideChange } from '../../src/oauth/clients/edits/change.ts';
import { decideReview, reviewDecisions } from '../../src/oauth/clients/status.ts';
import { reviewStatuses } from '../../src/oauth/core/client.ts';

const refused = { ok: false, reason: 'already_reviewed' } as const;

test.each([
  ['pending', undefined, 'accept', { ok: true, value: 'accepted' }],
  ['pending', undefined, 'reject', { ok: true, value: 'rejected' }],
  ['pending', undefined, 'suspend', refused],
  ['accepted', undefined, 'accept', refused],
  ['accepted', undefined, 'reject', refused],
  ['accepted', undefined, 'suspend', { ok: true, value: 'suspended' }],
  ['accepted', 'pending', 'accept', { ok: true, value: 'edit_accepted' }],
  ['accepted', 'pending', 'reject', { ok: true, value: 'edit_rejected' }],
  ['accepted', 'pending', 'suspend', { ok: true, value: 'suspended' }],
  ['accepted', 'rejected', 'accept', refused],
  ['accepted', 'rejected', 'reject', refused],
  ['accepted', 'rejected', 'suspend', { ok: true, value: 'suspended' }],
  ['rejected', undefined, 'accept', refused],
  ['rejected', undefined, 'reject', refused],
  ['rejected', undefined, 'suspend', refused],
  ['rejected', 'pending', 'accept', refused],
  ['rejected', 'pending', 'reject', refused],
] as const)(
  'a client that is %s with an edit that is %s, and an admin who means to %s: %j (contract §2)',
  (status, editStatus, decision, expected) => {
    expect(decideReview({ status, editStatus, revision: 3, ownerId: 1 }, decision, 3)).toMatchObject(
      expected,
    );
  },
);

test('of a metadata document, whom nobody can ask to resubmit, an admin can approve what was rejected', () => {
  const rejected = { status: 'rejected', editStatus: undefined, revision: 3, ownerId: null } as const;

  expect(decideReview(rejected, 'accept', 3)).toEqual({ ok: true, value: 'accepted' });
  expect(decideReview(rejected, 'reject', 3)).toMatchObject(refused);
});

test.each(
  reviewStatuses.flatMap((status) =>
    reviewDecisions.flatMap((decision) => [
      [status, decision, 2] as const,
      [status, decision, 4] as const,
      [status, decision, Number.NaN] as const,
    ]),
  ),
)(
  'nothing is decided about values that the reviewer did not see: %s, %s at revision %d of 3 (contract §2)',
  (status, decision, seen) => {
    const reviewed = { status, editStatus: 'pending', revision: 3, ownerId: null } as const;

    expect(decideReview(reviewed, decision, seen)).toMatchObject({ ok: false, reason: 'changed_meanwhile' });
  },
);

const values = {
  name: 'Tidy Desk',
  purpose: 'It keeps desks tidy.',
  redirectUris: ['https://desk.example/'],
  websiteUrl: null,
  scopes: null,
  acceptedScopes: null,
  postLogoutRedirectUris: [],
  requiresPkce: false,
  logoId: null,
};

test.each([
  ['pending', 'changed'],
  ['rejected', 'resubmitted'],
  ['accepted', 'edit_submitted'],
] as const)("an owner's new values for a %s client: %s (contract §2)", (status, change) => {
  const client = { ...values, status, revision: 1, edit: undefined };

  expect(decideChange(client, { ...values, name: 'Tidier Desk' })).toBe(change);
});
