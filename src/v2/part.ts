import { weekDays } from '../accounts/person.ts';
import { clientLookUpPlugin } from '../oauth/clients/look-up.ts';
import type { Part } from '../platform/parts.ts';
import { scopedPlugin } from '../platform/scoped-plugin.ts';
import { limitCallers } from './limits.ts';
import { profileScopes } from './me/routes.ts';
import { profileAudit } from './me/store.ts';
import { v2Plugin } from './routes.ts';

declare module '../platform/audit/actions.ts' {
  interface AuditActions extends Record<keyof typeof profileAudit, unknown> {}
}

/** The route itself reads the token, so the limit comes afterwards. */
const limitedLookUpPlugin = scopedPlugin('limited-look-up', ['openapi'], 'requests', async (app) => {
  app.addHook('preHandler', limitCallers); // protects: C41
  await app.register(clientLookUpPlugin);
});

/**
 * What all of `/v2` shares: callers and their turns, limits, versions; `/v2/me`. It belongs to the
 * door.
 */
export const v2Part = {
  data: { auditSentences: profileAudit },
  routes: {
    endpoints: [limitedLookUpPlugin, v2Plugin],
  },
  oauth: {
    scopes: [profileScopes],
  },
  api: {
    enumerations: { WeekDay: weekDays, TimeFormat: [12, 24] },
  },
} as const satisfies Part;
