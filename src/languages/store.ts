import { and, eq, isNull } from 'drizzle-orm';
import { users } from '../accounts/tables.ts';
import type { Db } from '../platform/database.ts';

/** Keeps what a person has chosen; a suspended account keeps what it had. */
export async function setLanguage(db: Db, userId: number, language: string): Promise<void> {
  await db
    .update(users)
    .set({ language })
    .where(and(eq(users.id, userId), isNull(users.suspendedAt)));
}
