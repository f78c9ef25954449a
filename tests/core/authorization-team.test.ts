import { expect, test } from 'vitest';
import { type Approval, chooseTeam } from '../../src/oauth/core/authorization.ts';

const support = { id: 3, slug: 'support', name: 'Support' };
const sales = { id: 4, slug: 'sales', name: 'Sales' };
const free: Approval = { codeChallenge: null, scopes: null, team: null };
const fixed: Approval = { ...free, team: support };

test.each([
  ['nothing, where nothing is fixed', free, undefined, null],
  ['a team of theirs', free, 'sales', sales],
  ['nothing, where a team is fixed', fixed, undefined, support],
  ['the fixed team', fixed, 'support', support],
  ['another team of theirs, where one is fixed', fixed, 'sales', support],
  ['a team of others, where one is fixed', fixed, 'strangers', support],
])(
  'a user who chooses %s lets the client act for that, or for what is fixed (contract §3)',
  (_, approval, slug, team) => {
    expect(chooseTeam(approval, [support, sales], slug)).toEqual({ ok: true, value: team });
  },
);

test.each(['strangers', 'Sales', '4', ''])(
  'a user cannot choose the team %j, which is none of theirs (contract §3)',
  (slug) => {
    const chosen = chooseTeam(free, [support, sales], slug);

    expect(chosen).toEqual({ ok: false, reason: 'team_not_found_or_no_access' });
  },
);
