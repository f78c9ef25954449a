import { and, asc, eq, gt, lt, notInArray, sql } from 'drizzle-orm';
import type { Db } from '../../platform/database.ts';
import type { GroupRef } from '../members/group.ts';
import { rolesWithin } from '../members/rules.ts';
import type { Role } from '../person.ts';
import { invitations, organizations, teams, users } from '../tables.ts';
import { invitationDays } from './rules.ts';

const daySeconds = 86_400;
const after = (now: Date, seconds: number): Date => new Date(now.getTime() + seconds * 1000);

function isInto({ kind, id }: GroupRef) {
  return eq(kind === 'team' ? invitations.teamId : invitations.organizationId, id);
}

const isOpen = (now: Date) => gt(invitations.expiresAt, now);

/** The invitations of a group that wait for their answer, oldest first, with who sent them. */
export async function listOpenInvitations(db: Db, group: GroupRef, now: Date) {
  return db
    .select({
      id: invitations.id,
      email: invitations.email,
      role: invitations.role,
      createdAt: invitations.createdAt,
      expiresAt: invitations.expiresAt,
      inviterName: users.name,
    })
    .from(invitations)
    .innerJoin(users, eq(users.id, invitations.inviterId))
    .where(and(isInto(group), isOpen(now)))
    .orderBy(asc(invitations.createdAt), asc(invitations.id));
}

/**
 * An open invitation with all that its page says; undefined when it was taken, withdrawn or has run
 * out.
 */
export async function findInvitation(db: Db, id: string, now: Date) {
  const [found] = await db
    .select({
      id: invitations.id,
      email: invitations.email,
      role: invitations.role,
      expiresAt: invitations.expiresAt,
      teamId: invitations.teamId,
      organizationId: invitations.organizationId,
      groupName: sql<string>`coalesce(${teams.name}, ${organizations.name})`,
      inviterName: users.name,
    })
    .from(invitations)
    .innerJoin(users, eq(users.id, invitations.inviterId))
    .leftJoin(teams, eq(teams.id, invitations.teamId))
    .leftJoin(organizations, eq(organizations.id, invitations.organizationId))
    .where(and(eq(invitations.id, id), isOpen(now)));
  if (found === undefined) return undefined;
  const { teamId, organizationId, ...invitation } = found;
  return { ...invitation, group: groupOf(teamId, organizationId) };
}

export type Invitation = NonNullable<Awaited<ReturnType<typeof findInvitation>>>;

function groupOf(teamId: number | null, organizationId: number | null): GroupRef {
  if (teamId !== null) return { kind: 'team', id: teamId };
  if (organizationId !== null) return { kind: 'organization', id: organizationId };
  throw new Error('an invitation leads nowhere');
}

/** A group's invitation to this address, run out or not; there is one at most. */
export async function findInvitationTo(tx: Db, group: GroupRef, email: string) {
  const [found] = await tx
    .select({
      id: invitations.id,
      role: invitations.role,
      createdAt: invitations.createdAt,
      expiresAt: invitations.expiresAt,
    })
    .from(invitations)
    .where(and(isInto(group), eq(invitations.email, email)));
  return found;
}

/** One of a group's open invitations. */
export async function findOpenInvitation(tx: Db, group: GroupRef, id: string, now: Date) {
  const [found] = await tx
    .select({ email: invitations.email, role: invitations.role })
    .from(invitations)
    .where(and(isInto(group), eq(invitations.id, id), isOpen(now)));
  return found;
}

/** How many invitations of the group are open. */
export async function countOpenInvitations(tx: Db, group: GroupRef, now: Date): Promise<number> {
  return tx.$count(invitations, and(isInto(group), isOpen(now)));
}

export interface NewInvitation {
  readonly id: string;
  readonly group: GroupRef;
  readonly email: string;
  readonly role: Role;
  readonly inviterId: number;
}

export async function addInvitation(
  tx: Db,
  { group, ...invitation }: NewInvitation,
  now: Date,
): Promise<void> {
  await tx.insert(invitations).values({
    ...invitation,
    ...(group.kind === 'team' ? { teamId: group.id } : { organizationId: group.id }),
    createdAt: now,
    expiresAt: after(now, invitationDays * daySeconds),
  });
}

/** Lets an open invitation stand with this role, answered for by this inviter. */
export async function keepInvitation(tx: Db, id: string, role: Role, inviterId: number): Promise<void> {
  await tx.update(invitations).set({ role, inviterId }).where(eq(invitations.id, id));
}

/** Ends an invitation of the group. */
export async function retireInvitation(tx: Db, group: GroupRef, id: string): Promise<void> {
  await tx.delete(invitations).where(and(isInto(group), eq(invitations.id, id)));
}

/**
 * Ends the open invitations of a group that the inviter, now in this role or out of the group,
 * could not send any more.
 */
export async function retireInvitationsBy(
  tx: Db,
  group: GroupRef,
  inviterId: number,
  role: Role | undefined,
  now: Date,
): Promise<void> {
  const within = role === undefined ? [] : rolesWithin(role);
  await tx
    .delete(invitations)
    .where(
      and(
        isInto(group),
        isOpen(now),
        eq(invitations.inviterId, inviterId),
        within.length === 0 ? undefined : notInArray(invitations.role, [...within]),
      ),
    );
}

/** Removes an invitation that was answered. */
export async function deleteInvitation(tx: Db, id: string): Promise<void> {
  await tx.delete(invitations).where(eq(invitations.id, id));
}

/** Removes the invitations that have run out. */
export async function deleteExpiredInvitations(db: Db, now: Date): Promise<void> {
  await db.delete(invitations).where(lt(invitations.expiresAt, now));
}
