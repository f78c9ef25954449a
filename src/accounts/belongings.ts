import { and, eq } from 'drizzle-orm';
import { type Belonging, deleteOf, rowsOf } from '../platform/belongings.ts';
import { emailVerifications, formerNames, users } from './tables.ts';

export const accountBelongings: readonly Belonging[] = [
  { table: users, of: [users.id] },
  {
    table: emailVerifications,
    of: [emailVerifications.userId],
    onProof: deleteOf(emailVerifications, emailVerifications.userId),
    onDeletion: deleteOf(emailVerifications, emailVerifications.userId),
    isSignIn: true,
  },
  {
    table: formerNames,
    of: [formerNames.ownerId],
    exported: (_db, { id }) => [
      rowsOf(formerNames, and(eq(formerNames.kind, 'user'), eq(formerNames.ownerId, id))),
    ],
  },
];
