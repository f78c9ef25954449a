/** Returns `info.description`; its Markdown headings are the guide pages of /docs (contract §7). */
export function guideOf(appUrl: string, apiUrl: string): string {
  return `Manage event types, schedules, bookings and free slots for the users who connect your app.

## Get an access token

1. [Register your app](${appUrl}/settings/developer/oauth). An admin reviews it. Its **Quickstart** has the steps below with your own values, for the shell, JavaScript and Python.
2. Send the user to the authorization page, with a \`state\` that you’ll recognize and a PKCE challenge. Apps without a client secret must use PKCE; other apps may:

\`\`\`text
${appUrl}/auth/oauth2/authorize
  ?client_id=YOUR_CLIENT_ID
  &redirect_uri=https%3A%2F%2Fapp.example%2Fcallback
  &state=A_RANDOM_VALUE
  &code_challenge=…&code_challenge_method=S256
\`\`\`

3. When the user comes back to your redirect URI, first check that \`state\` is yours and that \`iss\` is \`${appUrl}\`.
4. Exchange the \`code\` within a minute, and keep the refresh token:

\`\`\`sh
curl '${apiUrl}/v2/auth/oauth2/token' \\
  -d grant_type=authorization_code -d client_id=YOUR_CLIENT_ID -d client_secret=YOUR_CLIENT_SECRET \\
  -d code=THE_CODE -d redirect_uri=https://app.example/callback -d code_verifier=YOUR_VERIFIER
\`\`\`

Access tokens expire after 30 minutes. Refresh with \`grant_type=refresh_token\`: each refresh returns a new refresh token that replaces the old one, so store it first. If the response gets lost, send the same request again: it returns the same next token. Refresh the tokens of managed users the same way.

## Make requests

Send the access token in the \`Authorization\` header, never in the URL. Bodies are JSON. Date-times are ISO 8601, such as \`2030-01-31T09:00:00Z\`.

\`\`\`sh
curl '${apiUrl}/v2/me' -H 'Authorization: Bearer YOUR_ACCESS_TOKEN'
\`\`\`

Every response has an \`X-Request-Id\` header. Include it when you report a problem.

To try operations on this page, paste an access token under Authentication (\`accessToken\`). Or add \`${appUrl}/docs\` to your app’s redirect URIs, enter your client ID (\`oauth2\`), and select Authorize.

## Versions

Each family answers in one version, which the \`cal-api-version\` header of the response names. The same header of a request is optional: send any date in this table, or \`2024-05-21\`. Other dates are rejected.

| Operations | Version |
|---|---|
| Current user, teams, calendars, webhooks, managed users | \`2024-04-15\` |
| Schedules | \`2024-06-11\` |
| Event types | \`2024-06-14\` |
| Bookings | \`2024-08-13\` |
| Slots | \`2024-09-04\` |

\`GET /v2/slots/available\` is the list of slots up to \`2024-08-13\`; with \`2024-09-04\` it isn’t found.

We may add fields to responses, so ignore fields you don’t know.

## Errors

\`\`\`json
{
  "status": "error",
  "timestamp": "2030-01-07T09:00:00.000Z",
  "path": "/v2/bookings",
  "error": {
    "code": "BadRequest",
    "message": "The request is invalid; details names each field.",
    "details": { "start": "This field is required." }
  }
}
\`\`\`

\`code\` is a stable name for your program, \`message\` is a sentence for people, and \`details\` names each invalid field. Unknown fields and parameters are ignored. The token and revocation endpoints use OAuth’s own error shape.

| Status | What to do |
|---|---|
| 400 | Fix the fields in \`details\`. |
| 401 | The token is missing, expired or revoked. Refresh it. If the refresh is refused, ask the user to connect again. |
| 403 | The token is valid but doesn’t allow this operation. If a scope is missing, \`WWW-Authenticate\` names it. |
| 404 | It doesn’t exist, or this user can’t see it. |
| 405 | The path has other methods: see \`Allow\`. |
| 409 | Something changed meanwhile: the slot was taken, or a limit on what one account can create is reached. Read it again. |
| 429, 503 | Wait for the number of seconds in \`Retry-After\`, then retry. |
| 500, 502 | Retry later. A 502 names a calendar that can’t be read. |

## Pagination and filtering

Lists of event types, bookings, schedules, teams, webhooks and managed users are paginated: \`take\` sets the page size (up to 250, 100 by default) and \`skip\` the number of items to skip. \`pagination\` in the response tells where you are, and \`hasNextPage\` whether there is more. Calendars are returned in full.

In default order and in ascending order of creation, pages stay stable while items are added. With other sort orders you may see duplicates; de-duplicate by id.

Filters that take several values accept them comma-separated or repeated: \`status=upcoming,past\`, \`status=upcoming&status=past\` and \`status[]=upcoming&status[]=past\` are the same.

## Attendees without an account

The answer to a booking has \`links\` to the attendee’s private pages, and a \`bookingToken\`. With it, and without an access token, your program gets, cancels and reschedules that booking for its attendee:

\`\`\`sh
curl -X POST '${apiUrl}/v2/bookings/THE_UID/cancel' -H 'x-booking-token: THE_BOOKING_TOKEN' \\
  -H 'Content-Type: application/json' -d '{"cancellationReason": "I am ill."}'
\`\`\`

Keep it like a password: send it in this header alone, because addresses end up in logs. It is also the last part of the link in the attendee’s emails. A wrong one is answered with 404. Rescheduling returns a new booking with a token of its own.

## Idempotent requests

When you create a booking, send an \`Idempotency-Key\` of your choice. If the response gets lost, retry the same request with the same key within 24 hours: the slot is booked once, and you get the current state of that booking; without an access token, a retry gets no \`links\` and no \`bookingToken\`. The same key with a different request is rejected with 409.

## Rate limits

Requests with a token are counted for the app and account that it’s for, whatever server sends them; those without a token for the network that they come from. Per minute:

| Requests | Each app and account, or network | Each account, all apps | Each app, all accounts |
|---|---|---|---|
| All | 600 | 1,200 | 6,000 |
| Slots | 240 | 480 | 2,400 |
| Bookings | 60 | 120 | 600 |
| Reservations | 20 | 40 | 200 |
| With a booking token | 120 | | |
| As a platform client | | | 1,200 |

An account’s first tenth of the first column doesn’t count for the app, so no account can use up what an app’s others need. Long ranges of slots with many hosts count as several requests, and so does an answer for each 32 KB. \`RateLimit-Limit\`, \`RateLimit-Remaining\` and \`RateLimit-Reset\` (in seconds) tell of the limit with the least left. Past a limit you get 429 with \`Retry-After\`. Sign-in, tokens and emails have limits of their own, which answer in the same way.`;
}

const groups = {
  OAuth: 'Get, refresh, revoke and inspect tokens.',
  'OAuth clients': 'Look up registered apps.',
  Me: 'The user a token acts for.',
  Teams: 'Teams of the user, their members, bookings and hours.',
  'Event types': 'What people can book.',
  Schedules: 'Working hours.',
  Slots: 'Find and reserve free slots. Public, like booking pages.',
  Bookings: 'Create bookings without a token; manage them as a host, or as the attendee.',
  Calendars: 'Connected calendars whose events count as busy.',
  Webhooks: 'Have events sent to your server: what happens to bookings, and to an app’s access.',
  'Managed users': 'Users that a platform client creates and acts for with its own credentials.',
} as const satisfies Record<string, string>;

export function tagsOf(used: ReadonlySet<string>): { name: string; description: string }[] {
  return Object.entries(groups)
    .filter(([name]) => used.has(name))
    .map(([name, description]) => ({ name, description }));
}
