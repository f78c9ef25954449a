import { z } from 'zod';
import {
  countPeople,
  findOwnGroup,
  listMembers,
  listOwnGroups,
  type NamedMember,
  type OwnGroup,
} from '../../accounts/groups/store.ts';
import { isManagingRole, type Role } from '../../accounts/person.ts';
import { pageQuery } from '../../v2/input.ts';
import {
  exampleNull,
  exampleText,
  exampleUsername,
  operationsOf,
  operationsPlugin,
  pageOf,
  showPage,
  showPart,
  successOf,
} from '../../v2/operation.ts';
import {
  mayManageTeam,
  teamParams as params,
  principalOf,
  sendNoSuchTeam,
} from '../../v2/principals/scope.ts';
import type { Principal } from '../../v2/principals/store.ts';
import { listBookingsCounted } from '../bookings/list/store.ts';
import { bookingFilters } from '../bookings/request.ts';
import { bookingAnswer, showBooking } from '../bookings/response.ts';
import { bookingFamily } from '../bookings/routes.ts';
import { scheduleAnswer, scheduleFamily, showSchedule } from '../schedules/routes.ts';
import { listSchedules } from '../schedules/store.ts';

const teamFamily = {
  name: 'Teams',
  place: 40,
  version: '2024-04-15',
  words: 'Teams of the user, their members, bookings and hours.',
} as const;
const read = operationsOf(teamFamily, { scope: 'PROFILE_READ' });
const readBookings = operationsOf(bookingFamily, { scope: 'BOOKING_READ' });
const readSchedules = operationsOf(scheduleFamily, { scope: 'SCHEDULE_READ' });
const page = z.object(pageQuery);
const errors = { 404: 'Team not found, or the user is not a member.' };

const roleNames = { owner: 'OWNER', admin: 'ADMIN', member: 'MEMBER' } as const satisfies Record<
  Role,
  string
>;
const role = z.enum(['OWNER', 'ADMIN', 'MEMBER']);

const teamAnswer = z
  .object({
    id: z.int(),
    name: exampleText('Sales'),
    slug: exampleText('sales').describe('Part of the public URL.'),
    role: role.describe('What the user is in the team.'),
    parentId: exampleNull(z.int()).describe('The organization the team belongs to, or null.'),
    isOrganization: z.literal(false).describe('Always false.'),
  })
  .meta({ id: 'Team' });

const membershipAnswer = z
  .object({
    id: z.int().describe('The same as `userId`.'),
    userId: z.int().describe('For `hosts` of team event types.'),
    teamId: z.int().describe('The team.'),
    role: role.describe('What the member may do in the team.'),
    accepted: z.literal(true).describe('Always true: open invitations aren’t listed.'),
    user: z
      .object({
        name: exampleText('Ann Smith'),
        username: exampleUsername.describe('null: no public booking page.'),
        email: exampleText('ann@example.com').describe(
          'For owners and admins of the team; empty for others.',
        ),
      })
      .describe('The member.'),
  })
  .meta({ id: 'TeamMembership' });

export const teamsApiPlugin = operationsPlugin('teams-api', 'requests', async (app) => {
  const { db } = app;

  app.get(
    '/teams',
    read('listTeams', 'List teams', pageOf(teamAnswer), {
      querystring: page,
      description: 'The teams that the user is a member of, by name; or the one that the token is for.',
    }),
    async (request, reply) => {
      const { userId, teamId } = principalOf(request);
      const own = await listOwnGroups(db, 'team', userId);
      const visible = own.filter(({ id }) => teamId === null || teamId === id);
      return reply.send(showPart(visible.map(showTeam), request.query));
    },
  );

  app.get(
    '/teams/:teamId',
    read('getTeam', 'Get a team', successOf(teamAnswer), { params, errors }),
    async (request, reply) => {
      const team = await findTeam(principalOf(request), request.params.teamId);
      if (team === undefined) return sendNoSuchTeam(reply);
      return reply.send({ status: 'success', data: showTeam(team) });
    },
  );

  app.get(
    '/teams/:teamId/memberships',
    read('listTeamMemberships', 'List memberships of a team', pageOf(membershipAnswer), {
      params,
      querystring: page,
      description:
        'Owners first, members last, each by name. Managed users aren’t listed. Only owners and admins get email addresses.',
      differences: { refused: { emails: ['All members are listed.'] } },
      errors,
    }),
    async (request, reply) => {
      const team = await findTeam(principalOf(request), request.params.teamId);
      if (team === undefined) return sendNoSuchTeam(reply);
      const group = { kind: 'team', id: team.id } as const;
      const [members, total] = await Promise.all([
        listMembers(db, group, request.query),
        countPeople(db, group),
      ]);
      const shown = members.map((member) => showMembership(team, member));
      return reply.send(showPage(shown, total, request.query));
    },
  );

  app.get(
    '/teams/:teamId/bookings',
    readBookings('listTeamBookings', 'List bookings of a team', pageOf(bookingAnswer), {
      turn: 'long',
      params,
      querystring: bookingFilters,
      description: 'Only for owners and admins of the team. Filters as in `GET /v2/bookings`.',
      errors,
    }),
    async (request, reply) => {
      const { params: team, query } = request;
      if (!(await mayManageTeam(reply, team.teamId))) return reply;
      const { bookings, total } = await listBookingsCounted(db, team, query, app.runtime.now());
      return reply.send(showPage(bookings.map(showBooking), total, query));
    },
  );

  app.get(
    '/teams/:teamId/schedules',
    readSchedules('listTeamSchedules', 'List schedules of a team', pageOf(scheduleAnswer), {
      turn: 'long',
      params,
      querystring: page,
      description:
        'The default schedules of its members, which the team’s event types use; members without one have Monday to Friday, 9:00 to 17:00. Only for owners and admins of the team.',
      differences: { refused: { eventTypeId: ['The schedules of all members are listed.'] } },
      errors,
    }),
    async (request, reply) => {
      const { teamId } = request.params;
      if (!(await mayManageTeam(reply, teamId))) return reply;
      const { found, total } = await listSchedules(db, { teamId }, request.query);
      return reply.send(showPage(found.map(showSchedule), total, request.query));
    },
  );

  async function findTeam({ userId, teamId }: Principal, id: number): Promise<OwnGroup | undefined> {
    return teamId === null || teamId === id ? findOwnGroup(db, { kind: 'team', id }, userId) : undefined;
  }
});

function showTeam({ id, name, slug, role: held, organization }: OwnGroup): z.output<typeof teamAnswer> {
  const parentId = organization?.id ?? null;
  return { id, name, slug, role: roleNames[held], parentId, isOrganization: false };
}

function showMembership(
  team: OwnGroup,
  { id, name, username, email, role: held }: NamedMember,
): z.output<typeof membershipAnswer> {
  const user = { name, username, email: isManagingRole(team.role) ? email : '' };
  return { id, userId: id, teamId: team.id, role: roleNames[held], accepted: true, user };
}
