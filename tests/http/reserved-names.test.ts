import { expect, test } from 'vitest';
import { isReservedName, ownPaths } from '../../src/accounts/fields.ts';
import { groupForms } from '../../src/accounts/groups/request.ts';
import { listRoutes } from '../support/routes.ts';
import { sharedService } from '../support/service.ts';

const service = await sharedService();

test("the first segment of every path of ours can't be a name (security C61)", () => {
  const segments = listRoutes(service.app).map(({ path }) => path.split('/')[1] ?? '');
  const named = new Set(segments.filter((segment) => segment !== '' && !segment.startsWith('{username}')));

  expect(named).toContain('invitations');
  expect([...named].filter((segment) => !ownPaths.includes(segment))).toEqual([]);
  expect(ownPaths.filter((path) => !isReservedName(path))).toEqual([]);
});

const trusted = ['account', 'admin', 'help', 'login', 'oauth', 'security', 'sign-in', 'support', 'www'];

test.each(trusted)('%s is reserved in usernames and in slugs of teams and organizations', (name) => {
  expect(isReservedName(name)).toBe(true);
  for (const form of [groupForms.team, groupForms.organization]) {
    const { error } = form.safeParse({ name: 'Named', slug: name });
    expect(error?.issues.map(({ message }) => message)).toEqual([
      'This address is reserved. Choose another.',
    ]);
  }
});
