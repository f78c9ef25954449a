import type { GuideChapter } from '../api/openapi/guide.ts';
import type { Part } from '../platform/parts.ts';
import { openidDiscoveryPlugin } from './discovery.ts';
import { logoutPlugin } from './logout.ts';
import { identity } from './scopes.ts';
import { signingPlugin } from './signing.ts';
import { identitiesOf, keepRequest } from './store.ts';
import { userinfoPlugin } from './userinfo.ts';

const openidGuide: readonly GuideChapter[] = [
  {
    place: 12,
    text: ({ appUrl }) => `## Sign people in

Let people sign in to your app with OpenID Connect. Register your app for \`openid\`, \`profile\` and \`email\`, next to the scopes of the API that it needs, and give your library one address, \`${appUrl}\`; it finds the rest in [openid-configuration](${appUrl}/.well-known/openid-configuration).

\`\`\`js
import * as client from 'openid-client'

const config = await client.discovery(new URL('${appUrl}'), 'YOUR_CLIENT_ID', 'YOUR_CLIENT_SECRET'${appUrl.startsWith('http:') ? ', undefined, {\n  execute: [client.allowInsecureRequests],\n}' : ''})
const [nonce, verifier] = [client.randomNonce(), client.randomPKCECodeVerifier()]

const address = client.buildAuthorizationUrl(config, {
  redirect_uri: 'https://app.example/callback',
  scope: 'openid profile email',
  nonce,
  code_challenge: await client.calculatePKCECodeChallenge(verifier),
  code_challenge_method: 'S256',
})

async function finish(cameBackTo) {
  const checks = { expectedNonce: nonce, pkceCodeVerifier: verifier }
  const tokens = await client.authorizationCodeGrant(config, cameBackTo, checks)
  return tokens.claims() // sub, name, email, email_verified and more
}

export default { address, finish };
\`\`\`

Key your accounts on \`sub\`: names and email addresses change hands. ID tokens are signed with RS256, as libraries expect, or with ES256 if you choose so on your app’s *Sign-in* page. Apps from before there was RS256 have ES256 until then.`,
  },
];

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
  api: {
    guide: openidGuide,
  },
} as const satisfies Part;
