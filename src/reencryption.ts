import { handedIn } from './part.ts';
import type { Platform } from './platform/platform.ts';
import { encryptCleartext, reencrypt } from './platform/reencryption/store.ts';

/**
 * Encrypts what a former version kept in the clear, and encrypts again what outlasts a former
 * SECRET, so that it can go (contract §1). Emails are left out: they are deleted after 30 days.
 */
export async function reencryptAll(
  app: Pick<Platform, 'config' | 'db' | 'parts' | 'secrets'>,
): Promise<void> {
  const columns = handedIn(app.parts, ({ encrypted }) => encrypted);
  for (const column of columns) await encryptCleartext(app, column);
  if ((app.config.secrets?.length ?? 0) < 2) return;
  for (const column of columns) await reencrypt(app, column);
}
