import type { GuideChapter } from '../api/openapi/guide.ts';
import { startLastUse } from '../platform/last-use/writer.ts';
import type { Part } from '../platform/parts.ts';
import { ownTokens } from './bearer.ts';
import { personalTokensPlugin, tokensHome } from './routes.ts';
import { maxPersonalTokens } from './store.ts';
import { personalTokens } from './tables.ts';

const personalTokensGuide: readonly GuideChapter[] = [
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

/**
 * Tokens that people make for scripts of their own, without an app, a review and an exchange.
 * Without it none is made or accepted; those that exist wait for the part to come back.
 */
export const tokensPart = {
  open({ config, db, log, opened, runtime }) {
    const { grantId: key, lastUsedAt } = personalTokens;
    const uses = startLastUse({ db, log }, { key, lastUsedAt }, 'personal tokens');
    opened.adopt(uses, (it) => it.stop());
    return { capabilities: { ownTokens: ownTokens({ config, db, runtime }, uses) } };
  },
  routes: {
    pages: [personalTokensPlugin],
  },
  web: {
    navigation: [
      { group: 'Developer', place: 420, address: tokensHome, words: 'Personal tokens', icon: 'key' },
    ],
  },
  api: {
    guide: personalTokensGuide,
  },
  limits: { 'an account': [[maxPersonalTokens, 'personal tokens']] },
} as const satisfies Part;
