import { handedIn } from './part.ts';
import type { Platform } from './platform/platform.ts';
import { encryptCleartext, reencrypt } from './platform/reencryption/store.ts';

/**
 * Lets a former SECRET go (contract §1). Emails are left out, since they are deleted after 30 days.
 */
export async function reencryptAll(
  app: Pick<Platform, 'config' | 'db' | 'parts' | 'secrets'>,
): Promise<void> {
  const columns = handedIn(app.parts, ({ encrypted }) => encrypted);
  for (const column of columns) await encryptCleartext(app, column);
  if ((app.config.secrets?.length ?? 0) < 2) return;
  for (const column of columns) await reencrypt(app, column);
}
