import { and, eq, isNull, lte, sql } from 'drizzle-orm';
import type { AuditContext } from '../../platform/audit/context.ts';
import { recordAuditEvent } from '../../platform/audit/store.ts';
import type { Db } from '../../platform/database.ts';
import { minute } from '../../platform/limits/limits.ts';
import { isFirst, letterTo, takeOne } from '../../platform/limits/store.ts';
import type { Email, RenderedEmail } from '../../platform/mail/email.ts';
import { addToOutbox } from '../../platform/mail/store.ts';
import { belongingsOf } from '../../platform/parts.ts';
import type { Platform } from '../../platform/platform.ts';
import { batchRows, type Expired } from '../../platform/retention/store.ts';
import type { Result } from '../../result.ts';
import {
  findUser,
  type MakeBookable,
  NameIsTaken,
  type NewUser,
  refuseKeptName,
  refusingTakenNames,
  type TakenName,
} from '../store.ts';
import { emailVerifications, formerNames, users } from '../tables.ts';
import { putVerification } from '../verification/store.ts';

export interface SignUp {
  readonly user: NewUser & { readonly username: string };
  readonly verification: {
    readonly tokenHash: string;
    readonly browserHash: string;
    readonly returnTo: string;
  };
  readonly emails: Readonly<Record<'free' | 'verified' | 'unverified', Email>>;
  readonly render: (email: Email) => RenderedEmail;
  readonly cause: string;
  readonly makeBookable: MakeBookable | undefined;
}

const unverifiedDays = 30;

/**
 * If the address is taken, only the email differs; even the username is taken then (security C71).
 */
export async function addUnverifiedUser(
  db: Db,
  { user, verification, emails, render, cause, makeBookable }: SignUp,
  by: AuditContext,
): Promise<Result<void, TakenName>> {
  const { email: address, username } = user;
  const now = by.at;
  return refusingTakenNames(() =>
    db.transaction(async (tx) => {
      // A form sent twice is one.
      if (!(await isFirst(tx, ['sign-up', address, user.name], minute, now))) return; // protects: C71
      const [created] = await tx
        .insert(users)
        .values({ ...user, createdAt: now })
        .onConflictDoNothing({ target: users.email })
        .returning({ id: users.id });
      let holder: keyof SignUp['emails'] = 'free';
      if (created === undefined) {
        holder = await describeHolder(tx, address);
        await occupyName(tx, username, now); // protects: C71
      } else {
        await refuseKeptName(tx, { kind: 'user', id: created.id }, username, now);
        await makeBookable?.(tx, { ...user, ...created }, now);
        await recordAuditEvent(tx, by, { action: 'user.created', userId: created.id });
        await putVerification(tx, { userId: created.id, email: address, ...verification }, now);
      }
      const hasRoom = (await takeOne(tx, letterTo('verify', address), now)) !== undefined;
      // One is always rendered, so that a taken address takes as long as a free one.
      const email = render(emails[holder]);
      if (hasRoom) await addToOutbox(tx, [email], now, { cause });
    }),
  );
}

/** Managed users have other addresses, which no form takes (security C147). */
async function describeHolder(tx: Db, email: string): Promise<'verified' | 'unverified'> {
  const holder = await findUser(tx, { email });
  return holder?.emailVerifiedAt === null ? 'unverified' : 'verified';
}

const nobody = 0;

/** The name stays as long as that of an account that is never verified. */
async function occupyName(tx: Db, name: string, now: Date): Promise<void> {
  if ((await tx.$count(users, eq(users.username, name))) > 0) throw new NameIsTaken();
  const expiresAt = new Date(now.getTime() + unverifiedDays * 86_400_000);
  const occupied = await tx
    .insert(formerNames)
    .values({ kind: 'user', name, ownerId: nobody, expiresAt })
    .onConflictDoUpdate({
      target: [formerNames.kind, formerNames.name],
      set: { ownerId: nobody, expiresAt },
      setWhere: lte(formerNames.expiresAt, now),
    })
    .returning({ name: formerNames.name });
  if (occupied.length === 0) throw new NameIsTaken();
}

/** Unverified accounts without content would keep addresses and usernames from others. */
export function expiredSignUps(
  now: Date,
  { emailVerification }: Platform['config'],
  parts: Platform['parts'],
): Expired {
  const { userId, browserHash, createdAt } = emailVerifications;
  const before = new Date(now.getTime() - unverifiedDays * 86_400_000).toISOString();
  // An account that stays in spite of its age loses its mark a day later.
  const oldest = sql`select ${userId} from ${emailVerifications}
    where ${createdAt} <= ${before}::timestamptz and ${browserHash} is not null order by ${createdAt} limit ${batchRows}`;
  const contents = belongingsOf(parts).filter(({ isContent }) => isContent);
  const isEmpty = contents.flatMap(({ table, of }) =>
    of.map((column) => sql`not exists (select from ${table} where ${column} = ${users.id})`),
  );
  const isExpired = and(
    sql`${emailVerification} = 'required'`,
    sql`${users.id} = any(array(${oldest}))`,
    isNull(users.emailVerifiedAt),
    isNull(users.suspendedAt),
    ...isEmpty,
  );
  return { table: users, isExpired };
}
