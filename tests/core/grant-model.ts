import {
  type Client,
  type ClientWithSecrets,
  hashClientSecret,
  type PresentedClient,
} from '../../src/oauth/core/client.ts';
import { issueCode } from '../../src/oauth/core/code.ts';
import type { Hash, Mac } from '../../src/oauth/core/crypto.ts';
import type { Grant, Lifetimes } from '../../src/oauth/core/grant.ts';
import type { TokenRequest, TokenStore } from '../../src/oauth/core/ports.ts';
import { issueRefreshToken, readRefreshToken } from '../../src/oauth/core/refresh.ts';
import { type GrantedScopes, intersectScopes } from '../../src/oauth/core/scope.ts';
import { answerTokenRequest } from '../../src/oauth/core/token-request.ts';
import { ownMeaning, rulesOf } from '../../src/oauth/own-scopes.ts';
import { buildClient, buildIssuedGrant, noon, secondsAfter, verifier } from '../support/core-builders.ts';
import { scopeNames } from '../support/scopes.ts';

const day = 86_400;
export const modelLifetimes: Lifetimes = {
  codeSeconds: 60,
  refreshIdleSeconds: 2 * day,
  refreshMaxSeconds: 5 * day,
};
/** Ages, in seconds, at which a decision may change. */
const limits = { issued: [60], redeemed: [10, 5 * day], rotated: [60, day, 2 * day] } as const;

export const flows = {
  'a confidential client without a challenge': { type: 'confidential', hasChallenge: false },
  'a confidential client with a challenge': { type: 'confidential', hasChallenge: true },
  'a public client': { type: 'public', hasChallenge: true },
} as const;
export type FlowName = keyof typeof flows;

/** The code, or the refresh token of so many generations ago; of −1 and −2, the database has lost the commits. */
export type Token = 'code' | -2 | -1 | 0 | 1 | 2;

/** A thief holds the token, but neither secret nor verifier; the other client proves itself. */
export interface Call {
  readonly token: Token;
  readonly by: 'client' | 'thief' | 'other client';
}

export type Action =
  /** `lost`: answered, then a failover to a replica that has not heard of it. */
  | { readonly kind: 'call'; readonly call: Call; readonly ends: 'well' | 'in a crash' | 'lost' }
  /** `call` has found the grant as it was, and commits after the other. */
  | { readonly kind: 'race'; readonly call: Call; readonly first: Call | 'revoke' }
  | { readonly kind: 'revoke' }
  | { readonly kind: 'wait'; readonly seconds: number }
  | { readonly kind: 'register'; readonly scopes: GrantedScopes }
  | { readonly kind: 'review'; readonly status: Client['status'] };

export interface State {
  readonly client: Client;
  readonly grant: Grant;
  readonly now: Date;
  /** The newest generation that was answered. */
  readonly issued: number;
  /** The last access token that was answered. */
  readonly access: { readonly scopes: GrantedScopes; readonly issuedAt: Date } | undefined;
}

export interface Answer {
  /** `tokens`, `fault` after a crash, or why it was refused. */
  readonly outcome: string;
  readonly generation?: number;
  readonly scopes?: GrantedScopes;
  /** Whether it got as far as to change the grant, had nothing else been first. */
  readonly isWriting: boolean;
  /** The call left the grant in this state. */
  readonly grant: Grant;
}

export interface Step {
  readonly before: State;
  readonly action: Action;
  /** In the order of the commits. */
  readonly answers: readonly Answer[];
  readonly after: State;
}

const registrations = [
  ['PROFILE_READ', 'BOOKING_WRITE'],
  ['BOOKING_READ'],
  ['SCHEDULE_READ'],
] as const satisfies readonly GrantedScopes[];

const secret = 'the secret';

/** Cheap stand-ins: the model is about the state machine, not about forging. */
const pad = (data: Uint8Array): Uint8Array => {
  const padded = new Uint8Array(32);
  for (const [index, byte] of data.entries()) padded[index % 32] = ((padded[index % 32] ?? 0) + byte) % 256;
  return padded;
};
const mac: Mac = {
  mac: (_purpose, data) => pad(data),
  isMac: (_purpose, data, given) => Buffer.compare(pad(data), given) === 0,
};
const hash: Hash = { sha256: pad };
const challenge = Buffer.from(pad(Buffer.from(verifier))).toString('base64url');
const secretHash = await hashClientSecret(secret, hash);
const other: Client = buildClient('confidential', { id: 'other-client' });

export function startOf(name: FlowName): State {
  const { type, hasChallenge } = flows[name];
  const client = buildClient(type, { scopes: registrations[0] });
  const grant = buildIssuedGrant(client, { codeChallenge: hasChallenge ? challenge : null });
  return { client, grant, now: noon, issued: 0, access: undefined };
}

class Crash extends Error {}

/** Holds one grant, which calls find as `found`, and change as it is. */
function storeOf(state: State, found: Grant, isCrashing: boolean) {
  let { grant } = state;
  let isWriting = false;
  const write = (isRight: boolean, changes: Partial<Grant>): boolean => {
    isWriting = true;
    if (isCrashing) throw new Crash();
    const isWritten = isRight && grant.revokedAt === null;
    if (isWritten) grant = { ...grant, ...changes };
    return isWritten;
  };
  const clients: readonly ClientWithSecrets[] = [state.client, other].map((client) => ({
    ...client,
    secrets: client.type === 'confidential' ? [{ id: client.id, hash: secretHash }] : [],
  }));
  const store: TokenStore = {
    async find(clientId, grantId) {
      const isOurs = grantId === found.id;
      return { client: clients.find(({ id }) => id === clientId), grant: isOurs ? found : undefined };
    },
    async redeem(_grant, now) {
      return write(grant.generation === 0, { generation: 1, redeemedAt: now, rotatedAt: now });
    },
    async advance(_grant, generation, now) {
      if (grant.generation === generation) return write(true, {});
      const isBehind = grant.generation === generation - 1 || grant.generation === generation - 2;
      const redeemedAt = grant.redeemedAt ?? grant.issuedAt;
      return write(isBehind, { generation, redeemedAt, rotatedAt: now });
    },
    async revoke(_grant, reason, now) {
      write(true, { revokedAt: now, revocationReason: reason });
    },
  };
  return { store, result: () => ({ isWriting, grant }) };
}

/** The fields of a call, with tokens under this MAC. */
export async function requestOf(
  { token, by }: Call,
  grant: Pick<Grant, 'id' | 'generation' | 'redirectUri' | 'codeChallenge'>,
  parties: Readonly<Record<'client' | 'other client', PresentedClient>>,
  tokenMac: Mac,
): Promise<TokenRequest> {
  const thief = { ...parties.client, clientSecret: 'a guess' };
  const client = by === 'thief' ? thief : parties[by];
  const codeVerifier = grant.codeChallenge === null ? undefined : verifier;
  if (token !== 'code') {
    const generation = grant.generation - token;
    const refreshToken = await issueRefreshToken({ grantId: grant.id, generation }, tokenMac);
    return { grantType: 'refresh_token', client, refreshToken, scope: undefined };
  }
  return {
    grantType: 'authorization_code',
    client,
    code: await issueCode(grant.id, tokenMac),
    redirectUri: grant.redirectUri,
    codeVerifier: by === 'thief' ? codeVerifier?.replace('d', 'e') : codeVerifier,
  };
}

async function answerCall(state: State, call: Call, found: Grant, isCrashing: boolean): Promise<Answer> {
  const { store, result } = storeOf(state, found, isCrashing);
  const issuer = {
    issuer: 'https://id.example',
    resources: ['https://api.example'] as const,
    ...rulesOf(scopeNames),
    signer: () => ({ keyId: 'key', sign: () => new Uint8Array(64) }),
    mac,
    randomBytes: (length: number) => new Uint8Array(length),
  };
  const url = 'https://api.example/token';
  const endpoint = { store, issuer, lifetimes: modelLifetimes, hash, url, now: () => state.now };
  const clientSecret = state.client.type === 'confidential' ? secret : undefined;
  const parties = {
    client: { clientId: state.client.id, clientSecret },
    'other client': { clientId: other.id, clientSecret: secret },
  };
  const request = await requestOf(call, found, parties, mac);
  try {
    const answer = await answerTokenRequest(endpoint, request);
    if (!answer.ok) return { outcome: answer.reason, ...result() };
    const { isFullAccess, scopeNames: names, refreshToken } = answer.value;
    const scopes = isFullAccess ? 'all' : names;
    const generation = (await readRefreshToken(refreshToken, mac))?.generation ?? 0;
    return { outcome: 'tokens', generation, scopes, ...result() };
  } catch (error) {
    if (error instanceof Crash) return { outcome: 'fault', ...result() };
    throw error;
  }
}

async function apply(before: State, action: Action): Promise<Step> {
  const step = (answers: readonly Answer[], changes: Partial<State> = {}): Step => {
    const issued = answers.findLast(({ outcome }) => outcome === 'tokens');
    const access = issued && { scopes: issued.scopes ?? 'all', issuedAt: before.now };
    const { grant } = answers.at(-1) ?? before;
    const newest = Math.max(before.issued, ...answers.map(({ generation = 0 }) => generation));
    const left = { ...before, grant, issued: newest, ...(access && { access }) };
    return { before, action, answers, after: { ...left, ...changes } };
  };
  switch (action.kind) {
    case 'call':
      return step(
        [await answerCall(before, action.call, before.grant, action.ends === 'in a crash')],
        action.ends === 'lost' ? { grant: before.grant } : {},
      );
    case 'race': {
      const first = action.first === 'revoke' ? revoke(before) : await answer(before, action.first);
      return step([
        first,
        await answerCall({ ...before, grant: first.grant }, action.call, before.grant, false),
      ]);
    }
    case 'revoke':
      return step([revoke(before)]);
    case 'wait':
      return step([], { now: secondsAfter(before.now, action.seconds) });
    case 'register':
      return step([], { client: { ...before.client, scopes: action.scopes } });
    case 'review':
      return step([], { client: { ...before.client, status: action.status } });
  }
}

const answer = (state: State, call: Call): Promise<Answer> => answerCall(state, call, state.grant, false);

function revoke({ grant, now }: State): Answer {
  const revoked: Grant = { ...grant, revokedAt: now, revocationReason: 'user' };
  const isWriting = grant.revokedAt === null;
  return { outcome: 'revoked', isWriting, grant: isWriting ? revoked : grant };
}

const ageIn = (now: Date, since: Date | null): number =>
  since === null ? -1 : (now.getTime() - since.getTime()) / 1000;

/** To the next limit, exactly, and just past it. */
function waits({ grant, now }: State): readonly Action[] {
  const ages = {
    issued: grant.generation === 0 ? ageIn(now, grant.issuedAt) : -1,
    redeemed: ageIn(now, grant.redeemedAt),
    rotated: ageIn(now, grant.rotatedAt),
  };
  const ahead = (['issued', 'redeemed', 'rotated'] as const).flatMap((name) =>
    ages[name] < 0 ? [] : limits[name].map((limit) => limit - ages[name]).filter((seconds) => seconds >= 0),
  );
  if (ahead.length === 0) return [];
  const next = Math.min(...ahead);
  return [next, next + 1]
    .filter((seconds) => seconds > 0)
    .map((seconds) => ({ kind: 'wait', seconds }) as const);
}

function actionsIn(state: State): readonly Action[] {
  const { grant, client, issued } = state;
  const lead = Math.max(0, issued - grant.generation);
  const tokens = (['code', -2, -1, 0, 1, 2] as const).filter(
    (token) => token === 'code' || (grant.generation - token > 0 && -token <= lead),
  );
  const own = tokens.map((token): Call => ({ token, by: 'client' }));
  // A public client's refresh token proves itself, so its thief is the client.
  const thieves = tokens.filter((token) => token === 'code' || client.type === 'confidential');
  const strangers = [
    ...thieves.map((token): Call => ({ token, by: 'thief' })),
    ...tokens.map((token): Call => ({ token, by: 'other client' })),
  ];
  const calls = [...own, ...strangers].map((call) => ({ kind: 'call', call, ends: 'well' }) as const);
  const crashes = own.map((call) => ({ kind: 'call', call, ends: 'in a crash' }) as const);
  // Only a commit can be lost.
  const moving = own.filter(({ token }) => token === 'code' || token === 0 || token === -1);
  const losses = moving.map((call) => ({ kind: 'call', call, ends: 'lost' }) as const);
  const races = own.flatMap((call) =>
    ([...own, 'revoke'] as const).map((first) => ({ kind: 'race', call, first }) as const),
  );
  const edits = registrations
    .filter((scopes) => scopes !== client.scopes)
    .map((scopes) => ({ kind: 'register', scopes }) as const);
  const status = client.status === 'accepted' ? 'rejected' : 'accepted';
  return [
    ...calls,
    ...crashes,
    ...losses,
    { kind: 'revoke' },
    ...waits(state),
    ...edits,
    { kind: 'review', status },
    // Last, so that ways lead through them only to where nothing simpler leads.
    ...races,
  ];
}

/** States with the same key have the same future: only ages, and generations up to 3, count. */
function keyOf({ grant, client, now, issued }: State): string {
  const { generation, issuedAt, redeemedAt, rotatedAt, revocationReason } = grant;
  const clip = (since: Date | null, max: number): number => Math.min(ageIn(now, since), max + 1);
  const ages =
    generation === 0
      ? [clip(issuedAt, 60)]
      : [
          clip(redeemedAt, modelLifetimes.refreshMaxSeconds),
          clip(rotatedAt, modelLifetimes.refreshIdleSeconds),
        ];
  const lead = Math.min(issued - generation, 2);
  const past = revocationReason === null ? [lead, ...ages] : [revocationReason];
  return [Math.min(generation, 3), ...past, client.status, client.scopes].join(' ');
}

export type Trace = readonly Step[];

/** Breadth first, every action in every state; `visit` sees each step with the way to it. */
export async function explore(
  name: FlowName,
  depth: number,
  visit: (step: Step, way: Trace) => void,
): Promise<{ readonly states: number; readonly steps: number }> {
  const start = startOf(name);
  const seen = new Set([keyOf(start)]);
  let steps = 0;
  let frontier: readonly { readonly state: State; readonly way: Trace }[] = [{ state: start, way: [] }];
  for (let level = 0; level < depth; level += 1) {
    const next: { readonly state: State; readonly way: Trace }[] = [];
    for (const { state, way } of frontier) {
      for (const action of actionsIn(state)) {
        const step = await apply(state, action);
        steps += 1;
        visit(step, way);
        const key = keyOf(step.after);
        if (seen.has(key)) continue;
        seen.add(key);
        next.push({ state: step.after, way: [...way, step] });
      }
    }
    frontier = next;
  }
  return { states: seen.size, steps };
}

/** What the grant still gives, and its client is still registered for. */
export function scopesIn({ grant, client }: State): GrantedScopes {
  return intersectScopes(grant.scopes, client.scopes, ownMeaning);
}
