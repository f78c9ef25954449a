import type { IdentityScopes } from '../oauth/permissions.ts';

/** OpenID Connect Core, section 5.4 says what each of them is for. */
export const identity: IdentityScopes = {
  title: 'Sign-in',
  scopes: [
    { name: 'openid', words: 'Sign people in' },
    { name: 'profile', words: 'See the name, username, time zone and language of who signs in' },
    { name: 'email', words: 'See the email address of who signs in' },
  ],
  describe(held) {
    const seen = [
      ...(held.includes('profile') ? ['name'] : []),
      ...(held.includes('email') ? ['email'] : []),
    ].join(' and ');
    if (!held.includes('openid')) return seen === '' ? undefined : `See your ${seen}`;
    return `Sign you in${seen === '' ? '' : `, and see your ${seen}`}`;
  },
};
