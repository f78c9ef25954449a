import { randomBytes } from 'node:crypto';
import { addMember, createGroup } from '../../src/accounts/groups/store.ts';
import type { Role } from '../../src/accounts/person.ts';
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
  const id = await createGroup(
    service.database.db,
    { kind: 'team', ...team },
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
  await addMember(database.db, { kind: 'team', id: team.id }, user.id, role);
}
