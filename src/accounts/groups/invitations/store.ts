import { and, asc, eq, gt, inArray, notInArray, or } from 'drizzle-orm';
import { type Belonging, deletedWith, type End, ifVerified, rowsOf } from '../../../platform/belongings.ts';
import type { Db } from '../../../platform/database.ts';
import { managingRoles, type Role } from '../../person.ts';
import { groups, invitations, users } from '../../tables.ts';
import { invitationDays, rolesWithin } from '../rules.ts';

const isOpen = (now: Date) => gt(invitations.expiresAt, now);

export async function listOpenInvitations(db: Db, groupId: number, now: Date) {
  const { id, email, role, createdAt, expiresAt, inviterId } = invitations;
  return db
    .select({ id, email, role, createdAt, expiresAt, inviterName: users.name })
    .from(invitations)
    .innerJoin(users, eq(users.id, inviterId))
    .where(and(eq(invitations.groupId, groupId), isOpen(now)))
    .orderBy(asc(createdAt), asc(id));
}

export async function findInvitation(db: Db, invitationId: string, now: Date) {
  const { id, email, role, expiresAt, inviterId } = invitations;
  const [found] = await db
    .select({
      id,
      email,
      role,
      expiresAt,
      group: { kind: groups.kind, id: groups.id, name: groups.name },
      inviterName: users.name,
    })
    .from(invitations)
    .innerJoin(users, eq(users.id, inviterId))
    .innerJoin(groups, eq(groups.id, invitations.groupId))
    .where(and(eq(id, invitationId), isOpen(now)));
  return found;
}

export type Invitation = NonNullable<Awaited<ReturnType<typeof findInvitation>>>;

export type NewInvitation = Omit<typeof invitations.$inferInsert, 'createdAt' | 'expiresAt'>;

/** Replaces the invitation that the address has, whose link ends. */
export async function putInvitation(tx: Db, invitation: NewInvitation, now: Date): Promise<void> {
  const expiresAt = new Date(now.getTime() + invitationDays * 86_400_000);
  const row = { ...invitation, createdAt: now, expiresAt };
  await tx
    .insert(invitations)
    .values(row)
    .onConflictDoUpdate({ target: [invitations.groupId, invitations.email], set: row });
}

export async function deleteInvitation(tx: Db, id: string): Promise<void> {
  await tx.delete(invitations).where(eq(invitations.id, id));
}

/** Deletes what the inviter couldn't send anymore, in a new role or out of the group. */
export async function deleteInvitationsBy(
  tx: Db,
  groupId: number,
  inviterId: number,
  role: Role | undefined,
): Promise<void> {
  const within = role === undefined ? [] : rolesWithin(role);
  await tx
    .delete(invitations)
    .where(
      and(
        eq(invitations.groupId, groupId),
        eq(invitations.inviterId, inviterId),
        notInArray(invitations.role, [...within]),
      ),
    );
}

/** People who are invited to manage could do so while the invitation is open. */
const withdrawManaging: End = async (tx, userId) => {
  const { inviterId, role } = invitations;
  await tx.delete(invitations).where(and(eq(inviterId, userId), inArray(role, [...managingRoles])));
};

export const invitationBelongings: readonly Belonging[] = [
  {
    ...deletedWith(invitations.inviterId),
    onReset: withdrawManaging, // protects: C204
    exported: (_db, person) => {
      const { inviterId, email } = invitations;
      const isOwn = or(eq(inviterId, person.id), ifVerified(person, eq(email, person.email)));
      return [rowsOf(invitations, isOwn)];
    },
  },
];
