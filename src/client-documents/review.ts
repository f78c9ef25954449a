import type { FastifyRequest } from 'fastify';
import { auditContextOf, type Session } from '../accounts/sessions/session.ts';
import {
  type Change,
  type ClientValues,
  decideChange,
  type Editable,
  isRejected,
  isSame,
  valuesToEdit,
} from '../oauth/clients/edits/change.ts';
import { lockOwnClient } from '../oauth/clients/edits/store.ts';
import { reviewRequestEmail } from '../oauth/clients/emails.ts';
import {
  chooseIdTokenAlgorithm,
  commitChange,
  emailAdmins,
  type LockedClient,
  type SubmissionCapabilities,
} from '../oauth/clients/submission.ts';
import type { KnownScopes } from '../oauth/core/scope.ts';
import type { NamedClient } from '../oauth/store.ts';
import { type AuditContext, systemContext } from '../platform/audit/context.ts';
import type { Db } from '../platform/database.ts';
import { counted, spendAll, takeOne } from '../platform/limits/store.ts';
import type { Platform } from '../platform/platform.ts';
import { outOfTurn } from '../platform/turns.ts';
import type { Refusal } from '../result.ts';
import type { ReadingFault } from './document.ts';
import {
  claimReading,
  findRegisteredScopes,
  hasRoom,
  keepUntil,
  type Requested,
  requestClient,
} from './store.ts';

type Capabilities = SubmissionCapabilities & Pick<Platform, 'readClientDocument' | 'log' | 'mail'>;

/** Puts an unknown app into review (contract §2). Limits are checked before anything is fetched. */
export async function requestReview(
  app: Capabilities,
  request: FastifyRequest,
  { person, idHash: sessionIdHash }: Session,
  url: string,
): Promise<Requested | Refusal<ReadingFault>> {
  await spendAll(app.db, [counted('notable', ['document', person.id])], app.runtime.now());
  const read = await outOfTurn(() => app.readClientDocument(url, app.permissions.known));
  if (!read.ok) return read;
  const { values, expiresAt: documentExpiresAt } = read.value;
  const client = { ...values, id: url, ownerId: null, type: 'public', documentExpiresAt } as const;
  const email = reviewRequestEmail('submitted', { ...client, owner: null }, app);
  const notices = await emailAdmins(app.db, email, app);
  const requester = { id: person.id, sessionIdHash };
  return requestClient(app.db, client, requester, notices, auditContextOf(request));
}

const retrySeconds = 5 * 60;

/**
 * A change waits for review, as an owner's does. A failed reading changes nothing (draft, section
 * 4.3).
 */
async function refreshDocument(app: Capabilities, id: string): Promise<void> {
  const now = app.runtime.now();
  const retryAt = new Date(now.getTime() + retrySeconds * 1000);
  if (!(await claimReading(app.db, id, now, retryAt))) return;
  const { known } = app.permissions;
  const read = await app.readClientDocument(id, [...known, ...(await findRegisteredScopes(app.db, id))]);
  if (!read.ok) {
    app.log.info(
      { clientId: id, reason: read.reason, detail: read.detail },
      'a metadata document was not read',
    );
    return;
  }
  const { values, expiresAt } = read.value;
  const outcome = await app.db.transaction(async (tx) => {
    const current = await lockOwnClient(tx, id, null);
    if (current === undefined) return 'unchanged';
    await keepUntil(tx, id, expiresAt);
    const { idTokenAlgorithm = current.idTokenAlgorithm } = values;
    const wanted = { ...values, logoId: current.logoId };
    const by = systemContext(app.runtime.now(), app.log);
    await chooseIdTokenAlgorithm(tx, current, idTokenAlgorithm, by);
    return carryOut(tx, app, current, wanted, by);
  });
  app.log.info({ clientId: id, outcome }, 'a metadata document was read again');
  if (outcome !== 'unchanged') app.mail.nudge();
}

async function carryOut(
  tx: Db,
  app: Capabilities,
  current: LockedClient,
  wanted: ClientValues,
  by: AuditContext,
): Promise<Change | 'too_many_waiting' | 'too_many_changes'> {
  const change = decideDocumentChange(current, wanted, app.permissions.known);
  if (change === 'unchanged') return change;
  if (change === 'resubmitted' && !(await hasRoom(tx, current.id))) return 'too_many_waiting';
  // A change is kept in the app's history, or sends an email to every admin.
  const limit = counted('thing_changes', ['document', current.id]);
  if ((await takeOne(tx, limit, by.at)) === undefined) return 'too_many_changes';
  await commitChange(tx, app, current, change, wanted, by);
  return change;
}

function decideDocumentChange(client: Editable, wanted: ClientValues, offered: KnownScopes): Change {
  const isRepeated = isRejected(client) && isSame(valuesToEdit(client), wanted);
  return isRepeated ? 'unchanged' : decideChange(client, wanted, offered);
}

export function createRefreshes() {
  const refreshes = new Set<Promise<void>>();
  return {
    refreshSoon(app: Capabilities, { id, documentExpiresAt }: NamedClient): void {
      if (documentExpiresAt === null || documentExpiresAt > app.runtime.now()) return;
      const refresh = refreshDocument(app, id)
        .catch((err: unknown) => app.log.warn({ err }, 'a metadata document was not refreshed'))
        .finally(() => refreshes.delete(refresh));
      refreshes.add(refresh);
    },
    async finish(): Promise<void> {
      await Promise.all(refreshes);
    },
  };
}
