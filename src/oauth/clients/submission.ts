import { listAdminEmails, lockUser } from '../../accounts/store.ts';
import type { AuditContext } from '../../platform/audit/context.ts';
import { recordAuditEvent } from '../../platform/audit/store.ts';
import type { Db } from '../../platform/database.ts';
import { counted, spendAll } from '../../platform/limits/store.ts';
import { type Email, type RenderedEmail, renderEmail } from '../../platform/mail/email.ts';
import type { Platform } from '../../platform/platform.ts';
import type { IdTokenAlgorithm } from '../core/client.ts';
import { liveScopesOf } from './accepted.ts';
import {
  beginsToWait,
  type Change,
  type ClientValues,
  clientValuesOf,
  completeValues,
  decideChange,
  describeEdit,
  type LogoChange,
  type TypedValues,
  versionOf,
} from './edits/change.ts';
import {
  keepIdTokenAlgorithm,
  keepLogo,
  lockOwnClient,
  removeEdit,
  reviseClient,
  saveEdit,
} from './edits/store.ts';
import { reviewRequestEmail } from './emails.ts';
import { emailReviewers, maxClients, maxWaiting, noteEvent, type TooMany, takeSubmission } from './store.ts';

export type SubmissionCapabilities = Pick<Platform, 'db' | 'runtime' | 'secrets' | 'config' | 'permissions'>;

export const tooManyWords = {
  too_many_clients: `Nothing was submitted: you have ${maxClients} apps, the maximum. Delete one first.`,
  too_many_waiting: `Nothing was submitted: you already have ${maxWaiting} apps and changes in review. Try again when some have been reviewed.`,
} as const satisfies Record<TooMany, string>;

export const isTooMany = (outcome: string): outcome is TooMany => outcome in tooManyWords;

export async function emailAdmins(
  db: Db,
  email: Email,
  app: Pick<Platform, 'config' | 'runtime' | 'secrets'>,
): Promise<readonly RenderedEmail[]> {
  const admins = await listAdminEmails(db);
  return admins.map((address) => renderEmail(email, address, app));
}

export type LockedClient = NonNullable<Awaited<ReturnType<typeof lockOwnClient>>>;

/**
 * Returns `gone` if the user owns no such client, and `outdated` if it has changed since `version`.
 */
export async function submitChange(
  app: SubmissionCapabilities,
  client: { readonly id: string; readonly ownerId: number; readonly version: string },
  typed: TypedValues,
  by: AuditContext,
): Promise<Change | 'gone' | 'outdated' | TooMany> {
  return app.db.transaction(async (tx) => {
    await lockUser(tx, client.ownerId);
    const current = await lockOwnClient(tx, client.id, client.ownerId);
    if (current === undefined) return 'gone';
    if (versionOf(current) !== client.version) return 'outdated';
    const wanted = completeValues(current, typed);
    return carryOut(
      tx,
      app,
      { current, change: decideChange(current, wanted, app.permissions.known), wanted },
      by,
    );
  });
}

export async function withdrawEdit(
  app: SubmissionCapabilities,
  client: { readonly id: string; readonly ownerId: number; readonly version: string },
  by: AuditContext,
): Promise<'edit_withdrawn' | 'gone' | 'outdated' | 'nothing_to_withdraw'> {
  return app.db.transaction(async (tx) => {
    const current = await lockOwnClient(tx, client.id, client.ownerId);
    if (current === undefined) return 'gone';
    if (current.edit === undefined) return 'nothing_to_withdraw';
    if (versionOf(current) !== client.version) return 'outdated';
    await commitChange(tx, app, { current, change: 'edit_withdrawn', wanted: current }, by);
    return 'edit_withdrawn';
  });
}

interface Wanted<Decided> {
  readonly current: LockedClient;
  readonly change: Decided;
  readonly wanted: ClientValues;
}

export async function carryOut<Decided extends LogoChange>(
  tx: Db,
  app: SubmissionCapabilities,
  { current, change, wanted }: Wanted<Decided>,
  by: AuditContext,
): Promise<Decided | TooMany> {
  const { ownerId } = current;
  if (ownerId !== null && beginsToWait(current, change)) {
    const tooMany = await takeSubmission(tx, ownerId, by);
    if (tooMany !== undefined) return tooMany;
    // protects: C54
  } else if (change !== 'unchanged' && change !== 'edit_withdrawn') {
    const limit =
      ownerId === null
        ? counted('thing_changes', ['document', current.id])
        : counted('changes', ['client', ownerId]);
    await spendAll(tx, [limit], by.at);
  }
  await commitChange(tx, app, { current, change, wanted }, by);
  return change;
}

/** No review looks at the choice, because it gives nothing. */
export async function chooseIdTokenAlgorithm(
  tx: Db,
  client: LockedClient,
  idTokenAlgorithm: IdTokenAlgorithm,
  by: AuditContext,
): Promise<'chosen' | 'unchanged'> {
  const { id: clientId, ownerId: userId, name: label } = client;
  if (idTokenAlgorithm === client.idTokenAlgorithm) return 'unchanged';
  await spendAll(tx, [counted('changes', ['client', userId ?? clientId])], by.at);
  await keepIdTokenAlgorithm(tx, clientId, idTokenAlgorithm);
  const reason = `ID tokens: ${idTokenAlgorithm}`;
  await recordAuditEvent(tx, by, { action: 'client.edited', clientId, userId, label, reason });
  return 'chosen';
}

const inReview = { status: 'pending', rejectionReason: null, reviewedAt: null, reviewerId: null } as const;

async function commitChange(
  tx: Db,
  app: SubmissionCapabilities,
  { current, change, wanted }: Wanted<LogoChange>,
  by: AuditContext,
): Promise<void> {
  const { at: submittedAt } = by;
  const { id } = current;
  if (change === 'unchanged') return;
  if (change === 'kept') return keepLogo(tx, current, wanted.logoId);
  if (change === 'edit_submitted') await saveEdit(tx, id, wanted, submittedAt);
  else await removeEdit(tx, id);
  // Otherwise live values stay. The reason of a rejection stays in the history.
  const values = change === 'changed' || change === 'resubmitted' ? clientValuesOf(wanted) : {};
  const status = change === 'resubmitted' ? { ...inReview, submittedAt } : {};
  await reviseClient(tx, id, { ...values, ...status });
  await noteEvent(tx, { clientId: id, kind: change, actorId: current.ownerId }, by);
  const email = emailOf(change, current, wanted, app);
  if (email !== undefined) await emailReviewers(tx, await emailAdmins(tx, email, app), by);
}

/** Returns no email about what is in review already. */
function emailOf(change: Change, current: LockedClient, wanted: ClientValues, app: SubmissionCapabilities) {
  if (!beginsToWait(current, change)) return undefined;
  const { id, name, owner } = current;
  const submitted = { ...wanted, id, owner };
  if (change === 'resubmitted') return reviewRequestEmail(change, submitted, app);
  const live = { ...current, scopes: liveScopesOf(current, app.permissions.known) };
  const changes = describeEdit(live, wanted).map(({ field }) => field);
  return reviewRequestEmail('edit_submitted', { ...submitted, name }, app, changes);
}
