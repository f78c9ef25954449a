import { expect, test } from 'vitest';
import { type Approval, decideAnswer } from '../../src/oauth/core/authorization.ts';

const support = { id: 3, slug: 'support', name: 'Support' };
const sales = { id: 4, slug: 'sales', name: 'Sales' };
const free: Approval = {
  codeChallenge: null,
  dpopJkt: null,
  scopes: ['PROFILE_READ'],
  resources: null,
  team: null,
};
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
    expect(decideAnswer(approval, [support, sales], { action: 'allow', teamSlug: slug })).toEqual({
      ok: true,
      value: team,
    });
  },
);

test.each(['strangers', 'Sales', '4', ''])(
  'a user cannot choose the team %j, which is none of theirs (contract §3)',
  (slug) => {
    const chosen = decideAnswer(free, [support, sales], { action: 'allow', teamSlug: slug });

    expect(chosen).toEqual({ ok: false, reason: 'team_not_found_or_no_access' });
  },
);

test.each([
  ['nothing', free, undefined],
  ['a team of theirs', free, 'sales'],
  ['a team of others', free, 'strangers'],
  ['a fixed team', fixed, undefined],
])('Deny with %s chosen is user_denied (contract §3)', (_, approval, teamSlug) => {
  const answer = decideAnswer(approval, [support, sales], { action: 'deny', teamSlug });

  expect(answer).toEqual({ ok: false, reason: 'user_denied' });
});
