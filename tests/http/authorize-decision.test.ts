import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { clients } from '../../src/oauth/tables.ts';
import {
  type AuthorizationFields,
  decide,
  expectOutdated,
  openDecision,
  requestOf,
} from '../support/authorization.ts';
import { sharedService } from '../support/service.ts';
import { addTeam } from '../support/teams.ts';
import { grantsOf } from '../support/tokens.ts';
import { addClient, addUser, authorizePath, createPkce, postForm, startSession } from '../support/world.ts';

const service = await sharedService();
const user = await addUser(service);
const cookie = await startSession(service, user);
const team = await addTeam(service, user);
const otherTeam = await addTeam(service, user, 'admin');
const { challenge } = createPkce();
const redirectUris = ['https://app.example/a', 'https://app.example/b'] as const;
const scopes = ['PROFILE_READ', 'BOOKING_READ'] as const;

describe('a decision is bound to the request that was shown (contract §3, security C28)', async () => {
  const client = await addClient(service, { redirectUris: [...redirectUris], scopes });
  const twin = await addClient(service, { redirectUris: [...redirectUris], scopes });
  const shown = requestOf(client, {
    state: 'shown',
    scope: 'PROFILE_READ',
    code_challenge: challenge,
    team_slug: team.slug,
  });

  test.each<[string, AuthorizationFields]>([
    ['a wider scope', { scope: 'PROFILE_READ PROFILE_WRITE' }],
    ['another scope', { scope: 'PROFILE_WRITE' }],
    ['no scope', { scope: '' }],
    ['another redirect_uri', { redirect_uri: redirectUris[1] }],
    ['another client_id', { client_id: twin.id }],
    ['another state', { state: 'other' }],
    ['no state', { state: '' }],
    ['another code_challenge', { code_challenge: createPkce().challenge }],
    ['no code_challenge', { code_challenge: '' }],
    ['a code_challenge_method', { code_challenge_method: 'S256' }],
    ['a response_type', { response_type: 'code' }],
    ['another team_slug', { team_slug: otherTeam.slug }],
    ['no team_slug', { team_slug: '' }],
  ])('%s is refused', async (_name, changes) => {
    const form = await openDecision(service, shown, cookie);

    const answer = await decide(service, { ...form, ...changes }, 'allow', cookie);

    expectOutdated(answer);
    expect(await grantsOf(service, client)).toEqual([]);
    expect(await grantsOf(service, twin)).toEqual([]);
  });

  test.each<[string, (decision: string) => string]>([
    ['no', () => ''],
    ['a made-up', () => Buffer.alloc(56).toString('base64url')],
    ['a cut', (decision) => decision.slice(0, -4)],
    ['a lengthened', (decision) => `${decision}AAAA`],
    ['an altered', (decision) => `${decision.startsWith('A') ? 'B' : 'A'}${decision.slice(1)}`],
    ['a head without its MAC', (decision) => decision.slice(0, 32)],
    ['a doubled', (decision) => `${decision}${decision}`],
  ])('%s decision is refused', async (_name, spoil) => {
    const { decision = '', ...form } = await openDecision(service, shown, cookie);

    const answer = await decide(service, { ...form, decision: spoil(decision) }, 'allow', cookie);

    expectOutdated(answer);
    expect(await grantsOf(service, client)).toEqual([]);
  });
});

test('a registration that has become wider does not widen what was shown (contract §6, security C28)', async () => {
  const client = await addClient(service, { scopes: ['PROFILE_READ'] });
  const form = await openDecision(service, requestOf(client), cookie);
  await service.database.db
    .update(clients)
    .set({ scopes: ['PROFILE_READ', 'PROFILE_WRITE'] })
    .where(eq(clients.id, client.id));

  const answer = await decide(service, form, 'allow', cookie);

  expectOutdated(answer);
  expect(await grantsOf(service, client)).toEqual([]);
});

describe('a decision is bound to the session (contract §3, security C28)', () => {
  test.each<[string, () => Promise<string>]>([
    ["another user's session", async () => startSession(service, await addUser(service))],
    ['another session of the same user', () => startSession(service, user)],
  ])('%s is refused', async (_name, openSession) => {
    const client = await addClient(service);
    const form = await openDecision(service, requestOf(client), cookie);

    const answer = await decide(service, form, 'allow', await openSession());

    expectOutdated(answer);
    expect(await grantsOf(service, client)).toEqual([]);
  });
});

test.each([
  ['an hour', 3600, 303],
  ['a second more', 3601, 400],
] as const)('Allow on a page that was opened %s ago (contract §3)', async (_name, seconds, status) => {
  const client = await addClient(service, { scopes });
  const form = await openDecision(service, requestOf(client), cookie);
  service.clock.advance(seconds);

  const answer = await decide(service, form, 'allow', cookie);

  expect(answer.statusCode).toBe(status);
  expect(await grantsOf(service, client)).toHaveLength(status === 303 ? 1 : 0);
});

test.each(['', 'approve', 'ALLOW', 'allow deny'])(
  'the action "%s" decides nothing (contract §3)',
  async (action) => {
    const client = await addClient(service, { scopes });
    const form = await openDecision(service, requestOf(client), cookie);

    const answer = await postForm(service, authorizePath, { ...form, action }, cookie);

    expectOutdated(answer);
    expect(await grantsOf(service, client)).toEqual([]);
  },
);
