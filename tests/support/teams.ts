import { randomBytes } from 'node:crypto';
import type { Role } from '../../src/accounts/person.ts';
import { memberships } from '../../src/accounts/tables.ts';
import { createTeam } from '../../src/accounts/teams/store.ts';
import type { TestService } from './service.ts';
import type { TestUser } from './world.ts';

export interface TestTeam {
  readonly id: number;
  readonly slug: string;
  readonly name: string;
}

/** A team that the user belongs to. */
export async function addTeam(
  service: TestService,
  user: TestUser,
  role: Role = 'owner',
  name = 'Test team',
): Promise<TestTeam> {
  const team = { slug: `team-${randomBytes(6).toString('hex')}`, name };
  const { id } = await createTeam(
    service.database.db,
    team,
    [{ userId: user.id, role }],
    service.clock.now(),
  );
  return { ...team, id };
}

/** One more member of a team. */
export async function joinTeam(
  { database }: TestService,
  team: TestTeam,
  user: TestUser,
  role: Role,
): Promise<void> {
  await database.db.insert(memberships).values({ teamId: team.id, userId: user.id, role });
}
