import type { GuideChapter } from '../api/openapi/guide.ts';

export const personalTokensGuide: readonly GuideChapter[] = [
  {
    place: 5,
    text: ({ appUrl, apiUrl }) => `## Call the API from your own script

For a script of your own you need no app: create a token under [Personal tokens](${appUrl}/settings/tokens) and send it.

\`\`\`sh
curl '${apiUrl}/v2/me' -H 'Authorization: Bearer lk_live_…'
\`\`\`

The token acts for your account alone, with the permissions that you choose, until it expires or you delete it. Programs for Cal.com take it where they ask for an API key. An app that acts for other people uses OAuth, below.`,
  },
];
