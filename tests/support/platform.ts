import { randomBytes } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { addMember, createGroup } from '../../src/accounts/groups/store.ts';
import type { Role } from '../../src/accounts/person.ts';
import { groups } from '../../src/accounts/tables.ts';
import { callApi } from './api.ts';
import { basicOf } from './basic.ts';
import type { TestService } from './service.ts';
import { addClient, type ClientOptions, type TestClient } from './world.ts';

/** An organization, a platform's unless said otherwise. */
export async function addOrganization(
  { database, clock }: TestService,
  {
    isPlatform = true,
    slug = `org-${randomBytes(6).toString('hex')}`,
    name = 'Test organization',
  }: { readonly isPlatform?: boolean; readonly slug?: string; readonly name?: string } = {},
): Promise<{ readonly id: number; readonly slug: string }> {
  const organization = { kind: 'organization', slug, name, isPlatform } as const;
  return { id: await createGroup(database.db, organization, [], clock.now()), slug };
}

export async function joinOrganization(
  { database }: TestService,
  userId: number,
  id: number,
  role: Role = 'member',
): Promise<void> {
  await addMember(database.db, { kind: 'organization', id }, userId, role);
}

/** Puts a team into an organization, or out of it. */
export async function moveTeam(
  { database }: TestService,
  teamId: number,
  organizationId: number | null,
): Promise<void> {
  await database.db.update(groups).set({ organizationId }).where(eq(groups.id, teamId));
}

/** A client whose owner owns a platform organization. */
export async function addPlatformClient(
  service: TestService,
  options: ClientOptions = {},
): Promise<TestClient> {
  const client = await addClient(service, options);
  await joinOrganization(service, client.ownerId, (await addOrganization(service)).id, 'owner');
  return client;
}

export function usersPath({ id }: Pick<TestClient, 'id'>): string {
  return `/oauth-clients/${id}/users`;
}

/** Asks for a managed user; answers whatever comes. */
export async function makeManagedUser(service: TestService, client: TestClient, changes: object = {}) {
  const email = `managed-${randomBytes(6).toString('hex')}@example.com`;
  return callApi(service, 'POST', usersPath(client), {
    headers: { authorization: basicOf(client) },
    body: { email, name: 'Managed Person', ...changes },
  });
}
