export const fields = {
  client_id: "your app's client ID",
  client_secret: "your app's secret, or authenticate with HTTP Basic",
  grant_type: '`authorization_code` to exchange a code, or `refresh_token` to refresh',
  code: 'the `code` parameter of the URL the user came back to, complete and decoded once',
  redirect_uri: 'exactly the `redirect_uri` of the authorization request',
  refresh_token: 'the `refresh_token` of the latest response, complete and unchanged',
} as const;

/** What a value looks like that should have been another. */
export const shapes = {
  code: 'it looks like an authorization code',
  refresh_token: 'it looks like a refresh token',
  client_secret: 'it looks like a client secret',
  access_token: 'it looks like an access token',
  damaged: 'the value contains whitespace, quotation marks or percent-encoding',
  truncated: 'the value looks truncated',
  altered: 'the value was changed, or comes from another environment',
  foreign: "the value isn't one of ours",
} as const;

export const statuses = {
  pending: "This app is in review. It gets tokens once it's approved; we'll email you the result.",
  rejected:
    'A reviewer rejected or suspended this app. Read the reason in the overview, correct the app under Edit and submit it again.',
  accepted: "This app wasn't approved yet. It is now: send the request again.",
} as const;

export const revokers = {
  client: ' by your app, at the revocation endpoint',
  user: ' by the user, who disconnected your app',
  owner: ' by an owner of the app',
  admin: ' by an admin',
  code_replay: ', because its code was used a second time',
  refresh_token_theft: ', because an old refresh token was used again',
} as const;

/** How a presented redirect URI differs from the authorization request's; the first that fits. */
export const differences = {
  whitespace: 'has whitespace around it',
  answer_appended: 'is the whole URL the user came back to, response parameters included',
  letter_case: 'differs in upper and lower case',
  extra_slash: 'has an extra trailing slash',
  missing_slash: 'is missing its trailing slash',
  encoding: 'is percent-encoded differently',
  non_ascii: 'has a character outside ASCII, maybe a lookalike letter',
  scheme: 'has another scheme',
  host: 'has another host',
  port: 'has another port',
  path: 'has another path',
  query: 'has another query',
  fragment: 'has another fragment (#…)',
} as const;

/** The commonest mistakes with a code verifier and its challenge (RFC 7636 §4). */
export const verifierFaults = {
  is_challenge: 'is the `code_challenge` itself. Send the random text that you made the challenge from.',
  base64:
    'looks like padded or plain base64. Use base64url: `-` and `_` instead of `+` and `/`, and no `=` padding.',
  malformed:
    'must be 43 to 128 letters, digits, `-`, `.`, `_` or `~`. 32 random bytes as base64url are right.',
  hashed_wrongly:
    'is right, but its `code_challenge` was hashed twice or with a line break. Use base64url(SHA-256(verifier)), once.',
  another:
    "doesn't belong to this authorization request. Keep one verifier for each request, for example by `state`: a second tab or a reload often overwrites the first.",
} as const;
