import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { findOwnOrganization } from '../../src/accounts/groups/store.ts';
import { users } from '../../src/accounts/tables.ts';
import { bodyOf } from '../support/api.ts';
import { addPlatformClient, makeManagedUser } from '../support/platform.ts';
import { openTestService } from '../support/service.ts';
import { callMe, refresh } from '../support/world.ts';

const service = await openTestService({ REFRESH_IDLE_DAYS: '10', REFRESH_MAX_DAYS: '20' });
const { db } = service.database;
const client = await addPlatformClient(service);

const make = async (changes: object = {}) =>
  bodyOf(await makeManagedUser(service, client, changes), 201).data;
const rowOf = async (id: number) => (await db.select().from(users).where(eq(users.id, id)))[0];

test('a managed user is made with what was sent and sensible defaults, and answered with tokens (contract §8)', async () => {
  const data = await make({ email: ' Alice@Example.COM ', name: 'Alice', timeZone: 'Europe/Rome' });

  const now = service.clock.now();
  expect(data).toEqual({
    user: {
      id: expect.any(Number),
      email: expect.stringMatching(/^alice\+[a-z0-9]{25}@example\.com$/),
      displayEmail: 'alice@example.com',
      username: null,
      name: 'Alice',
      timeZone: 'Europe/Rome',
      weekStart: 'Monday',
      timeFormat: 12,
      defaultScheduleId: null,
      createdDate: now.toISOString(),
    },
    accessToken: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
    accessTokenExpiresAt: now.getTime() + 1800_000,
    refreshToken: expect.stringMatching(/^lkr_/),
    refreshTokenExpiresAt: now.getTime() + 10 * 86_400_000,
  });
});

test('a managed user belongs to the platform organization of the owner, and to the client', async () => {
  const { user } = await make();

  const owner = await findOwnOrganization(db, client.ownerId);
  expect(await rowOf(user.id)).toMatchObject({
    managingClientId: client.id,
    username: null,
    isAdmin: false,
  });
  expect(await findOwnOrganization(db, user.id)).toMatchObject({ id: owner?.id, role: 'member' });
});

test('a managed user acts with its token, and /v2/me shows the platform (contract §8)', async () => {
  const { user, accessToken } = await make();

  const me = bodyOf(await callMe(service, accessToken)).data;
  const owner = await rowOf(client.ownerId);
  expect(me).toMatchObject({ id: user.id, email: user.email, username: null });
  expect(me.organization).toEqual({ id: owner?.id, isPlatform: true });
});

test('a managed user is refreshed at the token endpoint, and its refresh tokens run out like any others', async () => {
  const { refreshToken } = await make();

  const first = bodyOf(await refresh(service, client, refreshToken));
  expect((await callMe(service, first.access_token)).statusCode).toBe(200);
  service.clock.advance(11 * 86_400);
  expect((await refresh(service, client, first.refresh_token)).json()).toMatchObject({
    error_description: 'invalid_refresh_token',
  });
});
