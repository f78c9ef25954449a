import type { IdentityScopes } from '../oauth/permissions.ts';
import type { Sentence } from '../platform/words.ts';

const seen = {
  nothing: 'Use your account to sign you in',
  name: 'Use your account to sign you in, and see your name, username, time zone and language, and when they last changed',
  email: 'Use your account to sign you in, and see your email address',
  both: 'Use your account to sign you in, and see your name, email address, username, time zone and language, and when they last changed',
} as const satisfies Record<string, Sentence>;

/** OpenID Connect Core, section 5.4 says what each of them is for. */
export const identity: IdentityScopes = {
  title: 'Sign in',
  scopes: [
    { name: 'openid', words: 'Sign people in' },
    {
      name: 'profile',
      words: 'See the name, username, time zone and language of who signs in, and when they last changed',
    },
    { name: 'email', words: 'See the email address of who signs in' },
  ],
  limitBeside: 'Change your profile, or see your teams',
  describe(held) {
    // Nobody can be seen without an ID token or userinfo, which take `openid`.
    if (!held.includes('openid')) return undefined;
    if (!held.includes('profile')) return held.includes('email') ? seen.email : seen.nothing;
    return held.includes('email') ? seen.both : seen.name;
  },
};
