import { and, eq, inArray, isNull, or, sql } from 'drizzle-orm';
import { managingRoles } from '../../accounts/person.ts';
import { memberships, users } from '../../accounts/tables.ts';
import type { AccessChange, AccessEvent, AccessListener } from '../../oauth/access-events.ts';
import type { Lifetimes } from '../../oauth/core/grant.ts';
import { allowOneOf, hasAccess, isStanding, type Moment, whenRun } from '../../oauth/standing.ts';
import { clients, grants } from '../../oauth/tables.ts';
import type { Db } from '../../platform/database.ts';
import { prepared } from '../../platform/prepared.ts';
import type { BookingNews, BookingTrigger, Concerned, TopicEvent } from '../../v2/booking-events.ts';
import type { Webhook } from '../store.ts';
import { webhookDeliveries, webhookEvents, webhooks } from '../tables.ts';
import type { WebhookTrigger } from '../webhook.ts';

const mayReadBookings = allowOneOf('BOOKING_READ', 'BOOKING_WRITE');
const mayReadWebhooks = allowOneOf('WEBHOOK_READ', 'WEBHOOK_WRITE');

/** Behind an `or`, the planner answers `exists` by hashing all rows, so there is none. */
const isOfAcceptedApp = sql`coalesce((
  select ${clients.status} = 'accepted' from ${clients} where ${clients.id} = ${webhooks.clientId}
), false)`;

/** A grant for another team doesn't cover a team's webhook. */
const isForOwner = sql`(${grants.teamId} is null or ${grants.teamId} = ${webhooks.teamId})`;

/** Owner and maker must be in good standing, and the app must still have access. */
export const isHeard = (moment: Moment) =>
  and(
    eq(webhooks.active, true),
    or(
      isNull(webhooks.userId),
      sql`(select ${users.suspendedAt} is null from ${users} where ${users.id} = ${webhooks.userId})`,
    ),
    or(isNull(webhooks.clientId), isOfAcceptedApp),
    or(
      isNull(webhooks.teamId),
      isNull(webhooks.makerId), // protects: C127
      // protects: C127
      sql`coalesce((
        select ${inArray(memberships.role, [...managingRoles])} and ${users.suspendedAt} is null
        from ${memberships} inner join ${users} on ${users.id} = ${memberships.userId}
        where ${memberships.groupId} = ${webhooks.teamId} and ${memberships.userId} = ${webhooks.makerId}
      ), false)`,
    ),
    or(
      isNull(webhooks.appId),
      // protects: C135
      hasAccess(webhooks.makerId, webhooks.appId, moment, and(isForOwner, mayReadWebhooks)),
    ),
  );

/** Returns by id whether a webhook hears, and the app that made it, if that exists. */
export async function findSources(db: Db, all: readonly Pick<Webhook, 'id'>[], moment: Moment) {
  const found = await db
    .select({ id: webhooks.id, isHeard: sql<boolean>`${isHeard(moment)}`, appName: clients.name })
    .from(webhooks)
    .leftJoin(clients, eq(clients.id, webhooks.appId))
    .where(
      inArray(
        webhooks.id,
        all.map(({ id }) => id),
      ),
    );
  return new Map(found.map(({ id, ...source }) => [id, source]));
}

export type WebhookSource = NonNullable<ReturnType<Awaited<ReturnType<typeof findSources>>['get']>>;

/** Locks the webhooks of hosts, team and apps until the transaction ends. */
export async function findListeners(
  tx: Db,
  triggers: readonly BookingTrigger[],
  { hostIds, teamId, eventTypeId }: Concerned,
  lifetimes: Lifetimes,
  now: Date,
): Promise<readonly Pick<Webhook, 'id' | 'triggers'>[]> {
  const concerned = { hostIds: `{${hostIds.join()}}`, teamId, eventTypeId };
  return listeners(tx).execute({
    ...lifetimes,
    ...concerned,
    triggers: `{${triggers.join()}}`,
    now: now.toISOString(),
  });
}

const listeners = prepared((db) => {
  const hostIds = sql`${sql.placeholder('hostIds')}::int[]`;
  const [teamId, eventTypeId] = [
    sql`${sql.placeholder('teamId')}::int`,
    sql`${sql.placeholder('eventTypeId')}::int`,
  ];
  const managing = sql`select ${users.managingClientId} from ${users} where ${users.id} = any(${hostIds})`;
  const isAbout = sql`(${grants.userId} = any(${hostIds}) and ${grants.teamId} is null or ${grants.teamId} = ${teamId})`;
  const approved = sql`select ${grants.clientId} from ${grants} inner join ${clients} on ${clients.id} = ${grants.clientId}
    where ${isStanding(isAbout, whenRun)} and ${mayReadBookings}`;
  return (
    db
      .select({ id: webhooks.id, triggers: webhooks.triggers })
      .from(webhooks)
      .where(
        and(
          sql`(${webhooks.userId} = any(${hostIds}) or ${webhooks.teamId} = ${teamId}
            or ${webhooks.clientId} = any(array(${managing})) or ${webhooks.clientId} = any(array(${approved})))`,
          // protects: C105
          sql`(${webhooks.eventTypeId} is null or ${webhooks.eventTypeId} = ${eventTypeId})`,
          sql`${webhooks.triggers} && ${sql.placeholder('triggers')}::text[]`,
          isHeard(whenRun),
        ),
      )
      // A webhook that is deleted meanwhile would take the booking with it.
      .for('key share', { of: webhooks })
      .prepare('listeners')
  );
});

/** A booking that no webhook hears of costs one statement. */
export async function addBookingEvents(
  tx: Db,
  lifetimes: Lifetimes,
  { triggers, concerned, tell }: BookingNews,
  now: Date,
): Promise<boolean> {
  const heard = await findListeners(tx, triggers, concerned, lifetimes, now);
  const told = heard.length === 0 ? undefined : await tell();
  if (told === undefined) return false;
  for (const trigger of triggers) {
    const ids = heard.filter((one) => one.triggers.includes(trigger)).map(({ id }) => id);
    await addEvent(tx, { trigger, ...told }, ids, now);
  }
  return true;
}

interface NewEvent extends TopicEvent {
  readonly trigger: WebhookTrigger;
}

/**
 * Call it in the transaction of what the event is about, so that none is lost and none is about
 * nothing.
 */
export async function addEvent(
  tx: Db,
  { trigger, topic, payload }: NewEvent,
  webhookIds: readonly string[],
  now: Date,
): Promise<void> {
  if (webhookIds.length === 0) return;
  const body = JSON.stringify({ triggerEvent: trigger, createdAt: now, payload });
  const [event] = await tx
    .insert(webhookEvents)
    .values({ trigger, body, createdAt: now })
    .returning({ id: webhookEvents.id });
  if (event === undefined) throw new Error('the event was not inserted');
  const times = { createdAt: now, dueAt: now, giveUpAt: giveUpAtFrom(now) };
  await tx
    .insert(webhookDeliveries)
    .values(webhookIds.map((webhookId) => ({ webhookId, eventId: event.id, topic, ...times })));
}

async function addAccessEvents(tx: Db, trigger: AccessEvent, changes: readonly AccessChange[], now: Date) {
  const concerned = [...new Set(changes.map(({ clientId }) => clientId))];
  const listeners = await tx
    .select({ id: webhooks.id, clientId: webhooks.clientId })
    .from(webhooks)
    .where(
      and(
        inArray(webhooks.clientId, concerned),
        sql`${trigger} = any(${webhooks.triggers})`,
        eq(webhooks.active, true),
        isOfAcceptedApp,
      ),
    )
    .for('key share', { of: webhooks });
  for (const payload of changes) {
    const ids = listeners.filter(({ clientId }) => clientId === payload.clientId).map(({ id }) => id);
    await addEvent(tx, { trigger, topic: `access of ${payload.userId}`, payload }, ids, now);
  }
}

export const accessListener: AccessListener = {
  hearsOf: sql`exists (select from ${webhooks} as hooks where hooks.client_id = ${clients}.id)`,
  tell: addAccessEvents,
};

const giveUpHours = 24;

export function giveUpAtFrom(now: Date): Date {
  return new Date(now.getTime() + giveUpHours * 3_600_000);
}
