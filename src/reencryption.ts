import { handedIn } from './part.ts';
import type { Platform } from './platform/platform.ts';
import { encryptCleartext, type Reencrypted, reencrypt } from './platform/reencryption/store.ts';

/**
 * Lets a former SECRET go (contract §1). Emails are left out, since they are deleted after 30 days.
 * Returns undefined where no SECRET is a former one.
 */
export async function reencryptAll(
  app: Pick<Platform, 'config' | 'db' | 'parts' | 'secrets'>,
): Promise<Reencrypted | undefined> {
  const columns = handedIn(app.parts, ({ encrypted }) => encrypted);
  for (const column of columns) await encryptCleartext(app, column);
  if ((app.config.secrets?.length ?? 0) < 2) return undefined;
  let [again, unreadable] = [0, 0];
  for (const column of columns) {
    const found = await reencrypt(app, column);
    again += found.again;
    unreadable += found.unreadable;
  }
  return { again, unreadable };
}
