import { randomBytes } from 'node:crypto';
import { eq } from 'drizzle-orm';
import type { Role } from '../../src/accounts/person.ts';
import { organizations, users } from '../../src/accounts/tables.ts';
import { callApi } from './api.ts';
import { basicOf } from './basic.ts';
import type { TestService } from './service.ts';
import { addClient, type ClientOptions, type TestClient } from './world.ts';

/** An organization, a platform's unless said otherwise. */
export async function addOrganization(
  { database, clock }: TestService,
  { isPlatform = true }: { readonly isPlatform?: boolean } = {},
): Promise<{ readonly id: number; readonly slug: string }> {
  const slug = `org-${randomBytes(6).toString('hex')}`;
  const [organization] = await database.db
    .insert(organizations)
    .values({ slug, name: 'Test organization', isPlatform, createdAt: clock.now() })
    .returning({ id: organizations.id });
  if (organization === undefined) throw new Error('the organization was not made');
  return { id: organization.id, slug };
}

export async function joinOrganization(
  { database }: TestService,
  userId: number,
  organizationId: number,
  organizationRole: Role = 'member',
): Promise<void> {
  await database.db.update(users).set({ organizationId, organizationRole }).where(eq(users.id, userId));
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
