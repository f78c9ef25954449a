import { mayManage, rolesWithin } from '../members/rules.ts';
import type { Role } from '../person.ts';
import { maySendAgainAt } from './rules.ts';
import type { listOpenInvitations } from './store.ts';

type ListedInvitation = Awaited<ReturnType<typeof listOpenInvitations>>[number];

/** Open invitations as a page shows them to somebody in this role. */
export function describeInvitations(role: Role, open: readonly ListedInvitation[], now: Date) {
  if (!mayManage(role)) return [];
  return open.map((invitation) => {
    const sendAgainAt = maySendAgainAt(invitation);
    return {
      ...invitation,
      /** Set while it is too early. */
      sendAgainAt: now < sendAgainAt ? sendAgainAt : undefined,
      mayChange: rolesWithin(role).includes(invitation.role),
    };
  });
}
