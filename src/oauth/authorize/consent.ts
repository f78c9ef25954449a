import { wordsFor } from '../../accounts/emails.ts';
import { isRecentSignIn } from '../../accounts/sessions/session.ts';
import type { AuditContext } from '../../platform/audit/context.ts';
import type { Db } from '../../platform/database.ts';
import { renderEmail } from '../../platform/mail/email.ts';
import type { Platform } from '../../platform/platform.ts';
import { newUuid } from '../../platform/runtime.ts';
import { ok, type Result, refuse } from '../../result.ts';
import {
  type Approval,
  decideAnswer,
  decideApproval,
  isPageAskedFor,
  type Team,
} from '../core/authorization.ts';
import { issueCode } from '../core/code.ts';
import { issueDecision, readDecision, type ShownRequest } from '../core/decision-token.ts';
import type { AuthorizationRefusalReason } from '../core/refusal.ts';
import { decideRemembered, mayBeRemembered } from '../core/remembered.ts';
import { findSignInFault, isSilent, takesNewSignIn } from '../core/sign-in-request.ts';
import { ownMeaning, rulesOf } from '../own-scopes.ts';
import { describeResources, isOnlySignIn, knownResources } from '../permissions.ts';
import { listHeld, type NewGrant } from '../store.ts';
import { newAccessEmail } from './emails.ts';
import { type AskedFor, findProposed } from './hints.ts';
import type { ConsentAnswer, ValidRequest } from './request.ts';
import { allowClient, denyClient, isForMore, issueRemembered, type PastConsent } from './store.ts';

type Capabilities = Pick<
  Platform,
  'db' | 'languages' | 'parts' | 'runtime' | 'secrets' | 'config' | 'permissions'
>;

export interface ConsentRequest {
  readonly approval: Approval;
  readonly teams: readonly Team[];
  readonly shown: ShownRequest;
}

function prepareConsent(
  { config, permissions }: Pick<Platform, 'config' | 'permissions'>,
  { client, request, isSignIn, session, teams, fault }: ValidRequest,
): Result<ConsentRequest, AuthorizationRefusalReason> {
  if (fault !== undefined) throw fault;
  const approval = decideApproval(client, request, teams, knownResources(config), rulesOf(permissions.known));
  if (!approval.ok) return approval;
  const signInFault = isSignIn ? findSignInFault(request) : undefined;
  if (signInFault !== undefined) return refuse(signInFault);
  const shown = { sessionName: session.idHash, request, scopes: approval.value.scopes };
  const { scopes } = approval.value;
  return ok({ approval: approval.value, teams: isOnlySignIn(scopes) ? [] : teams, shown });
}

export type ConsentOutcome =
  | { readonly outcome: 'allowed'; readonly code: string }
  | { readonly outcome: 'refused'; readonly reason: AuthorizationRefusalReason }
  | { readonly outcome: 'sign_in' | 'confirm' | 'sign_in_again' | 'allowed_before' }
  | { readonly outcome: 'outdated'; readonly reason: string }
  | ConsentPrompt;

export interface ConsentPrompt extends Omit<ConsentRequest, 'shown'> {
  readonly outcome: 'ask';
  readonly past: PastConsent;
  /** Consent is remembered, but nobody navigated to the page, so it is shown. */
  readonly isRemembered: boolean;
  readonly askedFor: AskedFor | undefined;
  /** The form's proof has the id of the grant that Allow would create. */
  readonly decision: string;
}

/** Remembered consent is used only for the user's own navigation: a prefetch creates no grant. */
export async function answerVisit(
  app: Capabilities,
  valid: ValidRequest,
  isNavigation: boolean,
  by: AuditContext,
): Promise<ConsentOutcome> {
  const { db, runtime, secrets, config, permissions } = app;
  const { lifetimes } = config;
  const { client, request: asked, isSignIn, isHintKnown, destination, session, past } = valid;
  const prepared = prepareConsent(app, valid);
  if (!prepared.ok) return { outcome: 'refused', reason: prepared.reason };
  const { approval, teams, shown } = prepared.value;
  const [now, grantId] = [runtime.now(), newUuid(runtime)];
  const isForNobody = isSignIn && isSilent(asked);
  const refuseSilently = (reason: AuthorizationRefusalReason) => ({ outcome: 'refused', reason }) as const;
  const askedFor = findProposed(asked, session.person);
  if (isSignIn && takesNewSignIn(asked, session.authenticatedAt, now))
    return isForNobody ? refuseSilently('login_required') : { outcome: 'sign_in_again' };
  const { redirectUri } = destination;
  const account = decideRemembered(client, { ...approval, redirectUri }, teams, past.remembered, ownMeaning);
  const team = account.ok ? account.value : approval.team;
  const grant = describeGrant(grantId, valid, approval, team);
  // Allow would change more than the app can now in the account that is chosen first.
  if (
    !isRecentSignIn(session, now) && // protects: C203
    isForMore(grant, await listHeld(db, grant, lifetimes, now), permissions.known)
  )
    return isForNobody ? refuseSilently('login_required') : { outcome: 'confirm' };
  const mayBeSilent = isNavigation && isHintKnown && askedFor === undefined; // protects: C341
  // protects: C228
  if (mayBeSilent && !isPageAskedFor(asked, isSignIn) && account.ok && past.remembered !== undefined) {
    const { rememberedAt } = past.remembered;
    const keeping = keepRequest(app, valid, grantId, now);
    const remembered = { appName: client.name, rememberedAt, keepRequest: keeping };
    if (await issueRemembered(app, grant, remembered, by)) return allow(app, valid, grantId);
  }
  if (isForNobody) {
    // An app that nobody approved learns nothing of who is signed in.
    if (!account.ok) return refuseSilently('consent_required'); // protects: C341
    return refuseSilently(isNavigation && askedFor !== undefined ? 'login_required' : 'interaction_required');
  }
  const decision = await issueDecision(shown, grantId, now, secrets);
  return { outcome: 'ask', approval, teams, past, isRemembered: account.ok, askedFor, decision };
}

async function allow(
  { secrets }: Pick<Platform, 'secrets'>,
  { request, isSignIn }: ValidRequest,
  grantId: string,
): Promise<ConsentOutcome> {
  const code = await issueCode(grantId, secrets, {
    isScopeAsked: request.scope !== undefined,
    isForSignIn: isSignIn,
  });
  return { outcome: 'allowed', code };
}

function keepRequest(
  { parts }: Pick<Platform, 'parts'>,
  { request, isSignIn, session: { authenticatedAt } }: ValidRequest,
  grantId: string,
  at: Date,
) {
  const keepers = isSignIn ? parts.flatMap((part) => part.oauth?.keepRequest ?? []) : [];
  return async (tx: Db): Promise<void> => {
    for (const keep of keepers) await keep(tx, { grantId, request, authenticatedAt, at });
  };
}

/** Checks everything again, because the form isn't trusted. */
export async function carryOutAnswer(
  app: Capabilities,
  valid: ValidRequest,
  sent: Result<ConsentAnswer, 'answer_malformed'>,
  by: AuditContext,
): Promise<ConsentOutcome> {
  const { runtime, secrets, config } = app;
  const { client, request: asked, isSignIn, session, past } = valid;
  if (!sent.ok) return { outcome: 'outdated', reason: sent.reason };
  const now = runtime.now();
  const prepared = prepareConsent(app, valid);
  if (!prepared.ok) return { outcome: 'refused', reason: prepared.reason };
  const { approval, teams, shown } = prepared.value;
  const decision = await readDecision(sent.value.decision, shown, now, secrets);
  if (!decision.ok) return { outcome: 'outdated', reason: decision.reason };
  const { grantId } = decision.value;
  if (isSignIn && takesNewSignIn(asked, session.authenticatedAt, now)) return { outcome: 'sign_in_again' };
  const answer = decideAnswer(approval, teams, sent.value);
  if (!answer.ok) {
    const denied = describeGrant(grantId, valid, approval, null);
    if (answer.reason === 'user_denied') await denyClient(app, denied, by);
    return { outcome: 'refused', reason: answer.reason };
  }
  const team = answer.value;
  const grant = describeGrant(grantId, valid, approval, team);
  const words = await wordsFor(app, session.person);
  const resources = describeResources(approval.resources, config, words);
  const { redirectUri } = grant;
  const { person } = session;
  const isKnown = past.approved?.isRemoved === false;
  const access = { client, redirectUri, team, teams, scopes: approval.scopes, resources, person, isKnown };
  const email = renderEmail(newAccessEmail(access, app, words), person.email, app);
  const isRemembered = sent.value.isRemembered && mayBeRemembered(client, approval);
  const isRecent = isRecentSignIn(session, now);
  const keeping = keepRequest(app, valid, grantId, now);
  const consent = { appName: client.name, isRemembered, isRecent, email, keepRequest: keeping };
  const outcome = await allowClient(app, grant, { ...consent, sessionIdHash: session.idHash }, by);
  if (outcome === 'used_up') return { outcome: 'outdated', reason: 'decision_used_up' };
  return outcome === 'allowed' ? allow(app, valid, grantId) : { outcome };
}

function describeGrant(
  id: string,
  { client, destination, session }: ValidRequest,
  { scopes, resources, codeChallenge, dpopJkt }: Approval,
  team: Team | null,
): NewGrant {
  const parties = { clientId: client.id, userId: session.person.id, teamId: team?.id ?? null };
  const bindings = { redirectUri: destination.redirectUri, codeChallenge, dpopJkt };
  return { id, ...parties, scopes, resources, ...bindings };
}
