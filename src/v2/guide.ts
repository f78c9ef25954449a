import type { GuideChapter, GuideFacts } from '../api/openapi/guide.ts';
import { memoryLimits } from '../platform/limits/limits.ts';
import { around } from '../platform/limits/whose.ts';

export const v2Guide: readonly GuideChapter[] = [
  {
    place: 12,
    text: ({ appUrl, apiUrl }) => {
      const isPlain = appUrl.startsWith('http:');
      return `## Use an OAuth library

Libraries find the endpoints by themselves. This program exports the address to send the user to, and a function that takes the address with which the user comes back. Keep \`state\` and \`verifier\` in the user’s session.

\`\`\`js
import * as client from 'openid-client'

const config = await client.discovery(new URL('${appUrl}'), 'YOUR_CLIENT_ID', 'YOUR_CLIENT_SECRET', undefined, {
  algorithm: 'oauth2',${isPlain ? '\n  execute: [client.allowInsecureRequests],' : ''}
})
const [state, verifier] = [client.randomState(), client.randomPKCECodeVerifier()]

const address = client.buildAuthorizationUrl(config, {
  redirect_uri: 'https://app.example/callback',
  state,
  code_challenge: await client.calculatePKCECodeChallenge(verifier),
  code_challenge_method: 'S256',
})

async function finish(cameBackTo) {
  const checks = { expectedState: state, pkceCodeVerifier: verifier }
  const { access_token: token } = await client.authorizationCodeGrant(config, cameBackTo, checks)
  return client.fetchProtectedResource(config, token, new URL('${apiUrl}/v2/me'), 'GET')
}

export default { address, finish };
\`\`\``;
    },
  },
  {
    place: 20,
    text: ({ appUrl, apiUrl }) => `## Make requests

Send the access token in the \`Authorization\` header, never in the URL. Bodies are JSON. Date-times are ISO 8601, such as \`2030-01-31T09:00:00Z\`.

\`\`\`sh
curl '${apiUrl}/v2/me' -H 'Authorization: Bearer YOUR_ACCESS_TOKEN'
\`\`\`

Every response has an \`X-Request-Id\` header. Include it when you report a problem.

To try operations on this page, paste an access token under Authentication (\`accessToken\`). Or add \`${appUrl}/docs\` to your app’s redirect URIs, enter your client ID (\`oauth2\`), and select Authorize.`,
  },
  {
    place: 30,
    text: (facts) => `## Versions

Each family answers in one version, which the \`cal-api-version\` header of the response names. The same header of a request is optional: send any of Cal.com’s dates.

| Operations | Version |
|---|---|
${rowsOfVersions(facts)}`,
  },
  { place: 32, text: () => 'We may add fields to responses, so ignore fields you don’t know.' },
  {
    place: 40,
    text: () => `## Errors

\`\`\`json
{
  "status": "error",
  "timestamp": "2030-01-07T09:00:00.000Z",
  "path": "/v2/me",
  "error": {
    "code": "BadRequest",
    "message": "The request is invalid; details names each field.",
    "details": { "timeZone": "Must be an IANA time zone." }
  }
}
\`\`\`

\`code\` is a stable name for your program, \`message\` is a sentence for people, and \`details\` names each invalid field. Unknown fields and parameters are ignored, and \`null\` in an optional field is the field left out. The token and revocation endpoints use OAuth’s own error shape.

| Status | What to do |
|---|---|
| 400 | Fix the fields in \`details\`. |
| 401 | The token is missing, expired or revoked. Refresh it. If the refresh is refused, ask the user to connect again. |
| 403 | The token is valid but doesn’t allow this operation. If a scope is missing, \`WWW-Authenticate\` names it. |
| 404 | It doesn’t exist, or this user can’t see it. |
| 405 | The path has other methods: see \`Allow\`. |
| 409 | Something changed meanwhile, or a limit on what one account can create is reached. Read it again. |
| 429, 503 | Wait for the number of seconds in \`Retry-After\`, then retry. |
| 500, 502 | Retry later. |`,
  },
  {
    place: 50,
    text: () => `## Pagination and filtering

Lists are paginated: \`take\` sets the page size (up to 250, 100 by default) and \`skip\` the number of items to skip. \`pagination\` in the response tells where you are, and \`hasNextPage\` whether there is more.

In default order and in ascending order of creation, pages stay stable while items are added. With other sort orders you may see duplicates; de-duplicate by id.

Filters that take several values accept them comma-separated or repeated: \`status=upcoming,past\`, \`status=upcoming&status=past\` and \`status[]=upcoming&status[]=past\` are the same.`,
  },
  {
    place: 80,
    text: (facts) => `## Rate limits

Requests with a token are counted for the app and account that it’s for, whatever server sends them; those without a token for the network that they come from. Per minute:

| | Each app and account, network, or platform client | Each account with all apps |
|---|---|---|
${rowsOfLimits(facts)}

An answer counts as several requests, one for each 32 KB. \`RateLimit-Limit\`, \`RateLimit-Remaining\` and \`RateLimit-Reset\` (in seconds) tell of the limit with the least left. Past a limit you get 429 with \`Retry-After\`. Sign-in, tokens and emails have limits of their own, which answer in the same way.`,
  },
];

function rowsOfVersions({ families }: GuideFacts): string {
  const versioned = families.filter(({ version }) => version !== undefined);
  return [...Map.groupBy(versioned, ({ version }) => version)]
    .toSorted(([one = ''], [other = '']) => (one < other ? -1 : 1))
    .map(([version, families]) => {
      const [first = '', ...others] = families.map(({ name }) => name);
      return `| ${[first, ...others.map((name) => name.toLowerCase())].join(', ')} | \`${version}\` |`;
    })
    .join('\n');
}

function rowsOfLimits({ families }: GuideFacts): string {
  const { requests, slots, bookings } = memoryLimits;
  const ofScheduling = { 'of them for slots': slots, 'bookings and reservations': bookings };
  const hasScheduling = families.some(({ name }) => name === 'Bookings');
  const rows = { Requests: requests, ...(hasScheduling && ofScheduling) };
  const show = (max: number): string => max.toLocaleString('en');
  return Object.entries(rows)
    .map(([name, { max }]) => `| ${name} | ${show(max)} | ${show(max * around)} |`)
    .join('\n');
}
