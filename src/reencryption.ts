import { signingKeys, webhooks } from './oauth/tables.ts';
import type { Platform } from './platform/platform.ts';
import { type EncryptedColumn, reencrypt } from './platform/reencryption/store.ts';
import { calendarEntries, calendars } from './scheduling/tables.ts';

/** What lasts longer than a former SECRET; emails and their links are deleted after 30 days. */
const columns: readonly EncryptedColumn[] = [
  { column: signingKeys.encryptedPrivateKey, key: signingKeys.id, purpose: 'signing-key' },
  { column: webhooks.encryptedSecret, key: webhooks.id, purpose: 'webhook' },
  { column: calendars.encryptedAccess, key: calendars.id, purpose: 'calendar' },
  { column: calendars.encryptedDestination, key: calendars.id, purpose: 'calendar-destination' },
  {
    column: calendarEntries.encryptedCollection,
    key: calendarEntries.calendarId,
    purpose: 'calendar-destination',
  },
];

/** So that a former SECRET can go (contract §1). Reads nothing where there is none. */
export async function reencryptAll(app: Pick<Platform, 'config' | 'db' | 'secrets'>): Promise<void> {
  if ((app.config.secrets?.length ?? 0) < 2) return;
  for (const column of columns) await reencrypt(app, column);
}
