import type { ApiFamily, GuideChapter } from '../api/openapi/guide.ts';

export const oauthFamilies: readonly ApiFamily[] = [
  { name: 'OAuth', place: 10, words: 'Get, refresh, revoke and inspect tokens.' },
  { name: 'OAuth clients', place: 20, words: 'Look up registered apps.' },
];

export const oauthGuide: readonly GuideChapter[] = [
  {
    place: 10,
    text: ({ appUrl, apiUrl }) => `## Get an access token

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

Access tokens expire after 30 minutes. Refresh with \`grant_type=refresh_token\`: each refresh returns a new refresh token that replaces the old one, so store it first. If the response gets lost, send the same request again: it returns the same next token.`,
  },
];
