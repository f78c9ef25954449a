import { ok, type Result, refuse } from '../../result.ts';
import type { Approval, Team } from './authorization.ts';
import { type Client, isUsable } from './client.ts';
import { type GrantedScopes, mayUse } from './scope.ts';

/** Public clients can't prove who they are, so users are always asked (RFC 8252 §8.6). */
export function mayBeRemembered(client: Client): boolean {
  return client.type === 'confidential' && isUsable(client);
}

export interface RememberedConsent {
  /** Null: the user's own account. */
  readonly teamId: number | null;
  readonly scopes: GrantedScopes;
  readonly redirectUri: string;
}

export type AskingReason =
  | 'nothing_remembered'
  | 'client_not_rememberable'
  | 'another_destination'
  | 'another_account'
  | 'other_access'
  | 'team_lost';

/**
 * Only for nothing more, and at the same redirect URI; a request without a team is about the
 * remembered account (contract §3).
 */
export function decideRemembered(
  client: Client,
  { scopes, team, redirectUri }: Approval & { readonly redirectUri: string },
  teams: readonly Team[],
  remembered: RememberedConsent | undefined,
): Result<Team | null, AskingReason> {
  if (remembered === undefined) return refuse('nothing_remembered');
  if (!mayBeRemembered(client)) return refuse('client_not_rememberable');
  if (redirectUri !== remembered.redirectUri) return refuse('another_destination');
  if (team !== null && team.id !== remembered.teamId) return refuse('another_account');
  if (!covers(remembered.scopes, scopes)) return refuse('other_access');
  if (remembered.teamId === null) return ok(null);
  const account = teams.find(({ id }) => id === remembered.teamId);
  return account === undefined ? refuse('team_lost') : ok(account);
}

/** Full access covers only itself: a client that got scopes since asks again. */
export function covers(allowed: GrantedScopes, asked: GrantedScopes): boolean {
  if (allowed === null || asked === null) return allowed === asked;
  return asked.every((scope) => mayUse(allowed, scope));
}
