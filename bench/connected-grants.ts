import { randomBytes, randomUUID } from 'node:crypto';
import { createUser } from '../src/accounts/store.ts';
import { createClient } from '../src/oauth/clients/store.ts';
import { issueCode } from '../src/oauth/core/code.ts';
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
  readonly codes: readonly string[];
  readonly redirectUri: string;
}

/** Puts an accepted client with so many active grants and codes into a migrated, empty database. */
export async function addConnectedClient(
  db: Db,
  grantCount: number,
  codeCount: number,
): Promise<ConnectedClient> {
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
  const codes: string[] = [];
  const perInsert = 1000;
  while (codes.length < codeCount) {
    const ids = Array.from({ length: perInsert }, () => randomUUID());
    const issued = { clientId: id, userId: ownerId, redirectUri, issuedAt: now };
    await db.insert(grants).values(ids.map((grantId) => ({ id: grantId, ...issued })));
    for (const grantId of ids) codes.push(await issueCode(grantId, createSecrets([secret])));
  }
  return { id, secret: clientSecret, refreshTokens, codes, redirectUri };
}

async function addUser(db: Db, username: string, now: Date): Promise<number> {
  const profile = { username, name: username, timeZone: 'UTC', weekStart: 'Monday', isAdmin: false } as const;
  const user = { ...profile, email: `${username}@example.com`, passwordHash: 'none' };
  const created = await createUser(db, user, systemContext(now));
  if (!created.ok) throw new Error(created.reason);
  return created.value.id;
}
