import type { AuditContext } from '../../platform/audit/context.ts';
import { recordAuditEvent } from '../../platform/audit/store.ts';
import { type Db, inTransaction } from '../../platform/database.ts';
import { counted, spendAll } from '../../platform/limits/store.ts';
import { addToOutbox } from '../../platform/mail/store.ts';
import { withoutLinks } from '../../platform/plain-text.ts';
import type { Platform } from '../../platform/platform.ts';
import { ok, type Refusal, type Result, refuse } from '../../result.ts';
import { holdEmail, noticesTo, wordsFor } from '../emails.ts';
import { isManagingRole, type Role } from '../person.ts';
import { findUser, lockUser, refusingTakenNames } from '../store.ts';
import { groupPage } from './address.ts';
import { deleteInvitationsBy } from './invitations/store.ts';
import {
  decideRemoval,
  decideRoleChange,
  type Member,
  maxTeams,
  maxTeamsOfOrganization,
  maySetSlug,
} from './rules.ts';
import {
  countOwners,
  countTeams,
  createGroup,
  deleteGroup,
  deleteMember,
  eventOf,
  findMember,
  findOwnOrganization,
  findRole,
  type GroupRef,
  type LockedGroup,
  listOwnGroups,
  lockGroup,
  type NewGroup,
  setRole,
  suspendManagedUsers,
  updateGroup,
} from './store.ts';

export interface Act {
  readonly group: GroupRef;
  readonly actorId: number;
  readonly by: AuditContext;
}

/**
 * Locks the group and the actor: changes take turns, and none outlives a suspension (security
 * C151).
 */
export async function inGroup<Outcome>(
  db: Db,
  { group, actorId }: Act,
  work: (tx: Db, actor: Member, group: LockedGroup) => Promise<Outcome>,
): Promise<Outcome | Refusal<'not_in_group'>> {
  return inTransaction(db, async (tx) => {
    const locked = await lockGroup(tx, group);
    await lockUser(tx, actorId); // protects: C151
    const role = locked && (await findRole(tx, group, actorId));
    if (locked === undefined || role === undefined) return refuse('not_in_group');
    return work(tx, { id: actorId, role }, locked);
  });
}

export interface WantedGroup extends Pick<NewGroup, 'kind' | 'slug' | 'name' | 'isPlatform'> {
  readonly isInOrganization: boolean;
}

export type StartRefusal = 'name_taken' | 'not_allowed' | 'too_many_teams' | 'too_many_in_organization';

/** Creates a group that the user owns; a form that is sent twice creates it once. */
export async function startGroup(
  { db }: Pick<Platform, 'db'>,
  { isInOrganization, ...wanted }: WantedGroup,
  ownerId: number,
  by: AuditContext,
): Promise<Result<number, StartRefusal>> {
  if (!isInOrganization) return inTransaction(db, (tx) => createOwnGroup(tx, wanted, ownerId, by));
  const organization = await findOwnOrganization(db, ownerId);
  if (organization === undefined) return refuse('not_allowed');
  const { id: organizationId } = organization;
  const act = { group: organization, actorId: ownerId, by };
  const started = await inGroup(db, act, async (tx, { role }) => {
    if (!isManagingRole(role)) return refuse('not_allowed');
    if ((await countTeams(tx, { organizationId })) >= maxTeamsOfOrganization)
      return refuse('too_many_in_organization');
    return createOwnGroup(tx, { ...wanted, organizationId }, ownerId, by);
  });
  if (started.ok) return started;
  return refuse(started.reason === 'not_in_group' ? 'not_allowed' : started.reason);
}

/** The owner's row is locked, so that parallel requests can't pass the limits. */
async function createOwnGroup(
  tx: Db,
  group: NewGroup,
  ownerId: number,
  by: AuditContext,
): Promise<Result<number, StartRefusal>> {
  const { kind, slug, name, organizationId = null } = group;
  await lockUser(tx, ownerId);
  const own = await listOwnGroups(tx, kind, ownerId);
  const earlier = own.find((one) => {
    const isSame = one.slug === slug && one.name === name && one.role === 'owner';
    return kind === 'organization' || (isSame && (one.organization?.id ?? null) === organizationId);
  });
  if (earlier !== undefined) return ok(earlier.id);
  if (own.length >= maxTeams) return refuse('too_many_teams');
  const owner = { userId: ownerId, role: 'owner' } as const;
  const created = await refusingTakenSlugs(() => createGroup(tx, group, [owner], by.at));
  if (!created.ok) return created;
  // A deleted group's address stays reserved, so deleting gives none back.
  await spendAll(tx, [counted('notable', ['group', ownerId])], by.at);
  await recordAuditEvent(tx, by, eventOf('group.created', { id: created.value, name }));
  return created;
}

export async function changeGroup(
  db: Db,
  act: Act,
  change: { readonly name: string; readonly slug?: string | undefined },
) {
  return inGroup(db, act, async (tx, { role }, group) => {
    if (!isManagingRole(role)) return refuse('not_allowed');
    const slug = maySetSlug(group.kind, role) ? change.slug : undefined;
    return refusingTakenSlugs(() =>
      tx.transaction(async (savepoint) => {
        await updateGroup(savepoint, group, { ...change, slug }, act.by.at);
        await recordAuditEvent(savepoint, act.by, eventOf('group.changed', group));
      }),
    );
  });
}

async function refusingTakenSlugs<Value>(write: () => Promise<Value>): Promise<Result<Value, 'name_taken'>> {
  const written = await refusingTakenNames(write);
  return written.ok ? written : refuse('name_taken');
}

type Capabilities = Pick<Platform, 'db' | 'grants'>;
type Telling = Pick<Platform, 'config' | 'languages' | 'runtime' | 'secrets'>;

export async function changeRole(app: Capabilities & Telling, act: Act, targetId: number, role: Role) {
  return inGroup(app.db, act, async (tx, actor, group) => {
    const target = await findMember(tx, act.group, { id: targetId });
    if (target === undefined) return refuse('no_such_member');
    const decision = decideRoleChange(actor, target, role, await countOwners(tx, act.group));
    if (!decision.ok) return decision;
    await setRole(tx, act.group, targetId, role);
    const changed = eventOf('group.role_changed', group, targetId);
    // protects: C124
    await recordAuditEvent(tx, act.by, { ...changed, reason: `${target.role} to ${role}` });
    await endWhatNeedsRole(app, tx, act, targetId, role);
    if (role !== target.role)
      await tellOfRole(app, tx, act, group, { email: target.email, role, isInvited: false });
    return decision;
  });
}

/** Notifies the member who gave the role, in case another person did it (security C204). */
export async function tellOfRole(
  app: Telling,
  tx: Db,
  { actorId, by }: Act,
  group: LockedGroup & GroupRef,
  { email, role, isInvited }: { readonly email: string; readonly role: Role; readonly isInvited: boolean },
): Promise<void> {
  const actor = isManagingRole(role) ? await findUser(tx, { id: actorId }) : undefined;
  if (actor === undefined) return;
  const words = await wordsFor(app, actor);
  const { t } = words;
  const values = { email, role, kind: group.kind, group: withoutLinks(group.name) };
  const text = isInvited
    ? t(
        '{email} was invited to be {role, select, owner {an owner} other {an admin}} of the {kind, select, team {team} other {organization}} {group}.',
        values,
      )
    : t(
        '{email} is now {role, select, owner {an owner} other {an admin}} of the {kind, select, team {team} other {organization}} {group}.',
        values,
      );
  const told = holdEmail(t('Role given'), text, groupPage(group), app.config.appUrl, words);
  await addToOutbox(tx, noticesTo(app, actor, told), by.at, { cause: `email:user:${actorId}` });
}

/** Removes a member. Repeated, it changes nothing. */
export async function removeMember(app: Capabilities, act: Act, targetId: number) {
  return inGroup(app.db, act, async (tx, actor, group) => {
    const target = await findMember(tx, act.group, { id: targetId });
    if (target === undefined) return ok('out');
    const decision = decideRemoval(actor, target, await countOwners(tx, act.group));
    if (!decision.ok) return decision;
    await deleteMember(tx, act.group, targetId);
    await recordAuditEvent(tx, act.by, eventOf('group.member_removed', group, targetId));
    await endWhatNeedsRole(app, tx, act, targetId, undefined);
    return decision;
  });
}

/** Works without the app's owner, too. A job deletes the users. Repeated, it changes nothing. */
export async function endManagedUsers(
  db: Db,
  act: Act,
  { clientId, name }: { readonly clientId: string; readonly name: string },
) {
  return inGroup(db, act, async (tx, { role }) => {
    if (role !== 'owner') return refuse('not_allowed');
    if ((await suspendManagedUsers(tx, act.group, act.by.at, clientId)) > 0)
      await recordAuditEvent(tx, act.by, {
        ...eventOf('managed_users.ended', { ...act.group, name }),
        clientId,
      });
    return ok('managed_ended');
  });
}

/** Apps act for teams only. Invitations end that the inviter couldn't send in the new role. */
async function endWhatNeedsRole(
  { grants }: Capabilities,
  tx: Db,
  { group: { kind, id }, by }: Act,
  userId: number,
  role: Role | undefined,
): Promise<void> {
  if (kind === 'team' && !isManagingRole(role)) await grants.revokeForTeam(tx, userId, id, by);
  await deleteInvitationsBy(tx, id, userId, role);
}

export async function endGroup({ db, grants }: Capabilities, act: Act, isMeant: (name: string) => boolean) {
  return inGroup(db, act, async (tx, { role }, group) => {
    if (role !== 'owner') return refuse('not_allowed');
    if (!isMeant(group.name)) return refuse('wrong_name');
    // The team takes these grants along, and nobody would learn of it.
    await grants.revokeForTeam(tx, 'all', group.id, act.by); // protects: C146
    if (group.kind === 'organization') await suspendManagedUsers(tx, group, act.by.at);
    await deleteGroup(tx, group, act.by.at);
    return ok(await recordAuditEvent(tx, act.by, eventOf('group.deleted', group)));
  });
}
