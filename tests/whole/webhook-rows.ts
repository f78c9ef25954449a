import { randomUUID } from 'node:crypto';
import { type SQL, sql } from 'drizzle-orm';
import type { Db } from '../../src/platform/database.ts';

interface Owner {
  readonly userId?: number;
  readonly teamId?: number;
  readonly makerId?: number;
}

/** The tables of webhooks are there without their part. */
export async function addWebhookRow(
  db: Db,
  { userId = null, teamId = null, makerId = null }: Nullable<Owner>,
) {
  await db.execute(sql`
    insert into webhooks (id, user_id, team_id, app_user_id, subscriber_url, triggers, encrypted_secret, created_at)
    values (${randomUUID()}, ${userId}, ${teamId}, ${makerId}, 'https://hooks.example/', '{}', 'secret', now())`);
}

type Nullable<Of> = { readonly [Name in keyof Of]: Of[Name] | null };

export const countWebhooks = (db: Db, isMeant: SQL): Promise<number> => db.$count(sql`webhooks`, isMeant);
