import type { Db } from '../../platform/database.ts';
import { ok, type Result, refuse } from '../../result.ts';
import { type Act, inGroup } from '../members/changes.ts';
import { mayManage } from '../members/rules.ts';
import { findOwnOrganization, organizationStore } from '../organizations/store.ts';
import { createOwnTeam, findTwinTeam, type NewTeam, renameTeam } from './store.ts';

export interface WantedTeam {
  readonly name: string;
  readonly slug: string;
  /** Whether it is to belong to the organization of whoever makes it. */
  readonly isInOrganization: boolean;
}

/**
 * Makes a team that the person owns, and answers its id; the same form sent twice makes one team,
 * and leads to it both times.
 */
export async function foundTeam(
  db: Db,
  { name, slug, isInOrganization }: WantedTeam,
  ownerId: number,
  now: Date,
): Promise<Result<number, 'slug_taken' | 'not_allowed'>> {
  if (!isInOrganization) return createOnce(db, { name, slug }, ownerId, now);
  const organization = await findOwnOrganization(db, ownerId);
  if (organization === undefined) return refuse('not_allowed');
  const act = { store: organizationStore, groupId: organization.id, actorId: ownerId };
  const founded = await inGroup<number, 'slug_taken' | 'not_allowed'>(db, act, async (tx, { role }) => {
    if (!mayManage(role)) return refuse('not_allowed');
    return createOnce(tx, { name, slug, organizationId: organization.id }, ownerId, now);
  });
  if (founded.ok) return founded;
  return refuse(founded.reason === 'not_in_group' ? 'not_allowed' : founded.reason);
}

async function createOnce(
  db: Db,
  team: NewTeam,
  ownerId: number,
  now: Date,
): Promise<Result<number, 'slug_taken'>> {
  const created = await createOwnTeam(db, team, ownerId, now);
  if (created.ok) return created;
  const twin = await findTwinTeam(db, team, ownerId);
  return twin === undefined ? created : ok(twin);
}

/** Gives a team another name and slug; owners and admins may. */
export async function changeTeam(
  db: Db,
  act: Act,
  change: { readonly name: string; readonly slug: string },
): Promise<Result<'renamed', 'slug_taken' | 'not_allowed' | 'not_in_group'>> {
  return inGroup<'renamed', 'slug_taken' | 'not_allowed'>(db, act, async (tx, { role }) =>
    mayManage(role) ? renameTeam(tx, act.groupId, change) : refuse('not_allowed'),
  );
}
