import { type Db, inTransaction } from '../../platform/database.ts';
import type { Platform } from '../../platform/platform.ts';
import { ok, type Result, refuse } from '../../result.ts';
import { retireInvitationsBy } from '../invitations/store.ts';
import { isManagingRole, type Role } from '../person.ts';
import type { GroupStore, Member } from './group.ts';
import { countOwners, decideRemoval, decideRoleChange, type MemberRefusal } from './rules.ts';

/** Who acts, and in which group of which kind. */
export interface Act {
  readonly store: GroupStore;
  readonly groupId: number;
  readonly actorId: number;
}

/**
 * Does something in a group that only its members may do. The group is locked and the actor's role
 * read under the lock, so whatever arrives at the same time is decided one after the other, on what
 * is true by then.
 */
export async function inGroup<Value, Reason extends string>(
  db: Db,
  { store, groupId, actorId }: Act,
  work: (tx: Db, actor: Member, group: { readonly name: string }) => Promise<Result<Value, Reason>>,
): Promise<Result<Value, Reason | 'not_in_group'>> {
  return inTransaction(db, async (tx) => {
    const group = await store.lock(tx, groupId);
    const role = group === undefined ? undefined : await store.findRole(tx, groupId, actorId);
    if (group === undefined || role === undefined) return refuse('not_in_group');
    return work(tx, { id: actorId, role }, group);
  });
}

/**
 * Gives a member another role. Invitations that the member sent and could no longer send end with
 * it.
 */
export async function changeRole(
  { db, grants }: Pick<Platform, 'db' | 'grants'>,
  act: Act,
  targetId: number,
  role: Role,
  now: Date,
): Promise<Result<Role, MemberRefusal | 'no_such_member' | 'not_in_group'>> {
  const { store, groupId } = act;
  return inGroup(db, act, async (tx, actor) => {
    const members = await store.listMembers(tx, groupId);
    const target = members.find(({ id }) => id === targetId);
    if (target === undefined) return refuse('no_such_member');
    const decision = decideRoleChange(actor, target, role, countOwners(members));
    if (!decision.ok) return decision;
    await store.setRole(tx, groupId, targetId, role);
    if (isEndOfManaging(store, role)) await grants.revokeForTeam(tx, targetId, groupId);
    await retireInvitationsBy(tx, { kind: store.kind, id: groupId }, targetId, role, now);
    return decision;
  });
}

/**
 * Takes somebody out of the group, oneself too. What they invited others to ends with it. Repeated,
 * it changes nothing.
 */
export async function removeMember(
  { db, grants }: Pick<Platform, 'db' | 'grants'>,
  act: Act,
  targetId: number,
  now: Date,
): Promise<Result<'out', MemberRefusal | 'not_in_group'>> {
  const { store, groupId } = act;
  return inGroup(db, act, async (tx, actor) => {
    const members = await store.listMembers(tx, groupId);
    const target = members.find(({ id }) => id === targetId);
    if (target === undefined) return ok('out');
    const decision = decideRemoval(actor, target, countOwners(members));
    if (!decision.ok) return decision;
    await store.removeMember(tx, groupId, targetId);
    if (isEndOfManaging(store, undefined)) await grants.revokeForTeam(tx, targetId, groupId);
    await retireInvitationsBy(tx, { kind: store.kind, id: groupId }, targetId, undefined, now);
    return decision;
  });
}

/**
 * Whether apps may not act for the team any more, by whoever has this role in it from now on;
 * nobody's apps act for organizations.
 */
function isEndOfManaging({ kind }: GroupStore, role: Role | undefined): boolean {
  return kind === 'team' && !isManagingRole(role);
}

/**
 * Deletes the group with its invitations; only an owner may, and only who knows its name, as
 * `isMeant` finds.
 */
export async function deleteGroup(
  db: Db,
  act: Act,
  isMeant: (name: string) => boolean,
): Promise<Result<'deleted', 'not_allowed' | 'wrong_name' | 'not_in_group'>> {
  return inGroup(db, act, async (tx, { role }, { name }) => {
    if (role !== 'owner') return refuse('not_allowed');
    if (!isMeant(name)) return refuse('wrong_name');
    await act.store.deleteGroup(tx, act.groupId);
    return ok('deleted');
  });
}
