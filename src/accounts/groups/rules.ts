import { ok, type Result, refuse } from '../../result.ts';
import { type GroupKind, isManagingRole, type Role, roles } from '../person.ts';

export interface Member {
  readonly id: number;
  readonly role: Role;
}

/** Returns the roles that someone can give, and whose holders they can change. */
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

/** An organization's slug is its host, so only owners change it. */
export function maySetSlug(kind: GroupKind, role: Role): boolean {
  return kind === 'team' ? isManagingRole(role) : role === 'owner';
}

export type MemberRefusal = 'not_allowed' | 'last_owner';

/** Decides a change of role. A group always keeps an owner. */
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

/** Decides a removal. Everyone can leave, except the last owner. */
export function decideRemoval(actor: Member, target: Member, owners: number): Result<'out', MemberRefusal> {
  const isLeaving = actor.id === target.id;
  if (!isLeaving && !rolesWithin(actor.role).includes(target.role)) return refuse('not_allowed');
  if (isLastOwner(target, owners)) return refuse('last_owner');
  return ok('out');
}

function isLastOwner({ role }: Member, owners: number): boolean {
  return role === 'owner' && owners < 2;
}

export const invitationDays = 7;
export const maxOpen = 50;
/** Managed users don't count. */
export const maxMembers = 500;
export const maxTeams = 50;
export const maxTeamsOfOrganization = 200;

export interface InvitingFacts {
  readonly isMember: boolean;
  readonly open: Pick<Member, 'role'> | undefined;
  readonly openCount: number;
}

export type RuledOutInvitation =
  | 'not_allowed'
  | 'role_not_allowed'
  | 'already_member'
  | 'invited_above'
  | 'too_many_open';

/** The refusal never tells whether the address has an account. */
export function decideInviting(
  actor: Role,
  role: Role,
  { isMember, open, openCount }: InvitingFacts,
): Result<void, RuledOutInvitation> {
  const within = rolesWithin(actor);
  if (within.length === 0) return refuse('not_allowed');
  if (!within.includes(role)) return refuse('role_not_allowed');
  if (isMember) return refuse('already_member');
  if (open !== undefined && !within.includes(open.role)) return refuse('invited_above');
  if (open === undefined && openCount >= maxOpen) return refuse('too_many_open');
  return ok(undefined);
}
