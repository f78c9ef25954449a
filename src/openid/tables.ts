import { index, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core';

const instant = () => timestamp({ withTimezone: true, mode: 'date' });

/** The exchange of a grant's code needs these of its request. They go when the code expires. */
export const openidRequests = pgTable(
  'openid_requests',
  {
    /** A foreign key would make every deletion of grants look here, too. */
    grantId: uuid().primaryKey(),
    /** Null means that the request had none. */
    nonce: text(),
    authenticatedAt: instant().notNull(),
    issuedAt: instant().notNull(),
  },
  (table) => [index().on(table.issuedAt)],
);
