import { eq, getTableColumns, getTableName, or, type SQL, sql } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { AuditContext } from './audit/context.ts';
import type { Db } from './database.ts';
import type { Platform } from './platform.ts';

/** Who ends something: the person, the operator, or the app that manages the account. */
export type Ender = 'user' | 'admin' | 'client';

/** Ends what an account has of one kind, in the transaction of what makes it end. */
export type End = (
  tx: Db,
  userId: number,
  by: AuditContext,
  ender: Ender,
  parts: Platform['parts'],
) => Promise<void>;

/** The person whose data it is. */
export interface Holder {
  readonly id: number;
  readonly email: string;
  readonly emailVerifiedAt: Date | null;
}

/**
 * A table that knows people. Each feature hands in its own, so that no list elsewhere forgets one:
 * a test finds every column that refers to an account.
 */
export interface Belonging {
  readonly table: PgTable;
  /** The columns that hold an account's id. */
  readonly of: readonly PgColumn[];
  /**
   * Ends it when the address is shown to be the owner's for the first time: a stranger may have
   * signed up with it (security C201). Undefined: it gives nobody else anything.
   */
  readonly onProof?: End;
  /**
   * Ends what the person doesn't keep at a reset of the password: whoever was in the account may
   * have made it (security C204). Undefined: it gives nobody else anything that lasts.
   */
  readonly onReset?: End;
  /** Undefined: it goes with the account's row, or outlasts it. */
  readonly onDeletion?: End;
  /** An account that has any of it isn't empty: it isn't deleted for never being verified. */
  readonly isContent?: true;
  /** Somebody gets into the account by it. */
  readonly isSignIn?: true;
  /** An operator ends it for somebody who has lost it. */
  readonly isSecondFactor?: true;
  /** Unless they are all rows of the person, with all columns but hashes and what is encrypted. */
  readonly exported?: (db: Db, person: Holder) => readonly PersonalRows[];
}

/** Deletes the rows of which one of the columns names the account. */
export function deleteOf(table: PgTable, ...columns: readonly PgColumn[]): End {
  return async (tx, userId) => {
    await tx.delete(table).where(or(...columns.map((column) => eq(column, userId))));
  };
}

/** The rows of one table that belong to a person, with the columns that are theirs to read. */
export interface PersonalRows {
  readonly name: string;
  readonly table: PgTable;
  readonly isOwn: SQL | undefined;
  readonly columns: Readonly<Record<string, PgColumn | SQL>>;
}

/** Without hashes, what is encrypted, and the `hidden` columns. */
export function rowsOf(
  table: PgTable,
  isOwn: SQL | undefined,
  changed: PersonalRows['columns'] = {},
  hidden: readonly string[] = [],
): PersonalRows {
  const isShown = (name: string): boolean => !/hash$|^encrypted/i.test(name) && !hidden.includes(name);
  const columns = Object.entries({ ...getTableColumns(table), ...changed });
  const shown = Object.fromEntries(columns.filter(([name]) => isShown(name)));
  return { name: getTableName(table), table, isOwn, columns: shown };
}

/** What was sent or booked elsewhere belongs to the person only if the address does. */
export const ifVerified = ({ emailVerifiedAt }: Holder, isOwn: SQL): SQL =>
  emailVerifiedAt === null ? sql`false` : isOwn;
