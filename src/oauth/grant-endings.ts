import type { Platform } from '../platform/platform.ts';
import { endClientsOf } from './review/store.ts';
import { revokeTeamGrants, revokeUserGrants } from './revocation/store.ts';

export const grantEndings = (parts: Platform['parts']): Platform['grants'] => ({
  revokeForTeam: (tx, ...which) => revokeTeamGrants(tx, parts, ...which),
  endAccount: async (tx, userId, reason, by) => {
    await endClientsOf(tx, userId, reason, by);
    await revokeUserGrants(tx, parts, userId, 'admin', by);
  },
});
