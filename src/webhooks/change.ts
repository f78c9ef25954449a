import type { z } from 'zod';
import { refuseIfReached } from '../platform/limits/buckets.ts';
import type { Platform } from '../platform/platform.ts';
import { newUuid } from '../platform/runtime.ts';
import { ok, type Result, refuse } from '../result.ts';
import { findAccountOf, listDeliveries, resendDelivery, type ShownDelivery } from './delivery/store.ts';
import { addEvent } from './events/store.ts';
import { addressFaultOf, type appWebhookChanges, type newAppWebhook } from './request.ts';
import type { WebhookRefusal } from './response.ts';
import {
  changeWebhook,
  createWebhook,
  findWebhook,
  keepWebhook,
  type Webhook,
  type WebhookCaller,
  type WebhookChanges,
  type WebhookOwner,
} from './store.ts';
import { decryptWebhookUrl, encryptWebhookUrl, newWebhookSecret, webhookSecrets } from './webhook.ts';

type Saving = Pick<Platform, 'config' | 'db' | 'runtime' | 'secrets'>;
type App = Saving & Pick<Platform, 'bookingEvents' | 'buckets'>;

export async function addWebhook(
  { config, db, runtime, secrets }: Saving,
  caller: WebhookCaller,
  { subscriberUrl, triggers, active, secret = newWebhookSecret({ runtime }) }: z.output<typeof newAppWebhook>,
): Promise<Result<Webhook & { readonly secret: string }, WebhookRefusal>> {
  const fault = addressFaultOf(subscriberUrl, config);
  if (fault !== undefined) return refuse(fault);
  const values = {
    id: newUuid(runtime),
    ...encryptWebhookUrl(secrets, subscriberUrl),
    triggers,
    active,
    encryptedSecret: webhookSecrets.encrypt(secrets, secret),
  };
  const created = await createWebhook(db, caller, values);
  return created.ok ? ok({ ...created.value, secret }) : created;
}

export async function editWebhook(
  { config, db, secrets }: Saving,
  caller: WebhookCaller,
  id: string,
  { subscriberUrl, triggers, active, secret }: z.output<typeof appWebhookChanges>,
): Promise<Result<Webhook, WebhookRefusal>> {
  const { owner, maker } = caller;
  const fault = addressFaultOf(subscriberUrl, config);
  if (fault !== undefined) return refuse(fault);
  const found = await findWebhook(db, owner, id);
  if (found === undefined) return refuse('not_found');
  // Through another's webhook, an app would hear after its access has ended (security C134).
  const isMoved = subscriberUrl !== undefined && subscriberUrl !== decryptWebhookUrl(secrets, found);
  const isRedirected = secret !== undefined || isMoved; // protects: C134
  // protects: C134
  if (isRedirected && maker?.appId !== undefined && maker.appId !== found.appId) return refuse('not_its_own');
  const encryptedSecret = secret === undefined ? undefined : webhookSecrets.encrypt(secrets, secret);
  const address = subscriberUrl === undefined ? {} : encryptWebhookUrl(secrets, subscriberUrl);
  const given = Object.entries({ ...address, triggers, active, encryptedSecret });
  // The app didn't choose where it leads now, and the person ends it (security C204, C214).
  const isTaken = isRedirected && maker?.appId === undefined;
  const changes: WebhookChanges = {
    ...Object.fromEntries(given.filter(([, value]) => value !== undefined)),
    ...(isTaken ? { appId: null } : {}), // protects: C204
  };
  const changed = await changeWebhook(db, caller, id, changes);
  return changed === undefined ? refuse('not_found') : ok(changed);
}

/** Sends a test event as all events are sent: its delivery says how it went. */
export async function testWebhook(
  app: App,
  owner: WebhookOwner,
  id: string,
): Promise<Result<ShownDelivery, WebhookRefusal>> {
  const { db, runtime } = app;
  const found = await findToSend(app, owner, id);
  if (!found.ok) return found;
  const now = runtime.now();
  const payload = { message: 'This is a test of your webhook.' };
  const topic = `test ${newUuid(runtime)}`;
  await db.transaction(async (tx) => {
    if (await keepWebhook(tx, id)) await addEvent(tx, { trigger: 'PING', topic, payload }, [id], now);
  });
  const [delivery] = await listDeliveries(db, id, 1);
  app.bookingEvents?.nudge();
  return delivery === undefined ? refuse('not_found') : ok(delivery);
}

export async function resend(
  app: App,
  owner: WebhookOwner,
  id: string,
  deliveryId: number,
): Promise<Result<ShownDelivery, WebhookRefusal>> {
  const found = await findToSend(app, owner, id);
  if (!found.ok) return found;
  const resent = await resendDelivery(app.db, id, deliveryId, app.runtime.now());
  if (resent === undefined) return refuse('not_found');
  app.bookingEvents?.nudge();
  return ok(resent);
}

async function findToSend(
  { buckets, db }: App,
  owner: WebhookOwner,
  id: string,
): Promise<Result<Webhook, WebhookRefusal>> {
  const found = await findWebhook(db, owner, id);
  if (found === undefined) return refuse('not_found');
  if (!found.active) return refuse('off');
  refuseIfReached('outgoing', buckets.outgoing.take([[`user ${await findAccountOf(db, id)}`, 1]]));
  return ok(found);
}
