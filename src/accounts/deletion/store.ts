import { and, asc, eq, isNotNull, isNull, lte, ne, or, type SQL, sql } from 'drizzle-orm';
import type { AuditContext } from '../../platform/audit/context.ts';
import { recordAuditEvents } from '../../platform/audit/store.ts';
import { auditEvents, isAboutAnother } from '../../platform/audit/tables.ts';
import type { Ender } from '../../platform/belongings.ts';
import { type Db, inTransaction, together } from '../../platform/database.ts';
import type { RenderedEmail } from '../../platform/mail/email.ts';
import { addToOutbox } from '../../platform/mail/store.ts';
import { belongingsOf } from '../../platform/parts.ts';
import type { Foundation, Platform } from '../../platform/platform.ts';
import { batchRows, type Expired } from '../../platform/retention/store.ts';
import { newUuid } from '../../platform/runtime.ts';
import type { Said, Sentence } from '../../platform/words.ts';
import { ok, type Result, refuse } from '../../result.ts';
import { eventOf, listMemberships, lockGroup } from '../groups/store.ts';
import { keepFormerName } from '../store.ts';
import { groups, memberships, users } from '../tables.ts';

declare module '../../platform/parts.ts' {
  interface PartData {
    readonly leaving?: Leaving;
  }
}

/** A part that is off has opened none of its capabilities. */
export type LeavingPlatform = Foundation & Pick<Platform, 'parts'> & Partial<Platform>;

/** Says what a part does when an account is deleted, also where the part is off (ADR 16). */
export interface Leaving {
  /** Lists what a deletion takes of what the account has, in a sentence each. */
  tell?(app: Pick<Platform, 'config' | 'db' | 'runtime'>, userId: number): Promise<readonly Said[]>;
  /** The email about a deletion says what ends now, and what ends later. */
  words?(db: Db, userId: number): Promise<{ readonly now: string; readonly later: string } | undefined>;
  /** Deletes accounts that end with something of the part; runs before the unfinished deletions. */
  deleteLeft?(
    app: LeavingPlatform,
    attempt: (userId: number, work: Promise<unknown>) => Promise<void>,
  ): Promise<void>;
  /** Ends what can take long, in bounded steps. */
  finish?(app: LeavingPlatform, userId: number, when: FinishingTime, signal?: AbortSignal): Promise<void>;
  /** Returns a condition on `users`: the part still needs the name and address. */
  needsName?(now: Date): SQL;
  /** This condition on `users` says that rows of the part still refer to the user. */
  readonly keepsRow?: SQL;
}

/** Someone waits for what is finished at once. */
export type FinishingTime = 'atOnce' | 'inRun';

/** The sentence names its number `count`. */
export function tellCount(text: Sentence, count: number): readonly Said[] {
  return count === 0 ? [] : [{ text, values: { count } }];
}

const isActiveAdmin = and(eq(users.isAdmin, true), isNull(users.suspendedAt));

function listOnlyOwned(db: Db, userId: number) {
  const another = sql`exists (
    select from ${memberships} as others
    where others.group_id = ${memberships.groupId} and others.user_id <> ${userId} and others.role = 'owner'
  )`;
  return db
    .select({ kind: groups.kind, id: groups.id, name: groups.name })
    .from(memberships)
    .innerJoin(groups, eq(groups.id, memberships.groupId))
    .where(and(eq(memberships.userId, userId), eq(memberships.role, 'owner'), sql`not ${another}`))
    .orderBy(asc(groups.name), asc(groups.id));
}

/** Finds what prevents a deletion, and counts the groups that lose the person. */
export async function findDeletionFacts(db: Db, userId: number) {
  const others = await db.$count(users, and(isActiveAdmin, ne(users.id, userId)));
  const isOwn = eq(users.id, userId);
  return {
    onlyOwned: await listOnlyOwned(db, userId),
    groups: await db.$count(memberships, eq(memberships.userId, userId)),
    isLastAdmin: others === 0 && (await db.$count(users, and(isActiveAdmin, isOwn))) > 0,
  };
}

export type DeletionRefusal = 'not_found' | 'last_admin' | 'only_owner';

/** Ends all that acts for the account, or could. Bookings and the row follow (ADR 16). */
export async function deleteAccount(
  { db, parts }: Pick<Platform, 'db' | 'parts'>,
  userId: number,
  notice: RenderedEmail,
  by: AuditContext,
): Promise<Result<void, DeletionRefusal>> {
  for (;;) {
    const deleted = await inTransaction<Result<void, DeletionRefusal> | 'joined_another'>(db, async (tx) => {
      // Groups are locked before accounts, as everywhere, so that owners stay the same.
      const joined = await listMemberships(tx, userId);
      // Groups are locked in this order, though nobody waits for each answer.
      const found = await together(joined.map(({ kind, id }) => lockGroup(tx, { kind, id })));
      const locked = new Map(
        found.flatMap((group) => (group === undefined ? [] : [[group.id, group] as const])),
      );
      const accounts = await tx
        .select()
        .from(users)
        .where(or(eq(users.id, userId), isActiveAdmin))
        .orderBy(asc(users.id))
        .for('no key update');
      const account = accounts.find(({ id }) => id === userId);
      if (account === undefined || account.managingClientId !== null || account.deletedAt !== null)
        return refuse('not_found');
      const isAdmin = account.isAdmin && account.suspendedAt === null;
      if (isAdmin && accounts.length === 1) return refuse('last_admin'); // protects: C92
      if ((await listOnlyOwned(tx, userId)).length > 0) return refuse('only_owner'); // protects: C92
      const left = await listMemberships(tx, userId);
      if (left.some(({ id }) => !locked.has(id))) return 'joined_another';

      const leaving = [...locked.values()].map((group) => eventOf('group.member_removed', group, userId));
      await recordAuditEvents(tx, by, [{ action: 'user.deleted', userId }, ...leaving]);
      await tx.delete(memberships).where(eq(memberships.userId, userId));
      if (account.username !== null)
        await keepFormerName(tx, { kind: 'user', id: userId }, account.username, by.at);
      await endAccount(tx, parts, userId, { username: null, isAdmin: false, ender: 'user' }, by);
      await addToOutbox(tx, [notice], by.at);
      return ok(undefined);
    });
    if (deleted !== 'joined_another') return deleted;
  }
}

const suspensionReason = 'This account was deleted.';

export async function endAccount(
  tx: Db,
  parts: Platform['parts'],
  userId: number,
  { ender, ...values }: { readonly ender: Ender } & Partial<typeof users.$inferInsert>,
  by: AuditContext,
): Promise<void> {
  for (const { onDeletion } of belongingsOf(parts)) await onDeletion?.(tx, userId, by, ender, parts);
  const ended = { deletedAt: by.at, suspendedAt: by.at, suspensionReason, ...values };
  await tx.update(users).set(ended).where(eq(users.id, userId));
}

/** No password has this hash. */
const erasedHash = `$argon2id$v=19$m=19456,t=2,p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`;

const maxAccounts = 20;
/** A small batch, since each row takes along all that refers to it. */
const maxDeleted = 100;

/** Lists in random order, so that no account waits for others. A client's users share one turn. */
export async function listUnfinishedDeletions(
  { db, parts }: Pick<Platform, 'db' | 'parts'>,
  now: Date,
): Promise<readonly { readonly userId: number }[]> {
  const isUnfinished = or(ne(users.passwordHash, erasedHash), ...needsName(parts, now));
  // protects: C129
  const turn = sql`row_number() over (
    partition by coalesce(${users.managingClientId}, ${users.id}::text) order by random()
  )`;
  return db
    .select({ userId: users.id })
    .from(users)
    .where(and(isNotNull(users.deletedAt), isUnfinished))
    .orderBy(turn, sql`random()`)
    .limit(maxAccounts);
}

export const leavingOf = ({ parts }: Pick<Platform, 'parts'>): readonly Leaving[] =>
  parts.flatMap(({ data }) => data?.leaving ?? []);

const needsName = (parts: Platform['parts'], now: Date): readonly SQL[] =>
  leavingOf({ parts }).flatMap((leaving) => leaving.needsName?.(now) ?? []);

/** Erases name and address, and returns true, once nothing needs them anymore. */
export async function eraseAccount(
  { db, runtime, parts }: Pick<Platform, 'db' | 'runtime' | 'parts'>,
  userId: number,
): Promise<boolean> {
  const erased = await db
    .update(users)
    .set({
      email: `${newUuid(runtime)}@deleted.invalid`,
      name: 'Deleted account',
      passwordHash: erasedHash,
      emailVerifiedAt: null,
      suspensionReason: null,
      timeZone: 'UTC',
      dateLocale: null,
      language: null,
      lastLanguage: null,
      weekStart: 'Monday',
      timeFormat: 24,
    })
    .where(
      and(
        eq(users.id, userId),
        isNotNull(users.deletedAt),
        ...needsName(parts, runtime.now()).map((isNeeded) => sql`not ${isNeeded}`),
      ),
    )
    .returning({ id: users.id });
  return erased.length > 0;
}

const keptDays = 30;

/** Holds once no link in an email about the deletion works anymore. */
export const isOver = (now: Date): SQL | undefined =>
  and(
    lte(users.deletedAt, new Date(now.getTime() - keptDays * 86_400_000)),
    eq(users.passwordHash, erasedHash),
  );

/** The deletion itself keeps its network and browser, for those who review a theft. */
const isPlaceOf = sql`(
    (${auditEvents.userId} = ${users.id} and (${auditEvents.actorId} is null or ${auditEvents.actorId} = ${users.id}))
    or (${auditEvents.actorId} = ${users.id} and ${isAboutAnother(auditEvents)})
  ) and num_nonnulls(${auditEvents.address}, ${auditEvents.userAgent}) > 0
  and ${auditEvents.action} not in ('user.deleted', 'managed_user.deleted')`;

/** Empties one batch, and returns its size. */
export async function forgetPlaces(db: Db, now: Date): Promise<number> {
  const places = sql`select ${auditEvents.id} from ${users} inner join ${auditEvents} on ${isPlaceOf}
    where ${isOver(now)} limit ${batchRows}`;
  const forgotten = await db
    .update(auditEvents)
    .set({ address: null, userAgent: null })
    .where(sql`${auditEvents.id} = any(array(${places}))`)
    .returning({ one: sql`1` });
  return forgotten.length;
}

/** Deletes accounts that have nothing left but what ends with the row, such as memberships. */
export function deletedAccounts(now: Date, _config: Platform['config'], parts: Platform['parts']): Expired {
  const kept = leavingOf({ parts }).flatMap(({ keepsRow }) => keepsRow ?? []);
  const isLeft = or(...kept, sql`exists (select from ${auditEvents} where ${isPlaceOf})`);
  const empty = sql`select ${users.id} from ${users}
    where ${isOver(now)} and not (${isLeft}) limit ${maxDeleted}`;
  return { table: users, isExpired: sql`${users.id} = any(array(${empty}))` };
}
