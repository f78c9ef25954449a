import type { Session } from '../../accounts/session.ts';
import { writeLetter } from '../../outbox/letter.ts';
import { decideAnswer } from '../core/authorization.ts';
import { mintCode } from '../core/code.ts';
import { readDecision } from '../core/decision.ts';
import type { AuthorizationRefusalReason } from '../core/refusal.ts';
import { mayBeRemembered } from '../core/remembered.ts';
import { type AuthorizeDeps, considerRequest, describeGrant } from './consent.ts';
import { connectionLetter } from './letters.ts';
import type { Choice } from './request.ts';
import type { Asked } from './response.ts';
import { allowClient, denyClient } from './store.ts';

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
  const { db, mac, lifetimes } = deps;
  const now = deps.system.now();
  const considered = await considerRequest(deps, session, asked);
  if (!considered.ok) return { outcome: 'refused', reason: considered.reason };
  const { approval, teams, shown } = considered.value;
  const decision = await readDecision(choice.decision, shown, now, mac);
  if (!decision.ok) return { outcome: 'outdated', reason: decision.reason };
  const { grantId } = decision.value;
  const answer = decideAnswer(approval, teams, choice);
  if (!answer.ok) {
    const undone = describeGrant(grantId, session, asked, approval, null);
    if (answer.reason === 'user_denied') await denyClient(db, undone, now);
    return { outcome: 'refused', reason: answer.reason };
  }
  const team = answer.value;
  const grant = describeGrant(grantId, session, asked, approval, team);
  const connection = { client: asked.client, redirectUri: grant.redirectUri, team, scopes: approval.scopes };
  const { person } = session;
  const letter = writeLetter(connectionLetter(connection, person, now, deps.appUrl), person.email, deps);
  const isRemembered = choice.isRemembered && mayBeRemembered(asked.client);
  const isAllowed = await allowClient(db, grant, { isRemembered, letter }, lifetimes, now);
  if (!isAllowed) return { outcome: 'outdated', reason: 'decision_used_up' };
  deps.nudgeOutbox();
  return { outcome: 'allowed', grantId, code: await mintCode(grantId, mac) };
}
