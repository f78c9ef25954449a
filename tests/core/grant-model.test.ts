import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import { decideRefresh } from '../../src/oauth/core/refresh.ts';
import type { GrantedScopes } from '../../src/oauth/core/scope.ts';
import { mayUse, rulesOf } from '../../src/oauth/own-scopes.ts';
import { scopeNames } from '../support/scopes.ts';
import {
  explore,
  type FlowName,
  flows,
  modelLifetimes,
  type State,
  type Step,
  scopesIn,
  type Trace,
} from './grant-model.ts';

const retrySeconds = { confidential: 24 * 3600, public: 60 } as const;

/** What is wrong with a state, as sentences. */
function* faultsOfState(state: State): Generator<string> {
  const { client, grant, now, issued } = state;
  const generations = Array.from({ length: issued }, (_, index) => index + 1);
  const decisions = generations.map((generation) =>
    decideRefresh({
      client,
      grant,
      generation,
      scope: undefined,
      jkt: null,
      lifetimes: modelLifetimes,
      rules: rulesOf(scopeNames),
      now,
    }),
  );
  const [newest, before] = [decisions[issued - 1], decisions[grant.generation - 2]];
  const successors = decisions.flatMap((decision) => ('generation' in decision ? [decision] : []));
  const fresh = successors.filter(({ generation }) => generation > issued);
  const repeated = successors.filter(({ outcome }) => outcome === 'repeat');
  if (fresh.length > 1) yield 'two refresh tokens lead to a new one';
  if (repeated.some(({ generation }) => generation !== grant.generation))
    yield 'a retry gives another successor';
  if (grant.revokedAt !== null && successors.length > 0) yield 'a token works after the end of its grant';
  const ageOf = (since: Date | null): number => (now.getTime() - (since?.getTime() ?? 0)) / 1000;
  const isExpired =
    ageOf(grant.redeemedAt ?? grant.issuedAt) >= modelLifetimes.refreshMaxSeconds ||
    ageOf(grant.rotatedAt ?? grant.issuedAt) >= modelLifetimes.refreshIdleSeconds;
  if (isExpired && successors.length > 0) yield 'a token works after its expiry';
  const isLive = grant.revokedAt === null && !isExpired && scopesIn(state)?.length !== 0;
  const lead = issued - grant.generation;
  if (isLive && issued > 0 && lead <= 1 && newest?.outcome !== 'rotate')
    yield 'the newest token of a live grant does not work';
  if (lead > 1 && newest?.outcome !== 'refuse') yield 'a token works of which two commits were lost';
  const isInWindow = ageOf(grant.rotatedAt) <= retrySeconds[client.type];
  if (isLive && isInWindow && grant.generation > 1 && before?.outcome !== 'repeat')
    yield 'a lost answer can’t be recovered within its window';
  if (isLive && !isInWindow && before !== undefined && 'generation' in before)
    yield 'a token works after its window';
}

const isWithin = (scopes: GrantedScopes, limit: GrantedScopes): boolean =>
  limit === 'all' || (scopes !== 'all' && scopes.every((scope) => mayUse(limit, scope)));

/** What is wrong with a step, as sentences. */
function* faultsOfStep({ before, action, answers, after }: Step): Generator<string> {
  let { grant } = before;
  for (const answer of answers) {
    const { outcome, generation, scopes = 'all' } = answer;
    const isTokens = outcome === 'tokens';
    const [was, is] = [grant, answer.grant];
    const isSame = isDeepStrictEqual(was, is);
    grant = is;
    if (isTokens && was.revokedAt !== null) yield 'tokens after the end of the grant';
    if (isTokens && generation !== is.generation) yield 'a refresh token that is not the newest';
    if (isTokens && !(isWithin(scopes, is.scopes) && isWithin(scopes, before.client.scopes)))
      yield 'more than was granted and is registered';
    if (isTokens && before.client.status !== 'accepted') yield 'tokens for a client that is not accepted';
    const reach = was.generation + (before.issued > was.generation ? 2 : 1);
    if (is.generation < was.generation || is.generation > reach) yield 'a leap of generations';
    const isMoved = is.generation !== was.generation;
    if (isMoved ? is.rotatedAt !== before.now : is.rotatedAt !== was.rotatedAt)
      yield 'a time of rotation that is not its own';
    if (was.revokedAt !== null && !isSame) yield 'a change after the end';
    const isEnded = was.revokedAt === null && is.revokedAt !== null;
    const isReuse = is.revocationReason === 'code_replay' || is.revocationReason === 'refresh_token_theft';
    if (!isTokens && !isSame && !(isEnded && (isReuse || outcome === 'revoked')))
      yield 'a refusal that changed something';
    if (isEnded && is.revocationReason === 'refresh_token_theft' && before.client.type === 'confidential')
      yield 'theft, though the secret was right';
    if (isEnded && isReuse && was.generation === 0) yield 'a reuse before the first use';
  }
  const [first, last] = answers;
  if (action.kind === 'call' && action.call.by !== 'client' && after.grant !== before.grant)
    yield `the ${action.call.by} changed the grant`;
  if (
    action.kind === 'call' &&
    action.ends === 'in a crash' &&
    (first?.outcome === 'tokens' || grant !== before.grant)
  )
    yield 'a crash that left something behind';
  const isCodeTwice =
    action.kind === 'race' &&
    action.call.token === 'code' &&
    action.first !== 'revoke' &&
    action.first.token === 'code' &&
    first?.outcome === 'tokens';
  if (isCodeTwice && last?.outcome === 'tokens') yield 'one code, exchanged twice';
  if (isCodeTwice && (grant.revokedAt === null) === (grant.codeChallenge === null))
    yield 'a code used twice is a double submit with a challenge, and a replay without';
}

const outcomes = [
  ...['tokens', 'fault', 'revoked', 'client_not_accepted', 'scope_exceeds_grant'],
  ...['code_invalid_or_expired', 'invalid_refresh_token'],
];
/** What the model must have come across. */
const outcomesOf = {
  confidential: new Set([...outcomes, 'invalid_client_credentials']),
  public: new Set([...outcomes, 'pkce_verification_failed']),
} as const;

function wordsOf(way: Trace): string {
  return way.map(({ action }) => JSON.stringify(action)).join('\n');
}

test.each(Object.keys(flows).filter((name): name is FlowName => Object.hasOwn(flows, name)))(
  'a grant of %s, in every state that 8 actions lead to: at most one live successor, nothing after its end, lost answers and commits can be recovered (contract §4, security C11, C12, C13, C67)',
  { timeout: 60_000 },
  async (name) => {
    const faults: string[] = [];
    const seen = new Set<string>();

    const { states, steps } = await explore(name, 8, (step, way) => {
      for (const { outcome } of step.answers) seen.add(outcome);
      for (const fault of [...faultsOfStep(step), ...faultsOfState(step.after)])
        faults.push(`${fault}:\n${wordsOf([...way, step])}`);
    });

    expect(faults.slice(0, 3)).toEqual([]);
    expect([states > 1000, steps > 30_000]).toEqual([true, true]);
    expect(seen).toEqual(outcomesOf[flows[name].type]);
  },
);
