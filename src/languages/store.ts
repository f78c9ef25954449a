import { and, eq, isNull } from 'drizzle-orm';
import { users } from '../accounts/tables.ts';
import type { Db } from '../platform/database.ts';

/** Null follows the browser. A suspended account keeps what it had. */
export async function setLanguage(db: Db, userId: number, language: string | null): Promise<void> {
  await db
    .update(users)
    .set({ language })
    .where(and(eq(users.id, userId), isNull(users.suspendedAt)));
}
