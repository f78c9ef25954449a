import type { Session } from '../../accounts/session.ts';
import { listManagedTeams } from '../../accounts/teams/store.ts';
import type { Db } from '../../io/database.ts';
import { newUuid, type System } from '../../io/system.ts';
import { ok, type Result } from '../../result.ts';
import { type Approval, decideAnswer, decideApproval, type Team } from '../core/authorization.ts';
import { mintCode } from '../core/code.ts';
import type { Mac } from '../core/crypto.ts';
import { mintDecision, readDecision, type ShownRequest } from '../core/decision.ts';
import type { Lifetimes } from '../core/grant.ts';
import type { AuthorizationRefusalReason } from '../core/refusal.ts';
import { issueGrant } from '../store.ts';
import type { Choice } from './request.ts';
import type { Asked } from './response.ts';

export interface AuthorizeDeps {
  readonly db: Db;
  readonly system: System;
  readonly mac: Mac;
  readonly issuer: string;
  readonly lifetimes: Lifetimes;
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

/** The proof that goes into the page, with the id of the grant that Allow would make. */
export async function offerDecision({ system, mac }: AuthorizeDeps, { shown }: Considered): Promise<string> {
  return mintDecision(shown, newUuid(system), system.now(), mac);
}

export type Decided =
  | { readonly outcome: 'allowed'; readonly code: string; readonly grantId: string }
  | { readonly outcome: 'refused'; readonly reason: AuthorizationRefusalReason }
  | {
      readonly outcome: 'outdated';
      readonly reason: 'decision_not_bound' | 'decision_too_old' | 'decision_used_up';
    };

/** Carries out what the person chose on the page: load, decide, commit. Everything is looked at anew, nothing of the form is believed. */
export async function decideRequest(
  deps: AuthorizeDeps,
  session: Session,
  asked: Asked,
  choice: Choice,
): Promise<Decided> {
  const now = deps.system.now();
  const considered = await considerRequest(deps, session, asked);
  if (!considered.ok) return { outcome: 'refused', reason: considered.reason };
  const { approval, teams, shown } = considered.value;
  const decision = await readDecision(choice.decision, shown, now, deps.mac);
  if (!decision.ok) return { outcome: 'outdated', reason: decision.reason };
  const answer = decideAnswer(approval, teams, choice);
  if (!answer.ok) return { outcome: 'refused', reason: answer.reason };
  const { grantId } = decision.value;
  const parties = { clientId: asked.client.id, userId: session.person.id, teamId: answer.value?.id ?? null };
  const { scopes, codeChallenge } = approval;
  const { redirectUri } = asked.destination;
  const grant = { id: grantId, ...parties, scopes, redirectUri, codeChallenge };
  const isIssued = await issueGrant(deps.db, grant, deps.lifetimes.codeSeconds, now);
  if (!isIssued) return { outcome: 'outdated', reason: 'decision_used_up' };
  return { outcome: 'allowed', grantId, code: await mintCode(grantId, deps.mac) };
}
