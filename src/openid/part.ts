import type { Part } from '../platform/parts.ts';
import { openidDiscoveryPlugin } from './discovery.ts';
import { logoutPlugin } from './logout.ts';
import { identity } from './scopes.ts';
import { signingPlugin } from './signing.ts';
import { identitiesOf, keepRequest } from './store.ts';
import { userinfoPlugin } from './userinfo.ts';

/**
 * OpenID Connect: who signed in for a grant, for apps that register and ask for `openid`. Without
 * it, `openid` asks for nothing, and no token says who signed in.
 */
export const openidPart = {
  open: (app) => ({ capabilities: { identities: identitiesOf(app) } }),
  routes: {
    endpoints: [userinfoPlugin],
    wellKnown: [openidDiscoveryPlugin],
    pages: [logoutPlugin, signingPlugin],
  },
  web: {
    links: [{ of: 'app', path: '/sign-in', words: 'Sign-in' }],
  },
  oauth: {
    identity,
    keepRequest,
  },
} as const satisfies Part;
