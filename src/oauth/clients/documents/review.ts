import type { FastifyRequest } from 'fastify';
import { consume, type LimitReached, refund } from '../../../accounts/rate-limits/limits.ts';
import { limitsOfNetwork } from '../../../accounts/rate-limits/networks.ts';
import { auditContextOf, type Session } from '../../../accounts/sessions/session.ts';
import { systemContext } from '../../../platform/audit/store.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { Refusal } from '../../../result.ts';
import { decideDocumentChange } from '../edits/change.ts';
import { lockOwnClient } from '../edits/store.ts';
import { reviewRequestEmail } from '../emails.ts';
import { carryOut, emailAdmins, type SubmissionCapabilities } from '../submission.ts';
import { domainOfDocument, type ReadingFault } from './document.ts';
import { claimReading, keepUntil, type Requested, requestClient } from './store.ts';

type Capabilities = SubmissionCapabilities & Pick<Platform, 'readClientDocument' | 'log' | 'mail'>;

/**
 * Reads the document of an unknown app and puts it into review (contract §2). Bounded by person,
 * network and domain before anything is fetched, and by what waits already. What can't be read
 * counts for person and network alone.
 */
export async function requestReview(
  app: Capabilities,
  request: FastifyRequest,
  { person, idHash: sessionIdHash }: Session,
  url: string,
): Promise<Requested | LimitReached | Refusal<ReadingFault>> {
  const [asker, domain] = [String(person.id), domainOfDocument(url)];
  const ofDomain = [
    { kind: 'document_part', parts: [asker, domain] },
    { kind: 'document_domain', parts: [domain] },
  ] as const;
  const attempt = await consume(app, [
    { kind: 'document_request', parts: [asker] },
    ...limitsOfNetwork('document_network', request),
    ...ofDomain,
  ]);
  if (attempt.outcome === 'limited') return attempt;
  const read = await app.readClientDocument(url);
  if (!read.ok) {
    // Addresses that lead nowhere must not keep others from a domain.
    await refund(app, attempt.consumed.slice(-ofDomain.length));
    return read;
  }
  const { values, expiresAt: documentExpiresAt } = read.value;
  const client = { ...values, id: url, ownerId: null, type: 'public', documentExpiresAt } as const;
  const email = reviewRequestEmail('submitted', { ...client, owner: null }, app.config.appUrl);
  const notices = await emailAdmins(app.db, email, app);
  const requester = { id: person.id, sessionIdHash };
  return requestClient(app.db, client, requester, notices, auditContextOf(request));
}

const retrySeconds = 5 * 60;

/**
 * Reads a known app's document again if it's due. What has changed waits for review, as an owner's
 * edit does; if it can't be read, everything stays (draft, section 4.3).
 */
export async function refreshDocument(app: Capabilities, id: string): Promise<void> {
  const now = app.runtime.now();
  const retryAt = new Date(now.getTime() + retrySeconds * 1000);
  if (!(await claimReading(app.db, id, now, retryAt))) return;
  const read = await app.readClientDocument(id);
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
    const wanted = { ...values, logoId: current.logoId };
    const change = decideDocumentChange(current, wanted);
    return carryOut(tx, app, current, change, wanted, systemContext(app.runtime.now(), app.log));
  });
  app.log.info({ clientId: id, outcome }, 'a metadata document was read again');
  if (outcome !== 'unchanged') app.mail.nudge();
}
