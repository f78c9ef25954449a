import { developerHome } from '../../oauth/clients/own-client.ts';
import { createBucket } from '../../platform/limits/buckets.ts';
import { memoryLimits } from '../../platform/limits/limits.ts';
import { around } from '../../platform/limits/whose.ts';
import { after, longestRetrySeconds, retrySeconds } from '../../platform/mail/delivery.ts';
import { renderEmail } from '../../platform/mail/email.ts';
import { addToOutbox } from '../../platform/mail/store.ts';
import { count } from '../../platform/metrics/counters.ts';
import { type Outbound, OutboundError } from '../../platform/outbound.ts';
import type { Platform } from '../../platform/platform.ts';
import { isPublicAddress, isWithinRanges } from '../../platform/public-address.ts';
import { queueTransaction } from '../../platform/queue/store.ts';
import {
  claimAndSettle,
  type Delivery,
  doWhatIsDue,
  startWorker,
  type Work,
  writeWhileLeased,
} from '../../platform/queue/worker.ts';
import type { WebhookOwner } from '../store.ts';
import { decryptWebhookUrl, webhookAnswers, webhookHeaders, webhookSecrets } from '../webhook.ts';
import {
  type ClaimedWebhook,
  claimWebhooks,
  type DueDelivery,
  findDue,
  listRecipients,
  releaseWebhook,
  settleAttempt,
} from './store.ts';

/** The lease is longer than any attempt takes. */
export const deliveryLeaseSeconds = 30;
const usualAttemptMs = 10_000;
/** A delivery shows so many bytes of its answer. */
const maxKeptAnswer = 1024;
const places = 8;
const failingDays = 3;
/** A host that hangs leaves half of the places for others. */
const placesOfHost = places / 2;
/** A webhook whose owner or maker may not hear is checked again after this. */
const silentSeconds = 600;

export interface WebhookDeliveryOptions
  extends Pick<Platform, 'config' | 'db' | 'runtime' | 'secrets' | 'log'> {
  readonly outbound: Outbound;
  readonly attemptMs?: number;
}

interface Deps extends WebhookDeliveryOptions {
  readonly hosts: ReturnType<typeof createHostLimits>;
  readonly cut: AbortSignal;
}

/** Delivers in the background until it is stopped; what a stop can't wait for is given back. */
export function startWebhookDelivery(options: WebhookDeliveryOptions): Delivery {
  const cutting = new AbortController();
  return startWorker([workOf(options, cutting.signal, places)], () => cutting.abort());
}

/**
 * Only public addresses are allowed; in development over http, this machine's, too (security C43).
 */
export function mayReceive({ appUrl }: Pick<Platform['config'], 'appUrl'>, address: string): boolean {
  const isDevelopment = new URL(appUrl).protocol === 'http:';
  return isPublicAddress(address) || (isDevelopment && isWithinRanges(address, ['127.0.0.0/8', '::1']));
}

export async function deliverDueWebhooks(options: WebhookDeliveryOptions): Promise<void> {
  await doWhatIsDue([workOf(options, new AbortController().signal, 1)]);
}

function workOf(options: WebhookDeliveryOptions, cut: AbortSignal, places: number): Work {
  const deps = { ...options, cut, hosts: createHostLimits(options.runtime, placesOfHost) };
  return claimAndSettle(
    deps,
    { what: 'the queue of webhooks', leaseSeconds: deliveryLeaseSeconds, places },
    (claim) => claimWebhooks(deps.db, deps.config.lifetimes, claim),
    (claimed) => deliverNext(deps, claimed),
  );
}

async function deliverNext(deps: Deps, webhook: ClaimedWebhook): Promise<void> {
  const { db, runtime, cut, hosts } = deps;
  const { id, subscriberUrl, isHeard, account } = webhook;
  const now = runtime.now();
  if (!isHeard) return releaseWebhook(db, webhook, now, after(now, silentSeconds));
  const due = await findDue(db, id, now);
  if (due === undefined) return releaseWebhook(db, webhook, now);
  const { hostname } = new URL(subscriberUrl);
  const pausedUntil = hosts.enter(hostname, account);
  if (pausedUntil !== undefined) return releaseWebhook(db, webhook, now, pausedUntil);
  const startedAt = performance.now();
  const { status, failure, encryptedAnswer } = await send(deps, webhook, due).finally(() =>
    hosts.leave(hostname),
  );
  const isDelivered = status !== null && status >= 200 && status < 300;
  if (!isDelivered && cut.aborted) return releaseWebhook(db, webhook, runtime.now());
  const attempt = { status, failure, encryptedAnswer, durationMs: Math.round(performance.now() - startedAt) };
  await writeWhileLeased(() => settle(deps, webhook, due, attempt, isDelivered), deliveryLeaseSeconds);
}

interface Answered {
  readonly status: number | null;
  readonly failure: string | null;
  readonly encryptedAnswer: Uint8Array | null;
}

async function send(
  { outbound, secrets, runtime, cut, attemptMs = usualAttemptMs }: Deps,
  webhook: ClaimedWebhook,
  { eventId, body }: DueDelivery,
): Promise<Answered> {
  const secret = webhookSecrets.decrypt(secrets, webhook.encryptedSecret);
  const url = decryptWebhookUrl(secrets, webhook);
  if (secret === undefined || url === undefined)
    return { status: null, failure: 'secret_unreadable', encryptedAnswer: null };
  try {
    const { status, text } = await outbound.fetch(url, {
      method: 'POST',
      headers: webhookHeaders(secret, { id: eventId, body, now: runtime.now() }),
      body,
      redirect: 'manual',
      discardsBody: true,
      keptBytes: maxKeptAnswer,
      signal: AbortSignal.any([AbortSignal.timeout(attemptMs), cut]),
    });
    const encryptedAnswer = text === '' ? null : webhookAnswers.encrypt(secrets, text); // protects: C333
    return { status, failure: null, encryptedAnswer };
  } catch (error) {
    if (error instanceof OutboundError) return { status: null, failure: error.reason, encryptedAnswer: null };
    throw error;
  }
}

type Attempted = Answered & { readonly durationMs: number };

/** Writes what came of an attempt. A webhook that only failed for days is turned off. */
async function settle(
  deps: Deps,
  webhook: ClaimedWebhook,
  due: DueDelivery,
  attempt: Attempted,
  isDelivered: boolean,
): Promise<void> {
  const { db, runtime, log } = deps;
  const now = runtime.now();
  const { id, failingSince } = webhook;
  const isGivenUp = !isDelivered && now >= due.giveUpAt;
  const isDisabled =
    !isDelivered && failingSince !== null && now >= after(failingSince, failingDays * 86_400);
  const outcome =
    isDelivered || isGivenUp
      ? ({ settledAt: now, outcome: isDelivered ? 'delivered' : 'failed' } as const)
      : { settledAt: null, outcome: null, dueAt: after(now, retrySeconds(due.attempts + 1)) };
  const state = {
    failingSince: isDelivered ? null : (failingSince ?? now),
    ...(isDisabled ? { active: false, disabledAt: now } : {}),
  };
  await queueTransaction(db, async (tx) => {
    const written = { webhook, due, outcome: { ...attempt, ...outcome }, state };
    if (!(await settleAttempt(tx, written, now)) || !isDisabled) return;
    for (const { email, owner } of await listRecipients(tx, id)) {
      const told = disabledEmail(deps, webhook, webhookPage(owner, id));
      await addToOutbox(tx, [renderEmail(told, email, deps)], now);
    }
  });
  count('webhook_deliveries', isDelivered ? 'delivered' : isGivenUp ? 'given_up' : 'failed');
  // No log has what another server says.
  const { encryptedAnswer: _, ...logged } = attempt;
  const told = { webhook: { id, event: due.eventId, ...logged, isDisabled } };
  if (isDelivered) log.debug(told, 'event delivered to a webhook');
  else log.warn(told, 'event not delivered to a webhook');
}

function disabledEmail({ config }: Deps, { subscriberUrl }: ClaimedWebhook, page: string) {
  const { host } = new URL(subscriberUrl);
  return {
    priority: 'ordinary',
    subject: `Webhook turned off: ${host}`,
    text: [
      `For ${failingDays} days, your webhook at ${host} has answered no event with success, so we turned it off. Events that were waiting are dropped.`,
    ],
    button: { words: 'View webhook', address: `${config.appUrl}${page}` },
    advice: ['When your server works again, turn the webhook on.'],
  } as const;
}

export function webhookPage(owner: WebhookOwner, id?: string): string {
  const end = id === undefined ? '/webhooks' : `/webhooks/${id}`;
  if ('userId' in owner) return `/settings${end}`;
  return 'teamId' in owner
    ? `/settings/teams/${owner.teamId}${end}`
    : `${developerHome}/${encodeURIComponent(owner.clientId)}${end}`;
}

const pauseMs = 10_000;

/** Limits what this instance sends to one host. */
export function createHostLimits(runtime: Platform['runtime'], maxOpen: number) {
  const bucket = createBucket(memoryLimits.deliveries, runtime);
  const open = new Map<string, number>();
  const pausedUntil = new Map<string, number>();
  /** Requests come back one after another, because a crowd together would find no room. */
  const pause = (key: string, perMinute: number): Date => {
    const now = runtime.now().getTime();
    for (const [former, until] of pausedUntil) if (until <= now) pausedUntil.delete(former);
    const behind = (pausedUntil.get(key) ?? 0) + 60_000 / perMinute;
    const until = Math.min(Math.max(now + pauseMs, behind), now + longestRetrySeconds * 1000);
    pausedUntil.set(key, until);
    return new Date(until);
  };
  return {
    /** Returns when to ask again; undefined means that it may be sent to now, until `leave`. */
    enter(hostname: string, account: string): Date | undefined {
      const isOpen = open.get(hostname) ?? 0;
      const own = [`${account} ${hostname}`, 1] as const;
      const all = [hostname, around] as const;
      if (isOpen >= maxOpen || !bucket.hasRoom([all])) return pause(hostname, bucket.max * around); // protects: C241
      if (!bucket.take([own, all]).isAllowed) return pause(own[0], bucket.max); // protects: C126
      open.set(hostname, isOpen + 1);
      return undefined;
    },
    leave(hostname: string): void {
      const left = (open.get(hostname) ?? 0) - 1;
      if (left > 0) open.set(hostname, left);
      else open.delete(hostname);
    },
  };
}
