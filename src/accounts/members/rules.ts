import { ok, type Result, refuse } from '../../result.ts';
import { type Role, roles } from '../person.ts';
import type { Member } from './group.ts';

/**
 * Whether somebody in this role changes the group's name, sees and sends invitations, and looks
 * after its members.
 */
export function mayManage(role: Role): boolean {
  return role !== 'member';
}

/**
 * The roles that somebody in this role may give, and whose holders they may change or remove: never
 * one above their own.
 */
export function rolesWithin(role: Role): readonly Role[] {
  switch (role) {
    case 'owner':
      return roles;
    case 'admin':
      return ['admin', 'member'];
    case 'member':
      return [];
  }
}

export type MemberRefusal = 'not_allowed' | 'last_owner';

/**
 * May the actor give the target this role? A group always keeps an owner; `owners` counts them all.
 */
export function decideRoleChange(
  actor: Member,
  target: Member,
  role: Role,
  owners: number,
): Result<Role, MemberRefusal> {
  const within = rolesWithin(actor.role);
  if (!within.includes(target.role) || !within.includes(role)) return refuse('not_allowed');
  if (role !== 'owner' && isLastOwner(target, owners)) return refuse('last_owner');
  return ok(role);
}

/** May the actor take the target out of the group? Everybody may leave, but the last owner. */
export function decideRemoval(actor: Member, target: Member, owners: number): Result<'out', MemberRefusal> {
  const isLeaving = actor.id === target.id;
  if (!isLeaving && !rolesWithin(actor.role).includes(target.role)) return refuse('not_allowed');
  if (isLastOwner(target, owners)) return refuse('last_owner');
  return ok('out');
}

function isLastOwner({ role }: Member, owners: number): boolean {
  return role === 'owner' && owners < 2;
}

/** How many of them are owners. */
export function countOwners(members: readonly Member[]): number {
  return members.filter(({ role }) => role === 'owner').length;
}
