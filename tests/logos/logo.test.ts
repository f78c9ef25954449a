import { expect, test } from 'vitest';
import { decideLogo } from '../../src/oauth/clients/edits/change.ts';

const values = {
  name: 'Tidy Desk',
  purpose: 'It keeps desks tidy.',
  redirectUris: ['https://desk.example/cb'],
  websiteUrl: null,
  scopes: null,
  acceptedScopes: null,
  postLogoutRedirectUris: [],
  requiresPkce: false,
  logoId: 'live',
};
const tidier = { ...values, name: 'Tidier Desk', logoId: 'newer' };

test.each([
  ['pending', undefined, values, 'changed'],
  ['rejected', undefined, values, 'kept'],
  ['rejected', 'rejected', values, 'kept'],
  ['accepted', undefined, values, 'edit_submitted'],
  ['accepted', 'pending', tidier, 'edit_submitted'],
  ['accepted', 'rejected', tidier, 'kept'],
] as const)(
  'the new logo of a client that is %s, its edit %s, goes with %j: %s (contract §2)',
  (status, editStatus, goesWith, expected) => {
    const edit = editStatus === undefined ? undefined : { ...tidier, status: editStatus };
    const client = { ...values, status, revision: 1, edit };

    expect(decideLogo(client, { ...goesWith, logoId: 'other' })).toBe(expected);
    expect(decideLogo(client, { ...goesWith, logoId: null })).toBe(expected);
    expect(decideLogo(client, goesWith)).toBe('unchanged');
  },
);

test('the accepted logo again, where nothing else waits, withdraws the edit (contract §2)', () => {
  const edit = { ...values, logoId: 'newer', status: 'pending' } as const;

  expect(decideLogo({ ...values, status: 'accepted', revision: 1, edit }, values)).toBe('edit_withdrawn');
});
