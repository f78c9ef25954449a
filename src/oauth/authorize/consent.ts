import { datesFor } from '../../accounts/emails.ts';
import { listManagedTeams } from '../../accounts/groups/store.ts';
import type { Person } from '../../accounts/person.ts';
import { isRecentSignIn, type Session } from '../../accounts/sessions/session.ts';
import type { AuditContext } from '../../platform/audit/context.ts';
import { type Email, renderEmail } from '../../platform/mail/email.ts';
import type { Platform } from '../../platform/platform.ts';
import { newUuid } from '../../platform/runtime.ts';
import { ok, type Result } from '../../result.ts';
import { hostOfApp } from '../app-identity.ts';
import {
  type Approval,
  decideAnswer,
  decideApproval,
  decideRemembered,
  isPageAskedFor,
  mayBeRemembered,
  type Team,
} from '../core/authorization.ts';
import { issueCode } from '../core/code.ts';
import { issueDecision, readDecision, type ShownRequest } from '../core/decision-token.ts';
import type { AuthorizationRefusalReason } from '../core/refusal.ts';
import type { GrantedScopes } from '../core/scope.ts';
import { describePermissions, describeResources, knownResources, type Permissions } from '../permissions.ts';
import type { NamedClient, NewGrant } from '../store.ts';
import type { ConsentAnswer, ValidRequest } from './request.ts';
import {
  allowClient,
  denyClient,
  findPastConsent,
  isForMore,
  issueRemembered,
  type PastConsent,
} from './store.ts';

type Capabilities = Pick<Platform, 'db' | 'parts' | 'runtime' | 'secrets' | 'config' | 'permissions'>;

export interface ConsentRequest {
  readonly approval: Approval;
  readonly teams: readonly Team[];
  readonly shown: ShownRequest;
}

export async function prepareConsent(
  { db, config, permissions }: Pick<Platform, 'db' | 'config' | 'permissions'>,
  session: Session,
  { client, request }: ValidRequest,
): Promise<Result<ConsentRequest, AuthorizationRefusalReason>> {
  const teams = await listManagedTeams(db, session.person.id);
  const approval = decideApproval(client, request, teams, knownResources(config), permissions.known);
  if (!approval.ok) return approval;
  const shown = { sessionName: session.idHash, request, scopes: approval.value.scopes };
  return ok({ approval: approval.value, teams, shown });
}

export interface ConsentPrompt {
  readonly past: PastConsent;
  /** Allow would change more than now in the account that is chosen first. */
  readonly mustConfirm: boolean;
  /** Consent is remembered, but nobody navigated to the page, so it is shown. */
  readonly isRemembered: boolean;
  /** The proof for the form, with the id of the grant that Allow would create. */
  readonly decision: string;
}

/** Only a navigation by the user's own browser is answered: a prefetch must not create grants. */
export async function answerRemembered(
  { db, runtime, secrets, config: { lifetimes }, permissions: { known } }: Capabilities,
  session: Session,
  valid: ValidRequest,
  { approval, teams, shown }: ConsentRequest,
  isNavigation: boolean,
  by: AuditContext,
): Promise<
  | { readonly outcome: 'allowed'; readonly code: string; readonly grantId: string }
  | { readonly outcome: 'ask'; readonly prompt: ConsentPrompt }
> {
  const [now, grantId] = [runtime.now(), newUuid(runtime)];
  const past = await findPastConsent(db, session.person.id, valid.client.id, approval, lifetimes, now);
  const { redirectUri } = valid.destination;
  const account = decideRemembered(valid.client, { ...approval, redirectUri }, teams, past.remembered);
  const team = account.ok ? account.value : approval.team;
  const grant = describeGrant(grantId, session, valid, approval, team);
  const mustConfirm = !isRecentSignIn(session, now) && (await isForMore(db, grant, lifetimes, now, known));
  if (
    isNavigation &&
    !mustConfirm &&
    !isPageAskedFor(valid.request) &&
    account.ok &&
    past.remembered !== undefined
  ) {
    const remembered = { appName: valid.client.name, rememberedAt: past.remembered.rememberedAt };
    if (await issueRemembered(db, grant, remembered, lifetimes, by))
      return {
        outcome: 'allowed',
        grantId,
        code: await issueCode(grantId, secrets, valid.request.scope !== undefined),
      };
  }
  const decision = await issueDecision(shown, grantId, now, secrets);
  return { outcome: 'ask', prompt: { past, mustConfirm, isRemembered: account.ok, decision } };
}

export type ConsentOutcome =
  | { readonly outcome: 'allowed'; readonly code: string; readonly grantId: string }
  | { readonly outcome: 'refused'; readonly reason: AuthorizationRefusalReason }
  | { readonly outcome: 'confirm' | 'allowed_before' }
  | {
      readonly outcome: 'outdated';
      readonly reason: 'decision_not_bound' | 'decision_too_old' | 'decision_used_up';
    };

/** Checks everything again: the form isn't trusted. */
export async function carryOutAnswer(
  app: Capabilities,
  session: Session,
  valid: ValidRequest,
  consent: ConsentAnswer,
  by: AuditContext,
): Promise<ConsentOutcome> {
  const { runtime, secrets, config, permissions } = app;
  const now = runtime.now();
  const prepared = await prepareConsent(app, session, valid);
  if (!prepared.ok) return { outcome: 'refused', reason: prepared.reason };
  const { approval, teams, shown } = prepared.value;
  const decision = await readDecision(consent.decision, shown, now, secrets);
  if (!decision.ok) return { outcome: 'outdated', reason: decision.reason };
  const { grantId } = decision.value;
  const answer = decideAnswer(approval, teams, consent);
  if (!answer.ok) {
    const denied = describeGrant(grantId, session, valid, approval, null);
    if (answer.reason === 'user_denied') await denyClient(app, denied, by);
    return { outcome: 'refused', reason: answer.reason };
  }
  const team = answer.value;
  const grant = describeGrant(grantId, session, valid, approval, team);
  const resources = describeResources(approval.resources, config);
  const { client } = valid;
  const access = { client, redirectUri: grant.redirectUri, team, scopes: approval.scopes, resources };
  const message = newAccessEmail(access, session.person, now, config.appUrl, permissions);
  const email = renderEmail(message, session.person.email, app);
  const isRemembered = consent.isRemembered && mayBeRemembered(client, approval);
  const isRecent = isRecentSignIn(session, now);
  const outcome = await allowClient(
    app,
    grant,
    { sessionIdHash: session.idHash, isRecent, appName: client.name, isRemembered, email },
    by,
  );
  if (outcome === 'used_up') return { outcome: 'outdated', reason: 'decision_used_up' };
  if (outcome !== 'allowed') return { outcome };
  return {
    outcome: 'allowed',
    grantId,
    code: await issueCode(grantId, secrets, valid.request.scope !== undefined),
  };
}

function describeGrant(
  id: string,
  session: Session,
  { client, destination }: ValidRequest,
  { scopes, resources, codeChallenge, dpopJkt }: Approval,
  team: Team | null,
): NewGrant {
  const parties = { clientId: client.id, userId: session.person.id, teamId: team?.id ?? null };
  const bindings = { redirectUri: destination.redirectUri, codeChallenge, dpopJkt };
  return { id, ...parties, scopes, resources, ...bindings };
}

export interface NewAccess {
  readonly client: Pick<NamedClient, 'id' | 'name' | 'websiteUrl'>;
  readonly redirectUri: string;
  readonly team: Team | null;
  readonly scopes: GrantedScopes;
  readonly resources: string | undefined;
}

/** A stranger's approval shows up here. */
function newAccessEmail(
  { client, redirectUri, team, scopes, resources }: NewAccess,
  person: Person,
  now: Date,
  appUrl: string,
  permissions: Permissions,
): Email {
  return {
    subject: `You gave ${client.name} access to your account`,
    text: ['You approved an app:'],
    facts: [
      ['App', client.name],
      ['From', hostOfApp(client, redirectUri) ?? 'no website given'],
      ['Account', team === null ? person.email : `the team ${team.name}`],
      ...(resources === undefined ? [] : [['For', resources] as const]),
      ['When', datesFor(person).momentOf(now)],
      ['It can', describePermissions(permissions, scopes).join('\n')],
    ],
    button: { words: 'View connected apps', address: `${appUrl}/settings/apps` },
    advice: [
      'If this was you, no action is needed. If not, remove the app’s access and change your password.',
    ],
  };
}
