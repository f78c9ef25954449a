import { eq, getTableColumns, getTableName, or, type SQL, sql } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { AuditContext } from './audit/context.ts';
import type { Db } from './database.ts';
import type { Platform } from './platform.ts';

export type Ender = 'user' | 'admin' | 'client';

export type End = (
  tx: Db,
  userId: number,
  by: AuditContext,
  ender: Ender,
  parts: Platform['parts'],
) => Promise<void>;

export interface Holder {
  readonly id: number;
  readonly email: string;
  readonly emailVerifiedAt: Date | null;
}

/** Stands in the store of its table; a test finds every column that refers to an account. */
export interface Belonging {
  readonly table: PgTable;
  readonly of: readonly PgColumn[];
  /** Runs when the address is first proven: a stranger may have signed up with it (security C201). */
  readonly onProof?: End;
  /** Runs at a reset of the password: an intruder may have made it (security C204). */
  readonly onReset?: End;
  /** Without this, rows go with the account's row, or outlast it. */
  readonly onDeletion?: End;
  /** An account with any of these isn't deleted for never being verified. */
  readonly isContent?: true;
  readonly isSignIn?: true;
  readonly isSecondFactor?: true;
  /** Admins see how many rows an account has, by the first column of `of`, which meet `which`, too. */
  readonly counted?: { readonly words: string; readonly which?: SQL };
  /** Replaces the default: all rows of the person, without hashes and encrypted columns. */
  readonly exported?: (db: Db, person: Holder) => readonly PersonalRows[];
}

export function deleteOf(column: PgColumn, ...more: readonly PgColumn[]): End {
  return async (tx, userId) => {
    await tx.delete(column.table).where(or(...[column, ...more].map((one) => eq(one, userId))));
  };
}

/** What is deleted at a first proof, and with the account. */
export const deletedWith = (column: PgColumn) => ({
  table: column.table,
  of: [column],
  onProof: deleteOf(column),
  onDeletion: deleteOf(column), // protects: C92
});

export interface PersonalRows {
  readonly name: string;
  readonly table: PgTable;
  readonly isOwn: SQL | undefined;
  readonly columns: Readonly<Record<string, PgColumn | SQL>>;
}

/** Leaves out hashes, what is encrypted, and the `hidden` columns. */
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
