import { startLastUse } from '../platform/last-use/writer.ts';
import type { Part } from '../platform/parts.ts';
import { ownTokens } from './bearer.ts';
import { personalTokensPlugin, tokensHome } from './routes.ts';
import { maxPersonalTokens } from './store.ts';
import { personalTokens } from './tables.ts';

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
  limits: { 'an account': [[maxPersonalTokens, 'personal tokens']] },
} as const satisfies Part;
