import { eq } from 'drizzle-orm';
import type { LightMyRequestResponse } from 'fastify';
import { expect, test } from 'vitest';
import { accessTokenSeconds } from '../../src/oauth/core/access-token.ts';
import type { Grant } from '../../src/oauth/core/grant.ts';
import type { TokenRequest } from '../../src/oauth/core/ports.ts';
import { readRefreshToken } from '../../src/oauth/core/refresh.ts';
import { tokenRefusals } from '../../src/oauth/core/refusal.ts';
import type { GrantedScopes } from '../../src/oauth/core/scope.ts';
import { mayUse } from '../../src/oauth/own-scopes.ts';
import { revokeGrant } from '../../src/oauth/revocation/store.ts';
import { issueGrant } from '../../src/oauth/store.ts';
import { clients, grants } from '../../src/oauth/tables.ts';
import { newUuid } from '../../src/platform/runtime.ts';
import {
  type Answer,
  type Call,
  explore,
  type FlowName,
  flows,
  modelLifetimes,
  requestOf,
  type State,
  type Step,
  startOf,
  type Trace,
} from '../core/grant-model.ts';
import { contextOf } from '../support/audit.ts';
import { challenge } from '../support/core-builders.ts';
import { refusingCommits } from '../support/database-faults.ts';
import { holdRow } from '../support/held.ts';
import { scopeNames } from '../support/scopes.ts';
import { openAnotherInstance, openTestService } from '../support/service.ts';
import { addClient, addUser, callMe, requestToken, type TestClient } from '../support/world.ts';

const day = 86_400;
const service = await openTestService({
  CODE_TTL_SECONDS: String(modelLifetimes.codeSeconds),
  REFRESH_IDLE_DAYS: String(modelLifetimes.refreshIdleSeconds / day),
  REFRESH_MAX_DAYS: String(modelLifetimes.refreshMaxSeconds / day),
});
const another = await openAnotherInstance(service);
const { db } = service.database;
const user = await addUser(service);
const other = await addClient(service);

/** The first way to each action with each outcome. */
async function sampleOf(name: FlowName): Promise<readonly Trace[]> {
  const ways = new Map<string, Trace>();
  await explore(name, 5, (step, way) => {
    const { action, answers } = step;
    if (answers.length === 0) return;
    // Where one of the two only reads, nothing interleaves.
    if (action.kind === 'race' && !answers.every(({ isWriting }) => isWriting)) return;
    const outcomes = answers.map(({ outcome, scopes }) => [outcome, scopes]);
    const label = JSON.stringify([action, outcomes]);
    if (!ways.has(label)) ways.set(label, [...way, step]);
  });
  return [...ways.values()];
}

interface Scene {
  readonly client: TestClient;
  readonly id: string;
  accessToken: string | undefined;
}

const listOf = ({ scopes }: { readonly scopes: GrantedScopes }) => (scopes === 'all' ? scopeNames : scopes);

async function open(name: FlowName, { client, grant }: State): Promise<Scene> {
  const { type, hasChallenge } = flows[name];
  const added = await addClient(service, { type, scopes: listOf(client), redirectUris: [grant.redirectUri] });
  const id = newUuid(service.clock);
  const parties = { clientId: added.id, userId: user.id, teamId: null, resources: null, dpopJkt: null };
  const asked = { redirectUri: grant.redirectUri, codeChallenge: hasChallenge ? challenge : null };
  await issueGrant(
    db,
    { id, ...parties, scopes: listOf(grant), ...asked },
    [],
    modelLifetimes,
    service.clock.now(),
  );
  return { client: added, id, accessToken: undefined };
}

/** A failover does this, to a replica that has heard of nothing since. */
async function restore({ id, scopes: _, userId: __, ...lost }: Grant): Promise<void> {
  await db.update(grants).set(lost).where(eq(grants.id, id));
}

async function rowOf({ id }: Scene): Promise<Grant> {
  const [row] = await db.select().from(grants).where(eq(grants.id, id));
  if (row === undefined) throw new Error('the grant is gone');
  return { ...row, scopes: row.scopes ?? 'all', userId: String(row.userId) };
}

/** The fields of RFC 6749 §4.1.3 and §6. */
function fieldsOf(request: TokenRequest): Record<string, string> {
  const { clientId, clientSecret } = request.client;
  const fields =
    request.grantType === 'refresh_token'
      ? { refresh_token: request.refreshToken }
      : { code: request.code, redirect_uri: request.redirectUri, code_verifier: request.codeVerifier };
  const all = { grant_type: request.grantType, client_id: clientId, client_secret: clientSecret, ...fields };
  return Object.fromEntries(
    Object.entries(all).flatMap(([name, text]) => (text === undefined ? [] : [[name, text]])),
  );
}

async function send(
  { client }: Scene,
  call: Call,
  grant: Grant,
  at = service,
): Promise<LightMyRequestResponse> {
  const parties = {
    client: { clientId: client.id, clientSecret: client.secret },
    'other client': { clientId: other.id, clientSecret: other.secret },
  };
  return requestToken(at, fieldsOf(await requestOf(call, grant, parties, service.rootSecret)));
}

/** An answer in the words of the model. */
async function read(scene: Scene, answer: LightMyRequestResponse) {
  const { access_token: accessToken, refresh_token: token, scope, error_description: words } = answer.json();
  if (answer.statusCode === 500) return { outcome: 'fault' };
  if (answer.statusCode !== 200)
    return { outcome: Object.entries(tokenRefusals).find(([, [, , text]]) => text === words)?.[0] ?? words };
  scene.accessToken = accessToken;
  const generation = (await readRefreshToken(token, service.rootSecret))?.generation;
  return { outcome: 'tokens', generation, scope };
}

const wordsOf = ({ outcome, generation, scopes }: Answer) =>
  outcome === 'tokens'
    ? { outcome, generation, scope: scopes === 'all' ? undefined : scopes?.join(' ') }
    : { outcome };

async function play(scene: Scene, { action }: Step): Promise<readonly object[]> {
  const revoke = async () => {
    await revokeGrant({ db, parts: [] }, scene.id, 'user', contextOf(service));
    return { outcome: 'revoked' };
  };
  const row = await rowOf(scene);
  switch (action.kind) {
    case 'call': {
      const act = () => send(scene, action.call, row);
      const isCrashing = action.ends === 'in a crash';
      const answer = isCrashing ? await refusingCommits(service.database, 'grants', act) : await act();
      if (action.ends === 'lost') await restore(row);
      return [await read(scene, answer)];
    }
    case 'race': {
      const held = await holdRow(service, 'grants', scene.id);
      const first = action.first === 'revoke' ? revoke() : send(scene, action.first, row);
      await held.untilWaiting(1);
      const second = send(scene, action.call, row, another);
      await held.untilWaiting(2);
      await held.release();
      const one = await first;
      return ['outcome' in one ? one : await read(scene, one), await read(scene, await second)];
    }
    case 'revoke':
      return [await revoke()];
    case 'wait':
      service.clock.advance(action.seconds);
      return [];
    case 'register':
      await db
        .update(clients)
        .set({ scopes: action.scopes === null ? null : [...action.scopes] })
        .where(eq(clients.id, scene.client.id));
      return [];
    case 'review':
      await db.update(clients).set({ status: action.status }).where(eq(clients.id, scene.client.id));
      return [];
  }
}

/** What /v2/me answers to the last access token. */
function expectedOfMe(state: State): number | undefined {
  const { access, client, grant, now } = state;
  if (access === undefined) return undefined;
  if (now.getTime() - access.issuedAt.getTime() >= accessTokenSeconds * 1000) return 401;
  // The token itself says so, before anything is looked up.
  if (!mayUse(access.scopes, 'PROFILE_READ')) return 403;
  if (grant.redeemedAt === null || grant.revokedAt !== null || client.status !== 'accepted') return 401;
  return mayUse(client.scopes, 'PROFILE_READ') ? 200 : 403;
}

const factsOf = ({ generation, revocationReason, redeemedAt }: Grant) => ({
  generation,
  revocationReason,
  isRedeemed: redeemedAt !== null,
});

test.each(Object.keys(flows).filter((name): name is FlowName => Object.hasOwn(flows, name)))(
  'PostgreSQL and the token endpoint do what the model of a grant of %s says, for each action with each outcome (contract §4, security C13, C45, C67)',
  { tags: 'parts', timeout: 120_000 },
  async (name) => {
    const ways = await sampleOf(name);
    expect(ways.length).toBeGreaterThan(60);

    for (const way of ways) {
      const scene = await open(name, startOf(name));
      const words = way.map(({ action }) => JSON.stringify(action)).join('\n');
      for (const step of way) {
        expect(await play(scene, step), words).toEqual(step.answers.map(wordsOf));
        expect(factsOf(await rowOf(scene)), words).toEqual(factsOf(step.after.grant));
      }
      const last = way.at(-1)?.after;
      const me = scene.accessToken === undefined ? undefined : await callMe(service, scene.accessToken);
      expect(me?.statusCode, words).toBe(last && expectedOfMe(last));
    }
  },
);
