import type { IdentityScopes } from '../oauth/permissions.ts';
import type { Sentence } from '../platform/words.ts';

const seen = {
  nothing: 'Sign you in',
  name: 'Sign you in, and see your name',
  email: 'Sign you in, and see your email',
  both: 'Sign you in, and see your name and email',
} as const satisfies Record<string, Sentence>;

/** OpenID Connect Core, section 5.4 says what each of them is for. */
export const identity: IdentityScopes = {
  title: 'Sign-in',
  scopes: [
    { name: 'openid', words: 'Sign people in' },
    { name: 'profile', words: 'See the name, username, time zone and language of who signs in' },
    { name: 'email', words: 'See the email address of who signs in' },
  ],
  describe(held) {
    // Nobody can be seen without an ID token or userinfo, which take `openid`.
    if (!held.includes('openid')) return undefined;
    if (!held.includes('profile')) return held.includes('email') ? seen.email : seen.nothing;
    return held.includes('email') ? seen.both : seen.name;
  },
};
