import type { Db } from '../../platform/database.ts';
import { type Result, refuse } from '../../result.ts';
import { type Act, inGroup } from '../members/changes.ts';
import { mayManage } from '../members/rules.ts';
import type { Role } from '../person.ts';
import { renameOrganization } from './store.ts';

/**
 * Whether somebody in this role may change the slug, and with it the organization's host: owners
 * alone.
 */
export function mayChangeSlug(role: Role): boolean {
  return role === 'owner';
}

/**
 * Gives an organization another name, which owners and admins may, and another slug, which only
 * owners may.
 */
export async function changeOrganization(
  db: Db,
  act: Act,
  change: { readonly name: string; readonly slug?: string },
): Promise<Result<'renamed', 'slug_taken' | 'not_allowed' | 'not_in_group'>> {
  return inGroup<'renamed', 'slug_taken' | 'not_allowed'>(db, act, async (tx, { role }) => {
    const isAllowed = change.slug === undefined ? mayManage(role) : mayChangeSlug(role);
    return isAllowed ? renameOrganization(tx, act.groupId, change) : refuse('not_allowed');
  });
}
