import { randomBytes, randomUUID } from 'node:crypto';
import { createUser } from '../src/accounts/store.ts';
import { createClient } from '../src/oauth/clients/store.ts';
import { issueRefreshToken } from '../src/oauth/core/refresh.ts';
import { formatClientSecret, hashClientSecret } from '../src/oauth/core/secret.ts';
import { clients, grants } from '../src/oauth/tables.ts';
import { systemContext } from '../src/platform/audit/store.ts';
import type { Db } from '../src/platform/database.ts';
import { createSecrets, nodeHash } from '../src/platform/secrets.ts';
import { secret } from './measured-process.ts';

/** A confidential client whose users have connected it. */
export interface ConnectedClient {
  readonly id: string;
  readonly secret: string;
  /** The current refresh token of each user's grant. */
  readonly refreshTokens: readonly string[];
}

/** Puts an accepted client with so many active grants into a migrated, empty database. */
export async function addConnectedClient(db: Db, grantCount: number): Promise<ConnectedClient> {
  const now = new Date();
  const ownerId = await addUser(db, 'owner', now);
  const id = randomBytes(16).toString('hex');
  const clientSecret = formatClientSecret(randomBytes(32));
  const secretHash = Buffer.from(await hashClientSecret(clientSecret, nodeHash)).toString('base64url');
  const redirectUri = 'https://app.example/callback';
  const client = {
    id,
    ownerId,
    name: 'Bench',
    purpose: 'Measuring',
    type: 'confidential',
    redirectUris: [redirectUri],
    websiteUrl: null,
    scopes: null,
    requiresPkce: false,
  } as const;
  await createClient(
    db,
    client,
    { id: randomUUID(), secretHash, hint: clientSecret.slice(-4) },
    [],
    systemContext(now),
  );
  await db.update(clients).set({ status: 'accepted' });
  const refreshTokens: string[] = [];
  for (let index = 0; index < grantCount; index += 1) {
    const userId = await addUser(db, `user-${index}`, now);
    const grantId = randomUUID();
    const active = { generation: 1, issuedAt: now, redeemedAt: now, rotatedAt: now };
    await db.insert(grants).values({ id: grantId, clientId: id, userId, redirectUri, ...active });
    refreshTokens.push(await issueRefreshToken({ grantId, generation: 1 }, createSecrets([secret])));
  }
  return { id, secret: clientSecret, refreshTokens };
}

async function addUser(db: Db, username: string, now: Date): Promise<number> {
  const profile = { username, name: username, timeZone: 'UTC', weekStart: 'Monday', isAdmin: false } as const;
  const user = { ...profile, email: `${username}@example.com`, passwordHash: 'none' };
  const created = await createUser(db, user, systemContext(now));
  if (!created.ok) throw new Error(created.reason);
  return created.value.id;
}
