/** `info.description`, in Markdown (contract §7). */
export function guideOf(appUrl: string, apiUrl: string): string {
  return `Manage event types, schedules, bookings and free slots for the users who connect your app.

[Register your app](${appUrl}/settings/developer/oauth) · [OpenAPI document](${appUrl}/openapi.json) · [Home](${appUrl}/)

## Get an access token

Register your app in the developer settings. Once it's approved, send users to the authorization page with your own values and a \`state\` that you'll recognize:

\`\`\`text
${appUrl}/auth/oauth2/authorize
  ?client_id=YOUR_CLIENT_ID
  &redirect_uri=https%3A%2F%2Fapp.example%2Fcallback
  &state=A_RANDOM_VALUE
  &code_challenge=…&code_challenge_method=S256
\`\`\`

When the user comes back to your redirect URI, first check that \`state\` is yours and that \`iss\` is \`${appUrl}\`. Then exchange the \`code\` for an access token and a refresh token at \`POST /v2/auth/oauth2/token\`. Apps without a client secret must use PKCE, as shown; other apps may.

Access tokens expire after 30 minutes. Each refresh returns a new refresh token that replaces the old one. If the response gets lost, send the same request again: it returns the same next token. Refresh the tokens of managed users the same way.

## Make requests

Send the access token in the \`Authorization\` header, never in the URL. Bodies are JSON. Date-times are ISO 8601, such as \`2030-01-31T09:00:00Z\`.

\`\`\`sh
curl '${apiUrl}/v2/me' -H 'Authorization: Bearer YOUR_ACCESS_TOKEN'
\`\`\`

Every response has an \`X-Request-Id\` header. Include it when you report a problem.

To send requests from this page with your own app, add \`${appUrl}/docs\` to its redirect URIs, then enter your client ID under Authentication.

## Versions

Event types, bookings and slots are versioned by date. Select a version with the \`cal-api-version\` header; without it you get the current one. Unknown versions are rejected. We may add fields to responses, so ignore fields you don't know.

## Errors

Every error has the same shape: \`code\` is a stable name for your program, \`message\` is a sentence for people, and \`details\` names each invalid field. The token and revocation endpoints use OAuth's own error shape.

- **401**: the token is missing, expired or revoked. Refresh it. If the refresh is refused, ask the user to connect again.
- **403**: the token is valid but doesn't allow this operation.
- **429** and **503**: wait for the number of seconds in \`Retry-After\`, then retry.

## Pagination and filtering

Lists of event types, bookings and managed users are paginated: \`take\` sets the page size (up to 250) and \`skip\` the number of items to skip. \`pagination\` in the response tells where you are, and \`hasNextPage\` whether there is more. Schedules and calendars are returned in full.

In default order and in ascending order of creation, pages stay stable while items are added. With other sort orders you may see duplicates; de-duplicate by id.

Filters that take several values accept them comma-separated or repeated: \`status=upcoming,past\`, \`status=upcoming&status=past\` and \`status[]=upcoming&status[]=past\` are the same.

## Idempotent requests

When you create a booking, send an \`Idempotency-Key\` of your choice. If the response gets lost, retry the same request with the same key within 24 hours: the slot is booked once, and you get the current state of that booking. The same key with a different request is rejected with 409.`;
}

/** In the order in which a reader needs them. */
const groups = {
  OAuth: 'Get, refresh and revoke tokens.',
  'OAuth clients': 'Look up registered apps.',
  Me: 'The user a token acts for.',
  'Event types': 'What people can book.',
  Schedules: 'Working hours.',
  Slots: 'Find and reserve free slots. Public, like booking pages.',
  Bookings: 'Create bookings without a token; manage them as a host.',
  Calendars: 'Connected calendars whose events count as busy.',
  'Managed users': 'Users that a platform client creates and acts for with its own credentials.',
} as const satisfies Record<string, string>;

export function tagsOf(used: ReadonlySet<string>): { name: string; description: string }[] {
  return Object.entries(groups)
    .filter(([name]) => used.has(name))
    .map(([name, description]) => ({ name, description }));
}
