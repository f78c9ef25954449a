import type { BaseLogger } from 'pino';
import type { Db } from '../../io/database.ts';
import { createLimit } from '../../io/limit.ts';
import { newUuid, type System } from '../../io/system.ts';
import { type ExaminationTools, examineFailure, type Findings, isOpen, settle } from '../core/examination.ts';
import { type FailedRequest, readPresented } from './presented.ts';
import { keepFailures, type NotedFailure } from './store.ts';
import { adviseOn } from './words.ts';

/** Keeps failed token requests for the client's owner, behind the endpoint's back: it neither waits for this nor hears of its faults. */
export interface FailureRecorder {
  /** Takes note of a failure. Never throws. */
  record(failed: FailedRequest): void;
  /** Resolves when all that was noted is written, or given up. Never rejects. */
  flush(): Promise<void>;
  /** Writes what was noted, and takes no more. */
  close(): Promise<void>;
}

export interface FailureRecorderDeps extends ExaminationTools {
  readonly db: Db;
  readonly system: System;
  readonly log: BaseLogger;
  /** How long failures are gathered before they are written together. */
  readonly delayMs: number;
}

const mostWaiting = 1000;
/** For failures of clients that the request only claims: whoever makes up ids cannot fill the queue with them. */
const mostClaimed = mostWaiting / 2;
/** Of one client and reason in a minute, on each instance; more of the same would only push each other out. */
const mostOfReason = 30;

/** Notes failures and writes them in the background until it is closed. */
export function startFailureRecorder(deps: FailureRecorderDeps): FailureRecorder {
  const { db, system, log, delayMs } = deps;
  const limit = createLimit(mostOfReason, system);
  const examinations = new Set<Promise<void>>();
  let waiting: NotedFailure[] = [];
  let dropped = 0;
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();
  let isClosed = false;

  const examine = async (failed: FailedRequest): Promise<void> => {
    const presented = readPresented(failed);
    const { requestId, refusal, at } = failed;
    if (presented === undefined || refusal.reason === 'client_not_found') return;
    const { clientId } = presented;
    const isFull = waiting.length >= (refusal.cause === undefined ? mostClaimed : mostWaiting);
    if (isFull || !limit.allows(`${refusal.reason} ${clientId}`)) {
      dropped += 1;
      return;
    }
    const examined = await examineFailure(refusal, presented, deps);
    waiting.push({ id: newUuid(system), clientId, requestId, reason: refusal.reason, at, examined });
    timer ??= setTimeout(flush, delayMs).unref();
  };

  const write = async (): Promise<void> => {
    await Promise.all(examinations);
    clearTimeout(timer);
    timer = undefined;
    const batch = waiting;
    waiting = [];
    if (dropped > 0) log.warn({ dropped }, 'failed token requests were too many to be kept for their owners');
    dropped = 0;
    if (batch.length > 0) await keepFailures(db, batch, explain);
  };

  const flush = (): Promise<void> => {
    writing = writing.then(write).catch((err: unknown) => {
      log.warn({ err }, 'failed token requests could not be kept for their owners');
    });
    return writing;
  };

  return {
    record(failed) {
      if (isClosed) return;
      const examination = examine(failed)
        .catch((err: unknown) => log.error({ err }, 'a failed token request could not be explained'))
        .finally(() => examinations.delete(examination));
      examinations.add(examination);
    },
    flush,
    async close() {
      isClosed = true;
      await flush();
    },
  };
}

/** What an owner is told of a failure, now that the database was asked. */
function explain({ examined, at }: NotedFailure, findings: Findings) {
  return adviseOn(isOpen(examined) ? settle(examined, findings, at) : examined);
}
