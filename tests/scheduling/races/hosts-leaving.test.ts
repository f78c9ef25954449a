import { and, eq, inArray } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { memberships } from '../../../src/accounts/tables.ts';
import { eventTypeHosts } from '../../../src/scheduling/tables.ts';
import { callApi, represent } from '../../support/api.ts';
import { addTeamEventType } from '../../support/booking.ts';
import { readyForm } from '../../support/groups.ts';
import { openAnotherInstance, openTestService } from '../../support/service.ts';
import { addTeam, joinTeam } from '../../support/teams.ts';
import { addUser, signIn } from '../../support/world.ts';

const service = await openTestService();
const another = await openAnotherInstance(service);
const { db } = service.database;
const ann = await represent(service);

test.each([1, 2, 3, 4, 5, 6])(
  'members who leave while they are named as hosts are none in the end, and nothing fails, round %i',
  async () => {
    const team = await addTeam(service, ann.user);
    const leaving = await Promise.all(
      Array.from({ length: 4 }, async () => {
        const user = await addUser(service);
        await joinTeam(service, team, user, 'member');
        return user;
      }),
    );
    const { id } = await addTeamEventType(service, team, [ann.user, ...leaving]);
    const leaves = await Promise.all(
      leaving.map(async (user) =>
        readyForm(another, [`/settings/teams/${team.id}/leave`, {}], await signIn(service, user)),
      ),
    );
    const body = { hosts: [ann.user, ...leaving].map((user) => ({ userId: user.id })) };
    const name = () => callApi(service, 'PATCH', `/event-types/${id}`, { token: ann.token, body });

    const answers = await Promise.all([...leaves.flatMap((leave) => [leave(), name()]), name()]);

    const statuses = answers.map(({ statusCode }) => statusCode);
    expect(statuses.filter((status) => status === 303)).toHaveLength(4);
    expect(statuses.filter((status) => ![200, 303, 400].includes(status))).toEqual([]);
    const left = inArray(
      eventTypeHosts.userId,
      leaving.map((user) => user.id),
    );
    expect(await db.$count(eventTypeHosts, and(eq(eventTypeHosts.eventTypeId, id), left))).toBe(0);
    expect(await db.$count(memberships, eq(memberships.groupId, team.id))).toBe(1);
  },
);
