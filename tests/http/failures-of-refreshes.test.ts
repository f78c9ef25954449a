import { eq } from 'drizzle-orm';
import { test } from 'vitest';
import { memberships } from '../../src/accounts/tables.ts';
import { type ExplainedFailure, expectExplained, type Fail } from '../support/explained-failures.ts';
import { openTestService } from '../support/service.ts';
import { addTeam } from '../support/teams.ts';
import { issueCode, issueTokens, refreshFields, revoke, rotate } from '../support/tokens.ts';
import {
  addClient,
  addUser,
  connect,
  refresh,
  requestToken,
  signIn,
  type TestClient,
} from '../support/world.ts';

const service = await openTestService();
const { clock } = service;

const day = 86_400;

/** A refresh with a token of which `spend` has made something. */
const refreshAfter =
  (spend: (client: TestClient) => Promise<string>): Fail =>
  async (_service, client) =>
    refresh(service, client, await spend(client));

const refreshRows: readonly ExplainedFailure[] = [
  {
    name: 'a spent token',
    fail: refreshAfter(async (client) => {
      const first = await issueTokens(service, client);
      await rotate(service, client, await rotate(service, client, first));
      clock.advance(300);
      return first.refresh_token;
    }),
    error: 'invalid_refresh_token',
    wrong: /2 newer tokens have followed it, the last 5 minutes before.*the permission was revoked/,
    toDo: /one process at a time/,
  },
  {
    name: 'a token of a permission that theft has ended',
    fail: refreshAfter(async (client) => {
      const first = await issueTokens(service, client);
      await rotate(service, client, await rotate(service, client, first));
      await refresh(service, client, first.refresh_token);
      clock.advance(5);
      return first.refresh_token;
    }),
    error: 'invalid_refresh_token',
    wrong: /5 seconds before this request, by us, because a refresh token that was spent/,
    toDo: /one process at a time/,
  },
  {
    name: 'a token that the client has revoked',
    fail: refreshAfter(async (client) => {
      const tokens = await issueTokens(service, client);
      await revoke(service, client, tokens.refresh_token);
      return tokens.refresh_token;
    }),
    error: 'invalid_refresh_token',
    wrong: /by your app itself, at the revocation endpoint/,
    toDo: /authorization page again/,
  },
  {
    name: 'a token that was not used for long',
    fail: refreshAfter(async (client) => {
      const tokens = await issueTokens(service, client);
      clock.advance(30 * day);
      return tokens.refresh_token;
    }),
    error: 'invalid_refresh_token',
    wrong: /was not used for 30 days/,
    toDo: /refresh now and then/,
  },
  {
    name: 'a token of a permission that is too old',
    fail: refreshAfter(async (client) => {
      const tokens = await issueTokens(service, client);
      clock.advance(365 * day);
      return tokens.refresh_token;
    }),
    error: 'invalid_refresh_token',
    wrong: /older than 365 days/,
    toDo: /authorization page again/,
  },
  {
    name: 'a token of another client',
    fail: async (service, client) => {
      const tokens = await issueTokens(service, await addClient(service));
      return refresh(service, client, tokens.refresh_token);
    },
    error: 'invalid_refresh_token',
    wrong: /^The refresh token was issued to another client.$/,
    toDo: /client ID with which/,
  },
  {
    name: 'an access token',
    fail: refreshAfter(async (client) => (await issueTokens(service, client)).access_token),
    error: 'invalid_refresh_token',
    wrong: /not a refresh token of ours: the request had an access token/,
    toDo: /begins with lkr_/,
  },
  {
    name: 'a code',
    fail: refreshAfter(async (client) => String((await issueCode(service, client))['code'])),
    error: 'invalid_refresh_token',
    wrong: /had an authorization code of ours/,
    toDo: /begins with lkr_/,
  },
  {
    name: 'a token for a team that the person has left',
    fail: async (service, client) => {
      const person = await addUser(service);
      const team = await addTeam(service, person);
      const tokens = await connect(service, client, await signIn(service, person), { team_slug: team.slug });
      await service.database.db.delete(memberships).where(eq(memberships.teamId, team.id));
      return refresh(service, client, tokens.refresh_token);
    },
    error: 'invalid_refresh_token',
    wrong: /a team that the person neither owns nor administers any more/,
    toDo: /owner or admin of the team/,
  },
  {
    name: 'a scope that is too wide',
    options: { scopes: ['PROFILE_READ'] },
    fail: async (service, client) => {
      const tokens = await issueTokens(service, client);
      const request = { ...refreshFields(client, tokens.refresh_token), scope: 'BOOKING_READ everything' };
      return requestToken(service, request);
    },
    error: 'scope_exceeds_grant',
    wrong: /Not allowed: BOOKING_READ. It has at least one name that is no scope/,
    toDo: /ask for less: PROFILE_READ/,
  },
  {
    name: 'a flood of refreshes',
    fail: async (service, client) => {
      const tokens = await issueTokens(service, client);
      for (let sent = 0; sent < 700; sent += 1) {
        const answer = await refresh(service, client, tokens.refresh_token);
        if (answer.statusCode === 429) return answer;
      }
      throw new Error('nothing was limited');
    },
    error: 'too many requests',
    wrong: /Too many requests came for the same permission/,
    toDo: /until it expires/,
  },
];

test.each(refreshRows)('a refresh failed with $name: its owner reads why (contract §4)', (row) =>
  expectExplained(service, row),
);
