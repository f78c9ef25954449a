import { z } from 'zod';
import { type BookingHosts, bookingUrlOf, type EventTypeOwner } from '../core/booking-url.ts';
import { schedulingTypes } from '../core/event-type.ts';
import type { ShownEventType } from './store.ts';

/** An event type as the API shows it, in the manner of Cal.com's version 2024-06-14. */
export const eventTypeAnswer = z
  .object({
    id: z.int(),
    ownerId: z.int().nullable().describe('The user whose it is; null for a team’s.'),
    teamId: z.int().nullable().describe('The team whose it is; null for a user’s.'),
    title: z.string(),
    slug: z.string().describe('Part of its public address.'),
    description: z.string(),
    lengthInMinutes: z.int(),
    hidden: z.boolean().describe('Whether it is left out of public lists.'),
    bookingUrl: z.string().describe('Where people book it; empty when there is no public page.'),
    scheduleId: z.int().nullable().describe('The schedule it goes by; null: the user’s default one.'),
    beforeEventBuffer: z.int().describe('Minutes that are kept free before.'),
    afterEventBuffer: z.int().describe('Minutes that are kept free after.'),
    minimumBookingNotice: z.int().describe('Minutes between a booking and its start.'),
    slotInterval: z.int().nullable().describe('Minutes from one slot to the next; null: the length.'),
    bookingWindow: z
      .union([
        z.object({ type: z.literal('calendarDays'), value: z.int().describe('How many days.') }),
        z.object({ disabled: z.literal(true) }),
      ])
      .describe('How far ahead people may book.'),
    confirmationPolicy: z
      .union([z.object({ type: z.literal('always') }), z.object({ disabled: z.literal(true) })])
      .describe('Whether a host confirms each booking first.'),
    schedulingType: z
      .enum(schedulingTypes)
      .nullable()
      .describe('collective: all hosts take part. roundRobin: the hosts take turns. null for a user’s.'),
    users: z
      .array(z.object({ id: z.int(), name: z.string(), username: z.string().nullable() }))
      .describe('The user whose it is; empty for a team’s.'),
    hosts: z
      .array(
        z.object({
          userId: z.int().describe('The host.'),
          name: z.string(),
          username: z.string().nullable(),
        }),
      )
      .describe('The members of the team who can be booked; empty for a user’s.'),
    team: z
      .object({ id: z.int(), slug: z.string(), name: z.string() })
      .nullable()
      .describe('null for a user’s.'),
    createdAt: z.iso.datetime(),
  })
  .meta({
    id: 'EventType',
    examples: [
      {
        id: 42,
        ownerId: 42,
        teamId: null,
        title: '30 minutes',
        slug: '30min',
        description: '',
        lengthInMinutes: 30,
        hidden: false,
        bookingUrl: 'https://cal.example/ann/30min',
        scheduleId: null,
        beforeEventBuffer: 0,
        afterEventBuffer: 10,
        minimumBookingNotice: 120,
        slotInterval: null,
        bookingWindow: { type: 'calendarDays', value: 30 },
        confirmationPolicy: { disabled: true },
        schedulingType: null,
        users: [{ id: 42, name: 'Ann Smith', username: 'ann' }],
        hosts: [],
        team: null,
        createdAt: '2030-01-02T12:00:00.000Z',
      },
    ],
  });

/** The answer for an event type. */
export function showEventType(found: ShownEventType, hosts: BookingHosts): z.output<typeof eventTypeAnswer> {
  const { eventType, user, team } = found;
  const {
    bookingWindowDays,
    requiresConfirmation,
    userId,
    createdAt,
    updatedAt: _updatedAt,
    ...shared
  } = eventType;
  return {
    ...shared,
    ownerId: userId,
    bookingUrl: bookingUrlOf(ownerOf(found), eventType.slug, hosts),
    bookingWindow:
      bookingWindowDays === null ? { disabled: true } : { type: 'calendarDays', value: bookingWindowDays },
    confirmationPolicy: requiresConfirmation ? { type: 'always' } : { disabled: true },
    users: user === null ? [] : [{ id: user.id, name: user.name, username: user.username }],
    hosts: [...found.hosts],
    team: team === null ? null : { id: team.id, slug: team.slug, name: team.name },
    createdAt: createdAt.toISOString(),
  };
}

/** Whose public address an event type has. */
export function ownerOf({ user, userOrganization, team, teamOrganization }: ShownEventType): EventTypeOwner {
  if (team !== null) return { kind: 'team', slug: team.slug, organization: teamOrganization ?? undefined };
  return {
    kind: 'user',
    username: user?.username ?? null,
    isManaged: typeof user?.managingClientId === 'string',
    organization: userOrganization ?? undefined,
  };
}
