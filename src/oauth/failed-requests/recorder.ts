import { createBucket } from '../../platform/limits/buckets.ts';
import { memoryLimits } from '../../platform/limits/limits.ts';
import { count } from '../../platform/metrics/counters.ts';
import type { Platform } from '../../platform/platform.ts';
import { newUuid } from '../../platform/runtime.ts';
import { toBase64url } from '../core/bytes.ts';
import { tokenRefusals } from '../core/refusal.ts';
import type { Diagnosis, NotRegistered } from './causes.ts';
import { clientIdIn, diagnose, type FailedRequest } from './diagnosis.ts';
import { type NotedRequest, storeFailedRequests } from './store.ts';

declare module '../../platform/platform.ts' {
  interface Platform {
    readonly failedRequests: ReturnType<typeof startFailedRequestRecorder>;
  }
}

const maxWaiting = 1000;
/** Unproven clients get half of the queue, so that made-up ids can't fill it. */
const maxClaimed = maxWaiting / 2;

/** What a browser asked for in an app's name, which isn't registered for it. */
export interface RefusedOnPage {
  readonly clientId: string;
  readonly cause: Extract<Diagnosis, { readonly kind: NotRegistered }>;
}

/** Stores after the answer, so that the endpoint neither waits for it nor fails with it. */
export function startFailedRequestRecorder(
  { db, runtime, log, permissions }: Pick<Platform, 'db' | 'runtime' | 'log' | 'permissions'>,
  delayMs: number,
) {
  const bucket = createBucket(memoryLimits.failed_requests, runtime);
  const mayStore = (clientId: string, reason: string): boolean =>
    bucket.take([[`${reason} ${clientId}`, 1]]).isAllowed;
  let waiting: NotedRequest[] = [];
  let dropped = 0;
  let timer: NodeJS.Timeout | undefined;
  let storing: Promise<void> = Promise.resolve();
  let isClosed = false;

  const note = (failed: FailedRequest): void => {
    const { requestId, at, refusal } = failed;
    const { reason, cause } = refusal;
    const clientId = clientIdIn(failed);
    // Apps with DPoP begin without a nonce, which is no failure.
    if (reason === 'client_not_found' || reason === 'use_dpop_nonce') return;
    if (isClosed || clientId === undefined) return;
    const isProven = ['invalid_grant', 'invalid_scope', 'invalid_target'].includes(tokenRefusals[reason][1]);
    if (waiting.length >= (isProven ? maxWaiting : maxClaimed) || !mayStore(clientId, reason)) {
      dropped += 1;
      count('failed_requests_dropped');
      return;
    }
    const secretHash = cause?.kind === 'secret_wrong' ? toBase64url(cause.hash) : undefined;
    const diagnosis = diagnose(failed, permissions.known);
    const row = { id: newUuid(runtime), clientId, requestId, reason, at, cause: diagnosis };
    push({ row, secretHash });
  };

  const push = (noted: NotedRequest): void => {
    waiting.push(noted);
    timer ??= setTimeout(flush, delayMs).unref();
  };

  const store = async (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    const noted = waiting;
    waiting = [];
    if (dropped > 0) log.warn({ dropped }, 'too many failed token requests to store them all');
    dropped = 0;
    if (noted.length > 0) await storeFailedRequests(db, noted);
  };

  const flush = (): Promise<void> => {
    storing = storing.then(store).catch((err: unknown) => {
      log.warn({ err }, 'failed token requests could not be stored');
    });
    return storing;
  };

  return {
    /** Never throws. */
    record(failed: FailedRequest): void {
      try {
        note(failed);
      } catch (err) {
        log.error({ err }, 'a failed token request could not be diagnosed');
      }
    },
    /** Anybody can open an address, so these are as many as unproven ones. */
    recordRefused({ clientId, cause }: RefusedOnPage, requestId: string): void {
      const reason = cause.kind;
      if (isClosed || waiting.length >= maxClaimed || !mayStore(clientId, reason)) return;
      const row = { id: newUuid(runtime), clientId, requestId, reason, at: runtime.now(), cause } as const;
      push({ row, secretHash: undefined });
    },
    flush,
    async close(): Promise<void> {
      isClosed = true;
      await flush();
    },
  };
}
