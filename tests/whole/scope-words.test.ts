import { expect, test } from 'vitest';
import { describePermissions } from '../../src/oauth/permissions.ts';
import { represent } from '../support/api.ts';
import { decide, openDecision, requestOf } from '../support/authorization.ts';
import { fetchDocument, listOperations } from '../support/document.ts';
import { textOf } from '../support/page-content.ts';
import { scopeNames } from '../support/scopes.ts';
import { openTestService } from '../support/service.ts';
import { addTeam } from '../support/teams.ts';
import { addClient, addUser, openAuthorizePage, startSession } from '../support/world.ts';

const service = await openTestService();
const { permissions } = service.app;
const guarded = listOperations(await fetchDocument(service.app)).filter(({ operation: { security } }) =>
  security.some(({ oauth2 = [] }) => oauth2.length > 0),
);

/** What an operation shows, and the words that say so; the first that fits counts. */
const subjects = [
  [/webhooks/, /webhooks/],
  [/event-types/, /event types/],
  [/bookings/, /(?:your|the) bookings(?! to)/],
  [/\/teams\/\{teamId\}\/schedules/, /schedules|working hours of the members/],
  [/schedules/, /your schedules/],
  [/calendars/, /calendars/],
  [/\/teams/, /with their members|and the members/],
  [/\/me$/, /^See your (?:name|profile)/m],
  [/\/userinfo/, /sign you in/],
] as const;

/** Others are said by the first word of their path. */
const wordsFor = (path: string): RegExp =>
  subjects.find(([place]) => place.test(path))?.[1] ?? new RegExp(path.split('/')[2] ?? '^$');

const verbs: Readonly<Record<string, 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'>> = {
  get: 'GET',
  post: 'POST',
  put: 'PUT',
  patch: 'PATCH',
  delete: 'DELETE',
};

/** Sends nothing right but the team, so that only the token decides whether it is let in. */
async function isOpen(
  { method, path }: (typeof guarded)[number],
  token: string,
  teamId: number,
): Promise<boolean> {
  const url = path.replaceAll('{teamId}', String(teamId)).replaceAll(/\{\w+\}/g, '0');
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const sent = { ...(method !== 'get' && { body: '[]' }) };
  const answer = await service.app.inject({ method: verbs[method] ?? 'GET', url, headers, ...sent });
  return answer.statusCode !== 403 && answer.statusCode !== 401;
}

test.each(
  [...scopeNames, 'openid'].flatMap((scope) =>
    (['person', 'team'] as const).map((account) => [scope, account] as const),
  ),
)(
  '%s of a %s opens what its words say, and its words say what it opens (contract §6)',
  async (scope, account) => {
    const user = await addUser(service);
    const team = await addTeam(service, user);
    const scopes = scope === 'openid' ? ['openid', 'profile', 'email'] : [scope];
    const { token } = await represent(service, {
      user,
      scopes,
      ...(account === 'team' && { teamSlug: team.slug }),
    });
    const said = describePermissions(permissions, scopes, account).join('\n');

    const opened: (typeof guarded)[number][] = [];
    for (const operation of guarded) if (await isOpen(operation, token, team.id)) opened.push(operation);

    const unsaid = opened.filter(({ path }) => !wordsFor(path).test(said));
    expect(
      unsaid.map(({ method, path }) => `${method} ${path}`),
      said,
    ).toEqual([]);
    const isSaidToChange = /create|change your name|disconnect/.test(said);
    expect(
      opened.some(({ method, path }) => method !== 'get' && !path.endsWith('/userinfo')),
      said,
    ).toBe(isSaidToChange);
    const empty = subjects.filter(
      ([, words]) => words.test(said) && !opened.some(({ path }) => wordsFor(path) === words),
    );
    expect(empty.map(([place]) => place.source)).toEqual([]);
  },
);

test('the page has the words of a person and of a team, and shows those of the chosen one', async () => {
  const user = await addUser(service);
  const team = await addTeam(service, user, 'owner', 'Garden Club');
  const cookie = await startSession(service, user);
  const client = await addClient(service, { scopes: ['BOOKING_READ'] });

  const free = textOf((await openAuthorizePage(service, requestOf(client), cookie)).body);
  const fixed = textOf(
    (await openAuthorizePage(service, requestOf(client, { team_slug: team.slug }), cookie)).body,
  );

  expect(free).toContain('This includes the teams that you manage: Garden Club.');
  for (const text of [free, fixed])
    expect(text).toContain(
      'See the bookings of the team, with the names, email addresses and answers of people who book it',
    );
  expect(free).toContain('See your bookings, with the names');
  expect(fixed).not.toContain('See your bookings');
  expect(fixed).toContain('See or change your own bookings, schedules and calendars');
});

test('an app that only signs in offers no team, and gets none that is sent (contract §3)', async () => {
  const user = await addUser(service);
  const team = await addTeam(service, user);
  const cookie = await startSession(service, user);
  const client = await addClient(service, { scopes: ['openid', 'profile'] });

  const page = await openAuthorizePage(service, requestOf(client), cookie);
  const form = await openDecision(service, requestOf(client), cookie);

  expect(page.body).not.toContain('name="account"');
  const answer = await decide(service, { ...form, account: team.slug }, 'allow', cookie);
  expect(String(answer.headers.location)).toContain('error=access_denied');
});
