import { ok, type Result, refuse } from '../../result.ts';
import type { Approval, Team } from './authorization.ts';
import { type Client, isUsable } from './client.ts';
import { type GrantedScopes, mayUse } from './scope.ts';

/** Whether the page may offer not to ask again: a public client cannot prove who it is, so its user always sees the page (RFC 8252 §8.6). */
export function mayBeRemembered(client: Client): boolean {
  return client.type === 'confidential' && isUsable(client);
}

/** What the user does not want to be asked again: one account, what the client may do for it, and where the answer goes. */
export interface RememberedConsent {
  /** Null: the user's own account. */
  readonly teamId: number | null;
  readonly scopes: GrantedScopes;
  /** As it was asked for. */
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
 * Does what the user has remembered answer this request, and for which account (contract §3)? Only if it asks for nothing that was not
 * allowed then, and only where the page said then that the answer goes: a client may have addresses, such as one on the user's own device, that the
 * user was never shown. A request that names no team is about the remembered account.
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

/**
 * Whether what was allowed holds what is asked for now. Full access stands for itself alone: it was allowed to a client without scopes, and a
 * client that has become another one in that respect is asked about anew.
 */
export function covers(allowed: GrantedScopes, asked: GrantedScopes): boolean {
  if (allowed === null || asked === null) return allowed === asked;
  return asked.every((scope) => mayUse(allowed, scope));
}
