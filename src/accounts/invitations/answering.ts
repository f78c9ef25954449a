import type { Db } from '../../platform/database.ts';
import { ok, type Result, refuse } from '../../result.ts';
import type { GroupRef, GroupStore } from '../members/group.ts';
import { organizationStore } from '../organizations/store.ts';
import { teamStore } from '../teams/store.ts';
import { deleteInvitation, findInvitation, type Invitation } from './store.ts';

/** Where the people of each kind of group are kept. */
export const groupStores = {
  team: teamStore,
  organization: organizationStore,
} as const satisfies Record<GroupRef['kind'], GroupStore>;

/**
 * Answers an invitation that is still open, under its group's lock: of any answers at once,
 * withdrawals and renewals among them, one comes first, and the others find the invitation gone.
 */
async function answer<Value, Reason extends string>(
  db: Db,
  id: string,
  now: Date,
  work: (tx: Db, invitation: Invitation, store: GroupStore) => Promise<Result<Value, Reason>>,
): Promise<Result<Value, Reason | 'gone'>> {
  const seen = await findInvitation(db, id, now);
  if (seen === undefined) return refuse('gone');
  return db.transaction(async (tx) => {
    const store = groupStores[seen.group.kind];
    await store.lock(tx, seen.group.id);
    const invitation = await findInvitation(tx, id, now);
    return invitation === undefined ? refuse('gone') : work(tx, invitation, store);
  });
}

/**
 * Takes an invitation up, once. Whoever is in the group already keeps their role, and the
 * invitation stays open for somebody else.
 */
export async function acceptInvitation(
  db: Db,
  id: string,
  userId: number,
  now: Date,
): Promise<Result<GroupRef, 'gone' | 'already_member' | 'in_another_organization'>> {
  return answer(db, id, now, async (tx, { group, role }, store) => {
    if ((await store.findRole(tx, group.id, userId)) !== undefined) return refuse('already_member');
    if (!(await store.addMember(tx, group.id, userId, role))) return refuse('in_another_organization');
    await deleteInvitation(tx, id);
    return ok(group);
  });
}

/** Turns an invitation down; whoever holds its link may. */
export async function declineInvitation(db: Db, id: string, now: Date): Promise<Result<'declined', 'gone'>> {
  return answer(db, id, now, async (tx) => {
    await deleteInvitation(tx, id);
    return ok('declined');
  });
}
