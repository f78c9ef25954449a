import { ok, type Result, refuse } from '../../result.ts';
import type { Approval, Team } from './authorization.ts';
import { type Client, isUsable } from './client.ts';
import { mayUse, type Scope, type ScopeMeaning } from './scope.ts';

/** Public clients can't prove who they are (RFC 8252 §8.6); other resources need a click, too. */
export function mayBeRemembered(client: Client, { resources }: Pick<Approval, 'resources'>): boolean {
  return client.type === 'confidential' && isUsable(client) && resources === null;
}

export interface RememberedConsent {
  readonly teamId: number | null;
  readonly scopes: readonly Scope[];
  readonly redirectUri: string;
}

export type AskingReason =
  | 'nothing_remembered'
  | 'not_rememberable'
  | 'another_destination'
  | 'another_account'
  | 'other_access'
  | 'team_lost';

/**
 * Answers only requests for nothing more, and at the same redirect URI. A request without a team is
 * about the remembered account (contract §3).
 */
export function decideRemembered(
  client: Client,
  approval: Approval & { readonly redirectUri: string },
  teams: readonly Team[],
  remembered: RememberedConsent | undefined,
  rules: ScopeMeaning,
): Result<Team | null, AskingReason> {
  const { scopes, team, redirectUri } = approval;
  if (remembered === undefined) return refuse('nothing_remembered');
  if (!mayBeRemembered(client, approval)) return refuse('not_rememberable');
  if (redirectUri !== remembered.redirectUri) return refuse('another_destination');
  if (team !== null && team.id !== remembered.teamId) return refuse('another_account');
  if (!covers(remembered.scopes, scopes, rules)) return refuse('other_access');
  if (remembered.teamId === null) return ok(null);
  const account = teams.find(({ id }) => id === remembered.teamId);
  return account === undefined ? refuse('team_lost') : ok(account);
}

export function covers(allowed: readonly Scope[], asked: readonly Scope[], rules: ScopeMeaning): boolean {
  return asked.every((scope) => mayUse(allowed, scope, rules));
}
