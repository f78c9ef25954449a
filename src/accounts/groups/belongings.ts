import { and, eq, inArray, or } from 'drizzle-orm';
import { recordAuditEvent } from '../../platform/audit/store.ts';
import { type Belonging, deleteOf, type End, ifVerified, rowsOf } from '../../platform/belongings.ts';
import { managingRoles } from '../person.ts';
import { groups, invitations, memberships } from '../tables.ts';
import { eventOf } from './changes.ts';
import { deleteMember, listMembers, listMemberships, lockGroup, setRole } from './store.ts';

/**
 * A group keeps an owner, if needed the next member. With one member it stays: nobody has a hold by
 * it.
 */
const leaveOthers: End = async (tx, userId, by) => {
  for (const membership of await listMemberships(tx, userId)) {
    const group = await lockGroup(tx, membership);
    const heir = (await listMembers(tx, membership, { take: 2 })).find(({ id }) => id !== userId);
    if (group === undefined || heir === undefined) continue;
    if (membership.role === 'owner' && heir.role !== 'owner') {
      await setRole(tx, group, heir.id, 'owner');
      const changed = eventOf('group.role_changed', group, heir.id);
      await recordAuditEvent(tx, by, { ...changed, reason: `${heir.role} to owner` });
    }
    await deleteMember(tx, group, userId);
    await recordAuditEvent(tx, by, eventOf('group.member_removed', group, userId));
  }
};

/** People who are invited to manage could do so while the invitation is open. */
const withdrawManaging: End = async (tx, userId) => {
  const { inviterId, role } = invitations;
  await tx.delete(invitations).where(and(eq(inviterId, userId), inArray(role, [...managingRoles])));
};

export const groupBelongings: readonly Belonging[] = [
  {
    table: memberships,
    of: [memberships.userId],
    isContent: true,
    counted: { words: 'Teams and organizations' },
    onProof: leaveOthers, // protects: C201
    onDeletion: deleteOf(memberships, memberships.userId),
  },
  {
    table: groups,
    of: [],
    exported: (db, { id }) => {
      const own = db.select({ id: memberships.groupId }).from(memberships).where(eq(memberships.userId, id));
      return [rowsOf(groups, inArray(groups.id, own))];
    },
  },
  {
    table: invitations,
    of: [invitations.inviterId],
    onProof: deleteOf(invitations, invitations.inviterId),
    onReset: withdrawManaging, // protects: C204
    onDeletion: deleteOf(invitations, invitations.inviterId),
    exported: (_db, person) => {
      const { inviterId, email } = invitations;
      const isOwn = or(eq(inviterId, person.id), ifVerified(person, eq(email, person.email)));
      return [rowsOf(invitations, isOwn)];
    },
  },
];
