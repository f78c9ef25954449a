import type { Platform } from '../platform/platform.ts';
import { endClientsOf } from './review/store.ts';
import { revokeTeamGrants, revokeUserGrants } from './revocation/store.ts';

/** For accounts, which can't import them. */
export const grantEndings: Platform['grants'] = {
  revokeForTeam: revokeTeamGrants,
  endAccount: async (tx, userId, reason, by) => {
    await endClientsOf(tx, userId, reason, by);
    await revokeUserGrants(tx, userId, 'admin', by);
  },
};
