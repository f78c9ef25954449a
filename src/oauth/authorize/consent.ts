import type { Session } from '../../accounts/session.ts';
import { listManagedTeams } from '../../accounts/teams/store.ts';
import type { Db } from '../../io/database.ts';
import type { RootSecret } from '../../io/root-secret.ts';
import type { System } from '../../io/system.ts';
import { ok, type Result } from '../../result.ts';
import { type Approval, decideApproval, type Team } from '../core/authorization.ts';
import type { Mac } from '../core/crypto.ts';
import type { ShownRequest } from '../core/decision.ts';
import type { Lifetimes } from '../core/grant.ts';
import type { AuthorizationRefusalReason } from '../core/refusal.ts';
import type { NewGrant } from '../store.ts';
import type { Asked } from './response.ts';

export interface AuthorizeDeps {
  readonly db: Db;
  readonly system: System;
  readonly mac: Mac;
  readonly rootSecret: RootSecret;
  readonly issuer: string;
  readonly appUrl: string;
  readonly lifetimes: Lifetimes;
  readonly nudgeOutbox: () => void;
}

/** A request that the signed-in person may be asked about. */
export interface Considered {
  readonly approval: Approval;
  readonly teams: readonly Team[];
  readonly shown: ShownRequest;
}

/** May this person be asked, and what exactly? */
export async function considerRequest(
  { db }: AuthorizeDeps,
  session: Session,
  { client, request }: Asked,
): Promise<Result<Considered, AuthorizationRefusalReason>> {
  const teams = await listManagedTeams(db, session.person.id);
  const approval = decideApproval(client, request, teams);
  if (!approval.ok) return approval;
  const shown = { sessionName: session.idHash, request, scopes: approval.value.scopes };
  return ok({ approval: approval.value, teams, shown });
}

/** The grant that a yes to this request makes. */
export function describeGrant(
  id: string,
  session: Session,
  { client, destination }: Asked,
  { scopes, codeChallenge }: Approval,
  team: Team | null,
): NewGrant {
  const parties = { clientId: client.id, userId: session.person.id, teamId: team?.id ?? null };
  return { id, ...parties, scopes, redirectUri: destination.redirectUri, codeChallenge };
}
