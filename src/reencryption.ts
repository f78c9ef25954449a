import { handedIn } from './part.ts';
import type { Platform } from './platform/platform.ts';
import { reencrypt } from './platform/reencryption/store.ts';

/**
 * Encrypts again what outlasts a former SECRET, so that it can go (contract §1); emails and their
 * links don't, as they are deleted after 30 days. Reads nothing where there is no former one.
 */
export async function reencryptAll(
  app: Pick<Platform, 'config' | 'db' | 'parts' | 'secrets'>,
): Promise<void> {
  if ((app.config.secrets?.length ?? 0) < 2) return;
  for (const column of handedIn(app.parts, ({ encrypted }) => encrypted)) await reencrypt(app, column);
}
