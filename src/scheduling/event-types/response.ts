import { z } from 'zod';
import { type BookingHosts, bookingUrlOf, type EventTypeOwner } from '../core/booking-url.ts';
import { schedulingTypes } from '../core/round-robin.ts';
import type { ShownEventType } from './store.ts';

/** Like Cal.com's version 2024-06-14. */
export const eventTypeAnswer = z
  .object({
    id: z.int(),
    ownerId: z.int().nullable().describe('The user who owns it; null for team event types.'),
    teamId: z.int().nullable().describe('The team that owns it; null for event types of users.'),
    title: z.string(),
    slug: z.string().describe('Part of the public URL.'),
    description: z.string(),
    lengthInMinutes: z.int(),
    hidden: z.boolean().describe('Whether it is hidden from public lists.'),
    bookingUrl: z.string().describe('Public booking page; empty if there is none.'),
    scheduleId: z.int().nullable().describe("The schedule it uses; null means the user's default."),
    beforeEventBuffer: z.int().describe('Minutes kept free before each booking.'),
    afterEventBuffer: z.int().describe('Minutes kept free after each booking.'),
    minimumBookingNotice: z.int().describe('Minimum minutes between booking and start.'),
    slotInterval: z.int().nullable().describe('Minutes from one slot to the next; null means the length.'),
    bookingWindow: z
      .union([
        z.object({ type: z.literal('calendarDays'), value: z.int().describe('Number of days.') }),
        z.object({ disabled: z.literal(true) }),
      ])
      .describe('How far ahead people can book.'),
    confirmationPolicy: z
      .union([z.object({ type: z.literal('always') }), z.object({ disabled: z.literal(true) })])
      .describe('Whether a host must confirm each booking.'),
    schedulingType: z
      .enum(schedulingTypes)
      .nullable()
      .describe(
        '`collective`: all hosts attend. `roundRobin`: hosts take turns. null for event types of users.',
      ),
    users: z
      .array(z.object({ id: z.int(), name: z.string(), username: z.string().nullable() }))
      .describe('The user who owns it; empty for team event types.'),
    hosts: z
      .array(
        z.object({
          userId: z.int().describe('The user ID of the host.'),
          name: z.string(),
          username: z.string().nullable(),
        }),
      )
      .describe('The members who host it; empty for event types of users.'),
    team: z
      .object({ id: z.int(), slug: z.string(), name: z.string() })
      .nullable()
      .describe('null for event types of users.'),
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

/** Whose public URL an event type has. */
export function ownerOf({ user, userOrganization, team, teamOrganization }: ShownEventType): EventTypeOwner {
  if (team !== null) return { kind: 'team', slug: team.slug, organization: teamOrganization ?? undefined };
  return {
    kind: 'user',
    username: user?.username ?? null,
    isManaged: typeof user?.managingClientId === 'string',
    organization: userOrganization ?? undefined,
  };
}
